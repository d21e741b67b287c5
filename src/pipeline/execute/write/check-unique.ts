/** `unique` and `uid`: no other published version of the same locale has the value. Drafts may repeat what they like. */
import { columnTypeOf } from '../../../dialects/column-type.ts';
import type { ColumnType, SqlValue } from '../../../dialects/dialect.ts';
import type { StoredValue } from '../../../model/attributes/attribute-type.ts';
import { sameStored } from '../../../model/attributes/stored.ts';
import { type ContentType, componentsColumns, type ScalarAttribute, type ScalarType, type Schema } from '../../../model/content-model.ts';
import type { Rows } from '../../../storage/rows.ts';
import { type Entry, isPartAttribute } from './entry.ts';
import type { Problems } from './problems.ts';

/** A value that must be unique, where it stands. */
interface UniqueValue {
  readonly attribute: ScalarAttribute;
  readonly value: Exclude<StoredValue, null>;
  readonly path: readonly string[];
  /** The schemas from the document down to the one that has the attribute, each with the field that leads on. */
  readonly steps: readonly { readonly schema: Schema; readonly field: string }[];
  readonly schema: Schema;
}

/** An entry without the values that its row has already: they were looked for when they were written there, and where no index helps, looking
 *  means reading the whole table. Components are looked at as they are. */
export function withoutSame(entry: Entry, current: Entry | undefined): Entry {
  if (current === undefined) return entry;
  const values = [...entry.values].filter(([name, value]) => !sameStored(value, current.values.get(name) ?? null));
  return { ...entry, values: new Map(values) };
}

/** What is asked about a value: its column, where it stands, and the value itself. Writers of the same value must take turns. */
export const uniqueKeys = (entry: Entry): string[] =>
  uniqueValues(entry).map(({ schema, attribute, value }) => `unique ${schema.table} ${attribute.column} ${String(value)}`);

export async function checkUnique(
  entry: Entry,
  { type, locale, ownId }: { readonly type: ContentType; readonly locale: string | null; readonly ownId: number | undefined },
  rows: Rows,
  problems: Problems,
): Promise<void> {
  const seen = new Set<string>();
  for (const unique of uniqueValues(entry)) {
    const { attribute, path, value, steps } = unique;
    const inDocument = JSON.stringify([steps.map(({ field }) => field), attribute.name, String(value)]);
    const repeated = seen.has(inDocument);
    seen.add(inDocument);
    if (repeated || (await isTaken(unique, type, locale, ownId, rows))) {
      // Somebody else may have written the value into the draft: what is hidden is not told.
      const isHidden = attribute.private || steps.some(({ schema, field }) => schema.attributes.get(field)?.private === true);
      const shown = typeof value === 'bigint' ? value.toString() : value;
      problems.add(path, 'This attribute must be unique', ...(isHidden ? [] : ([shown] as const)));
    }
  }
}

/** As in Strapi. One engine compares no JSON with text, and two hashes of one password differ. */
const neverUnique: ReadonlySet<ScalarType> = new Set<ScalarType>(['json', 'blocks', 'password']);

function uniqueValues(entry: Entry, path: readonly string[] = [], steps: UniqueValue['steps'] = []): UniqueValue[] {
  const found: UniqueValue[] = [];
  for (const attribute of entry.schema.attributes.values()) {
    const place = [...path, attribute.name];
    if (attribute.kind === 'scalar') {
      const value = entry.values.get(attribute.name);
      const isUnique = (attribute.unique || attribute.type === 'uid') && !attribute.system && !neverUnique.has(attribute.type);
      if (isUnique && value !== undefined && value !== null && value !== '')
        found.push({ attribute, value, path: place, steps, schema: entry.schema });
    } else if (isPartAttribute(attribute)) {
      const isOne = attribute.kind === 'component' && attribute.cardinality === 'one';
      const further = [...steps, { schema: entry.schema, field: attribute.name }];
      (entry.parts.get(attribute.name) ?? []).forEach((part, index) => {
        found.push(...uniqueValues(part.entry, isOne ? place : [...place, String(index)], further));
      });
    }
  }
  return found;
}

/** In a component: a value of the same component in the same place of another document. */
async function isTaken(
  { attribute, value, steps, schema }: UniqueValue,
  type: ContentType,
  locale: string | null,
  ownId: number | undefined,
  rows: Rows,
): Promise<boolean> {
  const { dialect } = rows;
  const { quote } = dialect;
  const own = componentsColumns;
  const values: SqlValue[] = [];
  const bound = (each: SqlValue, columnType: ColumnType) => rows.bound(each, columnType, values);
  // From the component outwards: the index on the value, where there is one, is the place to begin.
  let from = `${quote(schema.table)} AS t0`;
  let root = 't0';
  let child = schema;
  const conditions = [`t0.${quote(attribute.column)} = ${bound(value, columnTypeOf(attribute))}`];
  for (const [index, step] of [...steps].reverse().entries()) {
    const join = `j${index}`;
    const next = `t${index + 1}`;
    const table = step.schema.componentsTable?.table ?? '';
    from += ` JOIN ${quote(table)} AS ${join} ON ${join}.${quote(own.component)} = ${root}.id JOIN ${quote(step.schema.table)} AS ${next} ON ${next}.id = ${join}.${quote(own.owner)}`;
    conditions.push(
      `${join}.${quote(own.type)} = ${bound(child.uid, 'string')}`,
      `${join}.${quote(own.field)} = ${bound(step.field, 'string')}`,
    );
    root = next;
    child = step.schema;
  }
  conditions.push(`${root}.published_at IS NOT NULL`);
  if (type.localized && locale !== null) conditions.push(`${root}.locale = ${bound(locale, 'string')}`);
  if (ownId !== undefined) conditions.push(`${root}.id <> ${bound(ownId, 'id')}`);
  const found = await rows.query(`SELECT ${root}.id FROM ${from} WHERE ${conditions.join(' AND ')} LIMIT 1`, values);
  return found.length > 0;
}
