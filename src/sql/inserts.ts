/** Inserts many rows with few statements of the same length, which are prepared only once. */
import type { ColumnType } from '../dialects/column-type.ts';
import type { Connection } from '../dialects/database.ts';
import type { SqlValue } from '../dialects/dialect.ts';
import { allDone } from './all-done.ts';
import { run, send } from './run.ts';
import { type Sql, sql } from './sql.ts';

export interface TypedColumn {
  readonly name: string;
  readonly type: ColumnType;
}

type Values = readonly SqlValue[];

const returningId = sql.ask((dialect) => dialect.returningId);

/** The most parameters of a statement: enough to save round trips, and below each engine's
 *  limit. */
const parametersPerStatement = 2000;

export class Inserts {
  readonly #connection: Connection;
  readonly #pending = new Map<string, { readonly columns: readonly TypedColumn[]; rows: Values[] }>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Inserts rows at once. Returns their ids in the order of the rows. */
  async returningIds(table: string, columns: readonly TypedColumn[], rows: readonly Values[]): Promise<number[]> {
    const statements = [...batches(rows, columns.length)].map((some) =>
      run(this.#connection, insertion(table, columns, some, returningId)),
    );
    // RETURNING has no guaranteed order, but ids are assigned in the order of the rows.
    return (await allDone(statements)).flatMap((returned) => returned.map(([id]) => Number(id)).sort((a, b) => a - b));
  }

  /** Collects a row whose id is not needed, of a join table for instance, until `flush`. All rows
   *  of a table have the same columns. */
  later(table: string, columns: readonly TypedColumn[], row: Values): void {
    const pending = this.#pending.get(table);
    if (pending === undefined) this.#pending.set(table, { columns, rows: [row] });
    else pending.rows.push(row);
  }

  /** Inserts the collected rows, without waiting for a response (`Connection.send`). */
  flush(): void {
    for (const statement of this.take()) send(this.#connection, statement);
  }

  /** The statements that insert the collected rows, for a caller that sends them in turns. */
  *take(): Generator<Sql> {
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const [table, { columns, rows }] of pending) {
      for (const some of batches(rows, columns.length)) yield insertion(table, columns, some, sql.empty);
    }
  }
}

function insertion(table: string, columns: readonly TypedColumn[], rows: readonly Values[], suffix: Sql): Sql {
  const into = sql`INSERT INTO ${sql.id(table)}`;
  if (columns.length === 0) return sql`${into} (id) VALUES (${sql.ask((dialect) => dialect.newId)})${suffix}`;
  const names = sql.join(
    columns.map(({ name }) => sql.id(name)),
    ',',
  );
  const tuples = rows.map((row) => {
    const items = columns.map(({ type }, index) => sql.stored(row[index] ?? null, type));
    return sql`(${sql.join(items, ',')})`;
  });
  return sql`${into} (${names}) VALUES ${sql.join(tuples, ',')}${suffix}`;
}

function* batches(rows: readonly Values[], width: number): Generator<readonly Values[]> {
  // Rows of a table with only an id have no values to list, so they are inserted one by one.
  const length = width === 0 ? 1 : Math.max(1, Math.floor(parametersPerStatement / width));
  for (let start = 0; start < rows.length; start += length) yield rows.slice(start, start + length);
}
