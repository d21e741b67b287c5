/** Statements on one connection to PostgreSQL. They are sent without waiting for the
 *  responses to earlier ones, and the server runs them in their order: what is sent
 *  together takes one round trip. */
import type { Connection } from './database.ts';
import type { Dialect, Row } from './dialect.ts';
import { idOf, idQuestion } from './postgres-own-transactions.ts';
import { TransactionChanges } from './transaction-changes.ts';

export const lockStatement =
  'SELECT pg_advisory_xact_lock(k.value) FROM (SELECT value FROM unnest($1::bigint[]) AS keys(value) ORDER BY value) AS k';

export interface PostgresStatements {
  readonly dialect: Dialect;
  query(text: string, parameters: readonly unknown[]): Promise<Row[]>;
  each(text: string, parameters: readonly unknown[], each: (row: Row) => void): Promise<void>;
}

export class PostgresTransaction implements Connection {
  readonly #statements: PostgresStatements;
  /** Undefined once the transaction has begun. */
  #beginning: Promise<void> | undefined;
  /** True if a statement waits for the beginning: the statements after it wait as well. */
  #isWaiting = false;
  readonly transactionChanges = new TransactionChanges();
  #isOver = false;
  /** Resolves when all statements so far are settled, and their failures are known. */
  #settled: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  /** `begun`: the response to BEGIN; undefined outside of a transaction. */
  constructor(statements: PostgresStatements, begun: Promise<void> | undefined) {
    this.#statements = statements;
    this.#beginning = begun?.then(
      () => {
        this.#beginning = undefined;
      },
      (error: unknown) => {
        this.#fail(error);
      },
    );
    if (this.#beginning !== undefined) this.#settled = this.#beginning;
  }

  get dialect(): Dialect {
    return this.#statements.dialect;
  }

  get hasBegun(): boolean {
    return this.#beginning === undefined;
  }

  query(text: string, parameters: readonly unknown[]): Promise<Row[]> {
    // Outside of a transaction, only a statement that reads or locks does no harm.
    const isHarmless = text.startsWith('SELECT ');
    return this.#inOrder(isHarmless, () => this.#statements.query(text, parameters));
  }

  each(text: string, parameters: readonly unknown[], each: (row: Row) => void): Promise<void> {
    return this.#inOrder(false, () => this.#statements.each(text, parameters, each));
  }

  send(text: string, parameters: readonly unknown[]): void {
    this.query(text, parameters).catch(() => undefined);
  }

  lock(keys: readonly bigint[]): void {
    this.send(lockStatement, [keys.map(String)]);
  }

  changes(keys: Iterable<number>, tables: Iterable<string>): void {
    this.transactionChanges.note(keys, tables);
  }

  /** Returns the id of the transaction; undefined if it has written nothing so far. */
  async id(): Promise<number | undefined> {
    return idOf(await this.query(idQuestion, []));
  }

  /** Waits for all statements. Throws the first failure, also of a statement that was sent without
   *  waiting: the server has then rolled back. */
  async commit(): Promise<void> {
    await this.query('COMMIT', []);
    await this.#settled;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** No statement may follow: the connection is for others. */
  end(): void {
    this.#isOver = true;
  }

  #inOrder<T>(isHarmless: boolean, run: () => Promise<T>): Promise<T> {
    this.#isWaiting ||= !isHarmless && this.#beginning !== undefined;
    const ran = this.#isWaiting && this.#beginning !== undefined ? this.#beginning.then(() => this.#run(run)) : this.#run(run);
    const before = this.#settled;
    const outcome = ran.catch(async (error: unknown) => {
      // Responses that arrive together are not noticed in their order.
      await before;
      throw this.#fail(error);
    });
    this.#settled = outcome.then(
      () => before,
      () => before,
    );
    return outcome;
  }

  async #run<T>(run: () => Promise<T>): Promise<T> {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#isOver) throw new Error('a statement was sent after the end of its transaction');
    return run();
  }

  /** Returns the first failure: the server refuses all statements after it, for no other reason. */
  #fail(error: unknown): unknown {
    this.#failure ??= { error };
    return this.#failure.error;
  }
}
