/** `unique` and `uid`: no published row of another document in the same locale may have the value. Drafts may repeat any value. */
import { createHash } from 'node:crypto';
import { type ColumnType, columnTypeOf } from '../../../../dialects/column-type.ts';
import type { SqlValue } from '../../../../dialects/dialect.ts';
import type { StoredValue } from '../../../../model/attributes/attribute-type.ts';
import { fromSelected, sameStored } from '../../../../model/attributes/stored.ts';
import { type ContentType, componentsColumns } from '../../../../model/content-model.ts';
import { allDone } from '../../../../sql/all-done.ts';
import type { Rows } from '../../../../sql/rows.ts';
import type { BodyProblems } from '../../../body/body-problems.ts';
import type { Entry } from '../../../entry/entry.ts';
import { type UniqueValue, uniqueValues } from '../../../entry/unique-values.ts';

type Value = Exclude<StoredValue, null>;

/** Returns the entry without the values that its row has already: they were checked when they were written, and without an index a check reads the
 *  whole table. Values of components are always checked. */
export function withoutSame(entry: Entry, current: Entry | undefined): Entry {
  if (current === undefined) return entry;
  const values = [...entry.values].filter(([name, value]) => !sameStored(value, current.values.get(name) ?? null));
  return { ...entry, values: new Map(values) };
}

/** The number of locks for a column. One lock for each value would be thousands for a large body, more than PostgreSQL's lock table holds. */
const locksOfColumn = 256;

/** Returns the locks for the unique values of an entry: writers of the same value into the same column must wait for each other. */
export const uniqueKeys = (entry: Entry): string[] => [
  ...new Set(
    [...uniqueValues(entry)].map(({ schema, attribute, value }) => {
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

/** The values of one attribute. */
interface Group {
  readonly first: UniqueValue;
  readonly values: Map<string, Value>;
  taken: ReadonlySet<string>;
}

export async function checkUnique(entry: Entry, among: Among, rows: Rows, problems: BodyProblems): Promise<void> {
  const groups = new Map<string, Group>();
  const found = [...uniqueValues(entry)].map((unique) => {
    const { steps, attribute, schema, value } = unique;
    const groupKey = JSON.stringify([steps.map(({ field }) => field), schema.uid, attribute.name]);
    const group = groups.get(groupKey) ?? { first: unique, values: new Map<string, Value>(), taken: new Set<string>() };
    groups.set(groupKey, group);
    const key = String(value);
    const isRepeated = group.values.has(key);
    group.values.set(key, value);
    return { unique, group, key, isRepeated };
  });
  const lookUp = async (group: Group) => {
    group.taken = await takenOf(group.first, [...group.values.values()], among, rows);
  };
  await allDone([...groups.values()].map(lookUp));
  for (const { unique, group, key, isRepeated } of found) {
    if (!isRepeated && !group.taken.has(key)) continue;
    const { attribute, path, value, steps } = unique;
    // Another caller may have written the value into the draft: the message must not show a hidden value.
    const isHidden = attribute.private || steps.some(({ schema, field }) => schema.attributes.get(field)?.private === true);
    const shown = typeof value === 'bigint' ? value.toString() : value;
    problems.add(path, 'This attribute must be unique', ...(isHidden ? [] : ([shown] as const)));
  }
}

/** The most values in one statement. Without an index on the column, each statement reads the whole table, however many values it has. */
const valuesOfStatement = 1024;

/** Returns those values, as text, that another document has: for a component's attribute, in the same component at the same path. */
async function takenOf(unique: UniqueValue, values: readonly Value[], among: Among, rows: Rows): Promise<ReadonlySet<string>> {
  const taken = new Set<string>();
  for (let start = 0; start < values.length; start += valuesOfStatement) {
    const some = values.slice(start, start + valuesOfStatement);
    for (const value of await takenAmong(unique, some, among, rows)) taken.add(String(value));
  }
  return taken;
}

async function takenAmong(
  { attribute, steps, schema }: UniqueValue,
  wanted: readonly Value[],
  { type, locale, ownId }: Among,
  rows: Rows,
): Promise<StoredValue[]> {
  const { dialect } = rows;
  const { quote } = dialect;
  const own = componentsColumns;
  const values: SqlValue[] = [];
  const bound = (each: SqlValue, columnType: ColumnType) => rows.bound(each, columnType, values);
  const columnType = columnTypeOf(attribute);
  const column = `t0.${quote(attribute.column)}`;
  let from = `${quote(schema.table)} AS t0`;
  let root = 't0';
  let child = schema;
  const listed = padded(wanted).map((value) => bound(value, columnType));
  const conditions = [listed.length === 1 ? `${column} = ${listed[0]}` : dialect.isAmong(column, listed)];
  for (const [index, step] of [...steps].reverse().entries()) {
    const join = `j${index}`;
    const next = `t${index + 1}`;
    const table = step.schema.componentsTable?.table ?? '';
    from += ` JOIN ${quote(table)} AS ${join} ON ${join}.${quote(own.component)} = ${root}.id JOIN ${quote(step.schema.table)} AS ${next} ON ${next}.id = ${join}.${quote(own.owner)}`;
    // An index on these columns would find nearly the whole table, once for each component.
    conditions.push(
      `${dialect.unindexed(`${join}.${quote(own.type)}`)} = ${bound(child.uid, 'string')}`,
      `${dialect.unindexed(`${join}.${quote(own.field)}`)} = ${bound(step.field, 'string')}`,
    );
    root = next;
    child = step.schema;
  }
  conditions.push(`${root}.published_at IS NOT NULL`);
  if (type.localized && locale !== null) conditions.push(`${root}.locale = ${bound(locale, 'string')}`);
  if (ownId !== undefined) conditions.push(`${root}.id <> ${bound(ownId, 'id')}`);
  // Where the column's collation ignores letter case, DISTINCT would return only one of several spellings.
  const spelled = dialect.exactly(column, columnType, 'names') ?? column;
  const found = await rows.query(
    `SELECT DISTINCT ${dialect.select(spelled, columnType)} FROM ${from} WHERE ${conditions.join(' AND ')}`,
    values,
  );
  return found.map(([value]) => fromSelected(value, attribute));
}

/** Repeats the last value until the number of values is a power of two, so that few different statements are prepared. */
function padded(values: readonly Value[]): readonly Value[] {
  const last = values.at(-1);
  const length = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)));
  return last === undefined ? [] : [...values, ...Array.from({ length: length - values.length }, () => last)];
}
