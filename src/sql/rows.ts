/** Rows of tables, many at a time: one statement for a table, whatever the number of rows. */
import { createHash } from 'node:crypto';
import type { ColumnType, Connection, Dialect, Row, SqlValue } from '../dialects/dialect.ts';
import { assigned, type Column, Inserts } from './inserts.ts';
import { run } from './run.ts';
import type { Sql } from './sql.ts';

export interface Cell extends Column {
  readonly value: SqlValue;
}

/** Rows whose position changes are written by one statement; longer ones cost more to parse than they save. */
const positionsPerStatement = 300;

export class Rows {
  readonly #connection: Connection;
  readonly dialect: Dialect;
  readonly inserts: Inserts;

  constructor(connection: Connection, dialect: Dialect) {
    this.#connection = connection;
    this.dialect = dialect;
    this.inserts = new Inserts(connection, dialect);
  }

  run(fragment: Sql): Promise<readonly Row[]> {
    return run(this.#connection, fragment);
  }

  async query(text: string, parameters: readonly unknown[]): Promise<readonly Row[]> {
    return this.#connection.query(text, parameters);
  }

  /** `columns` of the rows whose `key` is one of the ids; in the order of `order`, which is SQL of trusted names. */
  select(
    table: string,
    key: string,
    ids: readonly number[],
    columns: readonly string[],
    order: string,
    limit = Number.POSITIVE_INFINITY,
  ): Promise<readonly Row[]> {
    const { dialect } = this;
    const { quote } = dialect;
    const list = dialect.idList(dialect.placeholder(1), 'wanted');
    return this.query(
      `SELECT ${columns.join(', ')} FROM ${list} ${dialect.orderedJoin} ${quote(table)} AS r ON r.${quote(key)} = wanted.value ORDER BY ${order}` +
        (limit === Number.POSITIVE_INFINITY ? '' : ` LIMIT ${dialect.placeholder(2)}`),
      [dialect.bindIds(ids), ...(limit === Number.POSITIVE_INFINITY ? [] : [limit])],
    );
  }

  async update(table: string, id: number, cells: readonly Cell[]): Promise<void> {
    const { dialect } = this;
    const { quote } = dialect;
    const parameters: SqlValue[] = [];
    const assignments = cells.map((cell) => `${quote(cell.name)} = ${assigned(dialect, cell, cell.value, parameters)}`);
    parameters.push(id);
    await this.query(
      `UPDATE ${quote(table)} SET ${assignments.join(', ')} WHERE id = ${dialect.placeholder(parameters.length)}`,
      parameters,
    );
  }

  async delete(table: string, key: string, ids: readonly number[]): Promise<void> {
    const { dialect } = this;
    const { quote } = dialect;
    const list = dialect.idList(dialect.placeholder(1), 'gone');
    await this.query(`DELETE FROM ${quote(table)} WHERE ${quote(key)} IN (SELECT gone.value FROM ${list})`, [dialect.bindIds(ids)]);
  }

  /** Sets one number column of several rows, each to a value of its own. */
  async place(table: string, column: string, places: readonly (readonly [id: number, value: number | null])[]): Promise<void> {
    const { dialect } = this;
    const { quote } = dialect;
    for (let start = 0; start < places.length; start += positionsPerStatement) {
      const some = places.slice(start, start + positionsPerStatement);
      const parameters: SqlValue[] = [];
      const cases = some.map(([id, value]) => `WHEN ${this.bound(id, 'id', parameters)} THEN ${this.bound(value, 'order', parameters)}`);
      const ids = some.map(([id]) => this.bound(id, 'id', parameters));
      await this.query(
        `UPDATE ${quote(table)} SET ${quote(column)} = CASE id ${cases.join(' ')} END WHERE id IN (${ids.join(', ')})`,
        parameters,
      );
    }
  }

  /** Waits until nobody else is at work on any of these; equal texts mean the same thing. Kept to the end of the transaction. */
  async lock(names: readonly string[]): Promise<void> {
    const { lock, placeholder } = this.dialect;
    if (lock === undefined || names.length === 0) return;
    const keys = names.map((name) => createHash('sha256').update(name).digest().readBigInt64BE(0).toString());
    await this.query(lock(placeholder(1)), [[...new Set(keys)]]);
  }

  /** The placeholder of a value, which is added to `parameters`. */
  bound(value: SqlValue, type: ColumnType, parameters: SqlValue[]): string {
    const stored = this.dialect.bind(value, type);
    parameters.push(stored);
    return this.dialect.comparand(this.dialect.placeholder(parameters.length), type, stored);
  }
}
