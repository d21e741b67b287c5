/** Many rows into a table with few statements, each of the same length so that the connection prepares it once. */
import type { ColumnType, Connection, Dialect, SqlValue } from '../dialects/dialect.ts';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

type Values = readonly SqlValue[];

/** Long enough to save round trips, and below every engine's limit of parameters. */
const parametersPerStatement = 2000;

export class Inserts {
  readonly #connection: Connection;
  readonly #dialect: Dialect;
  readonly #pending = new Map<string, { readonly columns: readonly Column[]; rows: Values[] }>();

  constructor(connection: Connection, dialect: Dialect) {
    this.#connection = connection;
    this.#dialect = dialect;
  }

  /** Inserts at once; the ids come in the order of the rows. */
  async returningIds(table: string, columns: readonly Column[], rows: readonly Values[]): Promise<number[]> {
    const ids: number[] = [];
    for (const some of batches(rows, columns.length)) {
      const returned = await this.#run(table, columns, some, ' RETURNING id');
      // The order of RETURNING is not promised; ids are given out in the order of the rows.
      ids.push(...returned.map(([id]) => Number(id)).sort((a, b) => a - b));
    }
    return ids;
  }

  /** Collects rows of a join table, whose ids nobody needs, until `flush`. The columns of a table are always the same. */
  later(table: string, columns: readonly Column[], row: Values): void {
    const pending = this.#pending.get(table);
    if (pending === undefined) this.#pending.set(table, { columns, rows: [row] });
    else pending.rows.push(row);
  }

  async flush(): Promise<void> {
    for (const [table, { columns, rows }] of this.#pending) {
      for (const some of batches(rows, columns.length)) await this.#run(table, columns, some, '');
    }
    this.#pending.clear();
  }

  async #run(table: string, columns: readonly Column[], rows: readonly Values[], suffix: string) {
    const quote = this.#dialect.quote;
    if (columns.length === 0) return this.#connection.query(`INSERT INTO ${quote(table)} DEFAULT VALUES${suffix}`, []);
    const parameters: SqlValue[] = [];
    const tuples = rows.map((row) => {
      const items = columns.map((column, index) => assigned(this.#dialect, column, row[index] ?? null, parameters));
      return `(${items.join(',')})`;
    });
    const names = columns.map(({ name }) => quote(name)).join(',');
    return this.#connection.query(`INSERT INTO ${quote(table)} (${names}) VALUES ${tuples.join(',')}${suffix}`, parameters);
  }
}

/** The placeholder of a value that goes into a column; the value is added to `parameters`. */
export function assigned(dialect: Dialect, { type }: Column, value: SqlValue, parameters: SqlValue[]): string {
  const stored = dialect.store(value, type);
  parameters.push(stored);
  const placeholder = dialect.placeholder(parameters.length);
  // Date-times are bound as milliseconds whatever the column is; anything else takes its type from the column.
  return type === 'datetime' || type === 'timestamp' ? dialect.comparand(placeholder, type, stored) : placeholder;
}

function* batches(rows: readonly Values[], width: number): Generator<readonly Values[]> {
  // A table with nothing but an id has no values to list, so its rows go in one by one.
  const length = width === 0 ? 1 : Math.max(1, Math.floor(parametersPerStatement / width));
  for (let start = 0; start < rows.length; start += length) yield rows.slice(start, start + length);
}
