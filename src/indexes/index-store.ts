/** Creates and drops indexes, and estimates their size. */
import { isText, storedTypeOf } from '../dialects/column-type.ts';
import type { Connection, LiveIndex } from '../dialects/database.ts';
import type { ScalarAttribute } from '../model/content-model.ts';
import { run } from '../sql/run.ts';
import { sql } from '../sql/sql.ts';
import { createIndexOnline, dropIndexOnline } from '../tables/index-statements.ts';
import type { Index, Table } from '../tables/table.ts';
import type { Proposal } from './proposals.ts';

/** Creates an index, in place of one that cannot be used. The connection comes from `maintain`. */
export async function makeIndex(connection: Connection, { table, index, replaces }: Proposal): Promise<void> {
  if (replaces !== undefined) await removeIndex(connection, { table, name: replaces.name });
  await prepareIndex(connection, index);
  await connection.query(createIndexOnline({ name: table }, index, connection.dialect), []);
}

/** Creates the extension that the index needs. */
export async function prepareIndex(connection: Connection, { ofTexts }: Index): Promise<void> {
  const { textIndexes } = connection.dialect.tables;
  if (ofTexts === true && textIndexes !== undefined) await connection.query(textIndexes.prepare, []);
}

/** Whether the database can have indexes of texts. */
export async function canIndexTexts(connection: Connection): Promise<boolean> {
  const { textIndexes } = connection.dialect.tables;
  if (textIndexes === undefined) return false;
  const [row] = await connection.query(textIndexes.isAvailable, []);
  return row?.[0] === true;
}

export async function removeIndex(connection: Connection, { table, name }: Pick<LiveIndex, 'table' | 'name'>): Promise<void> {
  await connection.query(dropIndexOnline(table, name, connection.dialect), []);
}

/** Rows whose texts are looked at for an estimate: the newest ones. */
const sampledRows = 1000;
/** An entry's bytes besides its values, and the filled part of a page; rounded, of both engines. */
const entryBytes = 14;
const filledPart = 0.9;
const numberBytes = 8;
/** Each character of a text begins a trigram. Measured with titles of 25 characters. */
const trigramBytes = 3;

/** Estimates the bytes of an index from the number of rows and the length of the newest texts. */
export async function estimateBytes(connection: Connection, { index }: Proposal, table: Table): Promise<number> {
  const name = sql.id(table.name);
  const condition = (where: Table['ownIndexes'][number]['where']) =>
    where === undefined ? sql.empty : sql` WHERE ${sql.id(where.column)} IS ${where.isNull ? sql.empty : sql`NOT `}NULL`;
  const [[rows] = []] = await run(connection, sql`SELECT count(*) FROM ${name}${condition(index.where)}`);
  const texts = index.columns.filter((column) => table.columns.some((each) => each.name === column && isText(each.type)));
  let bytes = entryBytes + numberBytes * (index.columns.length - texts.length);
  const perCharacter = index.ofTexts === true ? trigramBytes : 1;
  if (texts.length > 0) {
    const lengths = sql.join(texts.map((column) => sql`avg(length(${sql.id(column)}))`));
    const newest = sql`SELECT ${sql.join(texts.map((column) => sql.id(column)))} FROM ${name} ORDER BY id DESC LIMIT ${sql.integer(sampledRows)}`;
    const [averages = []] = await run(connection, sql`SELECT ${lengths} FROM (${newest}) AS newest`);
    for (const average of averages) bytes += perCharacter * Number(average ?? 0) + 1;
  }
  return Math.ceil((Number(rows) * bytes) / filledPart);
}

/** Values of the newest row that has them all, as query texts; undefined if there is none. */
export async function sampleValues(
  connection: Connection,
  table: string,
  attributes: readonly ScalarAttribute[],
): Promise<readonly string[] | undefined> {
  if (attributes.length === 0) return [];
  const columns = sql.join(attributes.map(({ column, type }) => sql.read(sql.id(column), type)));
  const present = sql.join(
    attributes.map(({ column }) => sql`${sql.id(column)} IS NOT NULL`),
    ' AND ',
  );
  const [row] = await run(connection, sql`SELECT ${columns} FROM ${sql.id(table)} WHERE ${present} ORDER BY id DESC LIMIT 1`);
  return row?.map((value, position) => queryText(value, attributes[position]?.type));
}

function queryText(value: unknown, type: ScalarAttribute['type'] | undefined): string {
  const text = type !== undefined && storedTypeOf(type) === 'datetime' ? new Date(Number(value)).toISOString() : String(value);
  return encodeURIComponent(type === 'boolean' ? String(value === true || value === 1) : text);
}
