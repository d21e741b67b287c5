/** Reads the rows of a source or target page by page, and writes them. */
import { storedTypeOf } from '../dialects/column-type.ts';
import type { Connection } from '../dialects/database.ts';
import type { Row } from '../dialects/dialect.ts';
import {
  type CatalogueForeignKey,
  type CopiedColumn,
  type CopiedTable,
  type CopiedValue,
  idColumnOf,
  type TransferEngine,
} from '../dialects/transfer/types.ts';
import { Inserts } from '../sql/inserts.ts';
import { run, send } from '../sql/run.ts';
import { type Sql, sql } from '../sql/sql.ts';
import { copiedValueOf, type Problem } from './copied-values.ts';

export interface Page {
  readonly rows: readonly PageRow[];
  /** The id of the last row; undefined in a table without ids. */
  readonly last: number | undefined;
  readonly isFirst: boolean;
  /** Whether no rows follow. */
  readonly isLast: boolean;
}

export interface PageRow {
  /** For messages: `row 5`. */
  readonly name: string;
  readonly values: readonly (CopiedValue | Problem)[];
}

/** Maximum of a page's rows, and bytes that shorten the next page: rows may have a megabyte. */
export const maxRows = 1000;
/** The size of the first page, before anything is known about the table's rows. */
const firstRows = 50;
const manyBytes = 4_000_000;

/** The rows after the id `after`, in the order of their ids; all rows of a table without ids. */
export async function* pagesOf(from: Connection, source: TransferEngine, table: CopiedTable, after?: number): AsyncGenerator<Page> {
  const id = idColumnOf(table);
  const columns = sql.join(table.columns.map((column) => selected(column, source)));
  let [last, length, offset] = [after, firstRows, 0];
  for (;;) {
    const position = id === undefined ? sql`ORDER BY ${everyColumn(table)}` : afterId(id, last);
    const skipped = id === undefined ? sql` OFFSET ${sql.integer(offset)}` : sql.empty;
    const rows = await run(from, sql`SELECT ${columns} FROM ${sql.id(table.name)} ${position} LIMIT ${sql.integer(length)}${skipped}`);
    const at = table.columns.findIndex(({ name }) => name === id);
    if (id !== undefined && rows.length > 0) last = Number(rows.at(-1)?.[at]);
    const isLast = rows.length < length;
    const named = (row: Row, index: number) => (id === undefined ? `row number ${offset + index + 1}` : `row ${String(row[at])}`);
    yield {
      rows: rows.map((row, index) => ({
        name: named(row, index),
        values: table.columns.map((column, place) => copiedValueOf(row[place], column, source)),
      })),
      last,
      isFirst: offset === 0,
      isLast,
    };
    if (isLast) return;
    offset += rows.length;
    length = nextLength(rows, length);
  }
}

const afterId = (id: string, last: number | undefined): Sql =>
  last === undefined ? sql`ORDER BY ${sql.id(id)}` : sql`WHERE ${sql.id(id)} > ${sql.integer(last)} ORDER BY ${sql.id(id)}`;

/** As texts, since a json column may have no order. */
const everyColumn = ({ columns }: CopiedTable): Sql =>
  sql.join(columns.map(({ name, type }) => sql.ask((dialect, column) => dialect.asText(column, type), sql.id(name))));

function selected({ name, type }: CopiedColumn, source: TransferEngine): Sql {
  if (storedTypeOf(type) === 'json') return sql.ask((_, column) => source.jsonText(column), sql.id(name));
  return sql.read(sql.id(name), type);
}

function nextLength(rows: readonly Row[], length: number): number {
  let bytes = 0;
  for (const row of rows) for (const value of row) bytes += typeof value === 'string' ? value.length : 8;
  return Math.max(1, Math.min(maxRows, Math.floor((length * manyBytes) / bytes)));
}

/** Inserts rows with their ids. */
export function insertRows(to: Connection, table: CopiedTable, rows: readonly (readonly CopiedValue[])[]): void {
  const inserts = new Inserts(to);
  for (const row of rows) inserts.later(table.name, table.columns, row);
  inserts.flush();
}

export function deleteRows(to: Connection, table: CopiedTable): void {
  send(to, sql`DELETE FROM ${sql.id(table.name)}`);
}

export const countRows = (from: Connection, table: CopiedTable): Promise<number> =>
  numberOf(from, sql`SELECT count(*) FROM ${sql.id(table.name)}`);

export const highestIdIn = (from: Connection, table: CopiedTable, id: string): Promise<number> =>
  numberOf(from, sql`SELECT max(${sql.id(id)}) FROM ${sql.id(table.name)}`);

async function numberOf(from: Connection, query: Sql): Promise<number> {
  const [row] = await run(from, query);
  return Number(row?.[0] ?? 0);
}

/** The number of rows that refer to a row that does not exist. Not every source checks that. */
export async function countDangling(from: Connection, table: CopiedTable, key: CatalogueForeignKey): Promise<number> {
  const isSet = sql.join(
    key.columns.map((column) => sql`c.${sql.id(column)} IS NOT NULL`),
    ' AND ',
  );
  const isTarget = sql.join(
    key.columns.map((column, at) => sql`p.${sql.id(key.targetColumns[at] ?? 'id')} = c.${sql.id(column)}`),
    ' AND ',
  );
  const exists = sql`EXISTS (SELECT 1 FROM ${sql.id(key.target)} AS p WHERE ${isTarget})`;
  return numberOf(from, sql`SELECT count(*) FROM ${sql.id(table.name)} AS c WHERE ${isSet} AND NOT ${exists}`);
}

/** Strapi's record of its own tables, as JSON text; undefined where there is none. */
export async function strapiRecordText(from: Connection, source: TransferEngine, table: string): Promise<string | undefined> {
  const text = sql.ask((_, column) => source.jsonText(column), sql.id('schema'));
  const [row] = await run(from, sql`SELECT ${text} FROM ${sql.id(table)} ORDER BY ${sql.id('id')} DESC LIMIT 1`);
  return typeof row?.[0] === 'string' ? row[0] : undefined;
}
