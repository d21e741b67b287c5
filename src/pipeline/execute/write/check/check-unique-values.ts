/** `unique` and `uid`: no published row of another document in the locale may have the value. */
import { createHash } from 'node:crypto';
import { grouped } from '../../../../collections.ts';
import { columnTypeOf } from '../../../../dialects/column-type.ts';
import type { Dialect } from '../../../../dialects/dialect.ts';
import type { StoredValue } from '../../../../model/attributes/attribute-type.ts';
import { fromSelected } from '../../../../model/attributes/stored.ts';
import { type ContentType, componentsColumns } from '../../../../model/content-model.ts';
import { allDone } from '../../../../sql/all-done.ts';
import type { Rows } from '../../../../sql/rows.ts';
import { sql } from '../../../../sql/sql.ts';
import { writtenPath } from '../../../body/body-problems.ts';
import type { Entry } from '../../../entry/entry.ts';
import { findsRepeats, type UniqueValue, uniqueValues } from '../../../entry/unique-values.ts';
import type { WriteContext } from '../write-context.ts';

type Value = Exclude<StoredValue, null>;

/** Leaves out values that the row has already: they were checked before, and without an index a
 *  check reads the whole table. Values of components are always checked. */
export function withoutSame(entry: Entry, current: Entry | undefined): Entry {
  if (current === undefined) return entry;
  const values = [...entry.values].filter(([name, value]) => value !== (current.values.get(name) ?? null));
  return { ...entry, values: new Map(values) };
}

/** The number of locks for a column: PostgreSQL's lock table has no room for one for each value. */
const locksOfColumn = 256;

/** Returns the locks of unique values: writers of one value into one column wait for each other. */
export const uniqueKeys = (found: readonly UniqueValue[]): string[] => [
  ...new Set(
    found.map(({ schema, attribute, value }) => {
      const share = createHash('sha256').update(String(value)).digest().readUInt8(0) % locksOfColumn;
      return `unique ${schema.table} ${attribute.column} ${share}`;
    }),
  ),
];

interface Among {
  readonly type: ContentType;
  readonly locale: string | null;
  readonly ownId: number | undefined;
}

/** Throws all problems so far, together with those of unique values that another document has. */
export async function refuseTaken(
  entry: Entry,
  locale: string | null,
  ownId: number | undefined,
  { type, rows, problems, plan }: WriteContext,
): Promise<void> {
  const { enforceSchema } = plan.rules;
  const found = [...uniqueValues(entry, enforceSchema)];
  rows.lock(uniqueKeys(found));
  const lookUp = async ([place, group]: readonly [string, readonly UniqueValue[]]) =>
    [place, await takenOf(group, { type, locale, ownId }, rows)] as const;
  const taken = new Map(await allDone([...grouped(found, placeOf)].map(lookUp)));
  const seen = new Set<string>();
  for (const unique of found) {
    const { attribute, path, value, steps } = unique;
    const place = placeOf(unique);
    const key = `${place} ${value}`;
    const isRepeated = seen.has(key) && (enforceSchema || findsRepeats(unique));
    seen.add(key);
    if (!isRepeated && !taken.get(place)?.has(String(value))) continue;
    // Another caller may have written the value into the draft: a hidden value must not be shown.
    const isHidden = attribute.private || steps.some(({ schema, field }) => schema.attributes.get(field)?.private === true);
    const shown = typeof value === 'bigint' ? value.toString() : value;
    const help = () => ({
      message: `${writtenPath(path)} must be unique: ${isRepeated ? 'the body has' : 'another document has'} this value already`,
    });
    problems.addHelped(path, 'This attribute must be unique', help, ...(isHidden ? [] : ([shown] as const)));
  }
  problems.throwIfAny();
}

/** Equal for the values of one attribute. */
const placeOf = ({ steps, schema, attribute }: UniqueValue): string =>
  JSON.stringify([steps.map(({ field }) => field), schema.uid, attribute.name]);

/** The maximum number of values in a statement: without an index, each reads the entire table. */
const valuesOfStatement = 1024;

/** Returns those values of one attribute, as text, that another document has: for a component's
 *  attribute, in the same component at the same path. */
async function takenOf(group: readonly UniqueValue[], among: Among, rows: Rows): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  const values = [...new Set(group.map(({ value }) => value))];
  for (let start = 0; start < values.length; start += valuesOfStatement) {
    const some = values.slice(start, start + valuesOfStatement);
    const [unique] = group;
    if (unique !== undefined) for (const value of await takenAmong(unique, some, among, rows)) taken.add(String(value));
  }
  return taken;
}

async function takenAmong(
  { attribute, steps, schema }: UniqueValue,
  wanted: readonly Value[],
  { type, locale, ownId }: Among,
  rows: Rows,
): Promise<StoredValue[]> {
  const own = componentsColumns;
  const columnType = columnTypeOf(attribute);
  const column = sql.id('t0', attribute.column);
  const values = padded(wanted).map((value) => sql.value(value, columnType));
  const conditions = [sql.ask((dialect, text, ...listed) => isAmong(dialect, text, listed), column, ...values)];
  let from = sql`${sql.id(schema.table)} AS t0`;
  let root = 't0';
  let child = schema;
  for (const [index, { schema: owner, field }] of [...steps].reverse().entries()) {
    const [join, next] = [`j${index}`, `t${index + 1}`];
    const links = sql`${sql.id(owner.componentsTable?.table ?? '')} AS ${sql.raw(join)} ON ${sql.id(join, own.component)} = ${sql.id(root, 'id')}`;
    const owners = sql`${sql.id(owner.table)} AS ${sql.raw(next)} ON ${sql.id(next, 'id')} = ${sql.id(join, own.owner)}`;
    from = sql`${from} JOIN ${links} JOIN ${owners}`;
    // An index on these columns would find nearly the whole table, once for each component.
    const isEqual = (name: string, value: string) =>
      sql`${sql.ask((dialect, text) => dialect.unindexed(text), sql.id(join, name))} = ${sql.value(value, 'string')}`;
    conditions.push(isEqual(own.type, child.uid), isEqual(own.field, field));
    root = next;
    child = owner;
  }
  conditions.push(sql`${sql.id(root, 'published_at')} IS NOT NULL`);
  if (type.localized && locale !== null) conditions.push(sql`${sql.id(root, 'locale')} = ${sql.value(locale, 'string')}`);
  if (ownId !== undefined) conditions.push(sql`${sql.id(root, 'id')} <> ${sql.value(ownId, 'id')}`);
  // Where the collation ignores letter case, DISTINCT would return one of several spellings.
  const spelled = sql.ask((dialect, text) => dialect.exactly(text, columnType, 'names') ?? text, column);
  const found = await rows.run(sql`SELECT DISTINCT ${sql.read(spelled, columnType)} FROM ${from} WHERE ${sql.join(conditions, ' AND ')}`);
  return found.map(([value]) => fromSelected(value, attribute));
}

const isAmong = (dialect: Dialect, column: string, values: readonly string[]): string =>
  values.length === 1 ? `${column} = ${values[0]}` : dialect.isAmong(column, values);

/** Repeats the last value up to a power of two, so that few different statements are prepared. */
function padded(values: readonly Value[]): readonly Value[] {
  const last = values.at(-1);
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)));
  return last === undefined ? [] : [...values, ...Array.from({ length: length - values.length }, () => last)];
}
