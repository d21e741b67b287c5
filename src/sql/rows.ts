/** Reads and writes rows of tables, with one statement for a table, whatever the number of rows. */
import { createHash } from 'node:crypto';
import type { Connection } from '../dialects/database.ts';
import type { Dialect, Row, SqlValue } from '../dialects/dialect.ts';
import { newDocumentId } from '../text/document-id.ts';
import { Inserts, type TypedColumn } from './inserts.ts';
import { run, send } from './run.ts';
import { type Sql, sql } from './sql.ts';

export interface Cell extends TypedColumn {
  readonly value: SqlValue;
}

interface Selection {
  readonly key: string;
  readonly ids: readonly number[];
  readonly columns: readonly (Sql | string)[];
  readonly order: Sql | string;
  readonly limit?: number;
}

/** At most so many positions in one statement; parsing a longer one costs more than it saves. */
const positionsPerStatement = 300;

/** A join that the engine must not reorder. */
export const orderedJoin = sql.ask((dialect) => dialect.orderedJoin);

const documentTimes = ['created_at', 'updated_at', 'published_at'];

const assignments = (cells: readonly Cell[]) =>
  sql.join(cells.map(({ name, value, type }) => sql`${sql.id(name)} = ${sql.stored(value, type)}`));

export class Rows {
  readonly connection: Connection;
  readonly dialect: Dialect;
  readonly inserts: Inserts;

  constructor(connection: Connection, dialect: Dialect) {
    this.connection = connection;
    this.dialect = dialect;
    this.inserts = new Inserts(connection);
  }

  run(fragment: Sql): Promise<readonly Row[]> {
    return run(this.connection, fragment);
  }

  send(fragment: Sql): void {
    send(this.connection, fragment);
  }

  async query(text: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.connection.query(text, parameters);
  }

  /** Selects `columns` of the rows whose `key` is one of the ids, sorted by `order`. The table's
   *  alias is `r`. The SQL texts must be trusted. */
  select(table: string, { key, ids, columns, order, limit = Number.POSITIVE_INFINITY }: Selection): Promise<readonly Row[]> {
    const trusted = (part: Sql | string) => (typeof part === 'string' ? sql.raw(part) : part);
    const source = sql`${sql.ids(ids, 'wanted')} ${orderedJoin} ${sql.id(table)} AS r ON r.${sql.id(key)} = wanted.value`;
    const page = limit === Number.POSITIVE_INFINITY ? sql.empty : sql` LIMIT ${sql.limit(sql`${limit}`)}`;
    return this.run(sql`SELECT ${sql.join(columns.map(trusted))} FROM ${source} ORDER BY ${trusted(order)}${page}`);
  }

  /** Inserts rows of a type, as new documents. Returns their ids in the same order. All rows' cells
   *  have the same columns. */
  async insertDocuments(table: string, rows: readonly (readonly Cell[])[], now = Date.now()): Promise<number[]> {
    const times = documentTimes.map((name): Cell => ({ name, type: 'datetime', value: now }));
    const [first, ...others] = rows.map((cells): Cell[] => [
      { name: 'document_id', type: 'string', value: newDocumentId() },
      ...cells,
      ...times,
    ]);
    if (first === undefined) return [];
    return this.inserts.returningIds(
      table,
      first,
      [first, ...others].map((cells) => cells.map(({ value }) => value)),
    );
  }

  /** Changes a row. Like all methods without a result, it does not wait (`Connection.send`). */
  update(table: string, id: number, cells: readonly Cell[]): void {
    this.send(sql`UPDATE ${sql.id(table)} SET ${assignments(cells)} WHERE id = ${id}`);
  }

  /** Sets the same values in several rows. */
  updateAll(table: string, ids: readonly number[], cells: readonly Cell[]): void {
    if (ids.length === 0) return;
    this.send(sql`UPDATE ${sql.id(table)} SET ${assignments(cells)} WHERE ${sql.isOneOf(sql`id`, ids, 'changed')}`);
  }

  delete(table: string, key: string, ids: readonly number[]): void {
    this.send(sql`DELETE FROM ${sql.id(table)} WHERE ${sql.isOneOf(sql.id(key), ids, 'gone')}`);
  }

  /** Sets a number column of several rows, to a different value for each. */
  setPositions(table: string, column: string, positions: readonly (readonly [id: number, value: number | null])[]): void {
    for (let start = 0; start < positions.length; start += positionsPerStatement) {
      const some = positions.slice(start, start + positionsPerStatement);
      const cases = some.map(([id, value]) => sql` WHEN ${sql.value(id, 'id')} THEN ${sql.value(value, 'order')}`);
      const ids = some.map(([id]) => sql.value(id, 'id'));
      this.send(sql`UPDATE ${sql.id(table)} SET ${sql.id(column)} = CASE id${sql.join(cases, '')} END WHERE id IN (${sql.join(ids)})`);
    }
  }

  /** The next statements wait until no other transaction has any of the named locks, which last
   *  until the transaction ends. */
  lock(names: readonly string[]): void {
    // Without the digests, which only locks need.
    if (names.length === 0 || this.dialect.writesOneByOne) return;
    const keys = names.map((name) => createHash('sha256').update(name).digest().readBigInt64BE(0));
    this.connection.lock([...new Set(keys)]);
  }
}
