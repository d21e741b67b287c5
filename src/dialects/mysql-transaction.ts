/** Statements on one connection to MariaDB, which runs them one after the other. */
import { createHash } from 'node:crypto';
import { locksTable } from '../tables/system-tables.ts';
import type { Connection } from './database.ts';
import type { Dialect, Row } from './dialect.ts';
import type { Client } from './mysql-client.ts';
import { isDeadlock, LockNotReleased } from './mysql-errors.ts';
import { lockPatience, type MysqlPool } from './mysql-pool.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { TransactionChanges } from './transaction-changes.ts';

/** Locks share 2^16 rows: with a row for each, the table would grow for ever. */
const lockBits = 16;
/** Set at the beginning of a transaction and released at its end, which fails if a node of a
 *  cluster has dropped the transaction meanwhile: sometimes no statement reports that. */
const savepoint = 'lectern';
/** These statements commit what was written before them, which also ends the savepoint. */
const commits = /^\s*(ALTER|ANALYZE|CREATE|DROP|RENAME|TRUNCATE)\b(?!\s+TEMPORARY)/i;

/** Only after a deadlock is a statement that is a transaction of its own worth another attempt: a
 *  duplicate key is in the rows. */
const deadlocks = { errorKindOf: (error: unknown) => (isDeadlock(error) ? ('conflict' as const) : undefined) };

export class MysqlTransaction implements Connection {
  readonly dialect: Dialect;
  readonly #pool: MysqlPool;
  readonly #client: Client;
  readonly #commitsEach: boolean;
  /** Resolves when all statements so far are settled. */
  #settled: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  readonly transactionChanges = new TransactionChanges();
  #isOver = false;
  #holdsLocks = false;
  #hasSavepoint = false;

  /** `commitsEach`: each statement is a transaction of its own. */
  constructor(pool: MysqlPool, client: Client, dialect: Dialect, commitsEach: boolean) {
    this.#pool = pool;
    this.#client = client;
    this.dialect = dialect;
    this.#commitsEach = commitsEach;
  }

  query(text: string, parameters: readonly unknown[]): Promise<Row[]> {
    if (this.#hasSavepoint && commits.test(text)) this.#hasSavepoint = false;
    const run = () => this.#pool.run(this.#client, { text, parameters });
    // A change of a table or trigger waits for writes, and they for it.
    return this.#inOrder(() => (this.#commitsEach ? retryConflicts(deadlocks, run) : run()));
  }

  async each(text: string, parameters: readonly unknown[], each: (row: Row) => void): Promise<void> {
    await this.#inOrder(() => this.#pool.run(this.#client, { text, parameters }, each));
  }

  send(text: string, parameters: readonly unknown[]): void {
    this.query(text, parameters).catch(() => undefined);
  }

  /** Named locks: locks of rows need rows. They belong to the session; `end` releases them. */
  lock(keys: readonly bigint[]): void {
    this.#holdsLocks = true;
    // All transactions take them in the same order. The server finds deadlocks between named locks,
    // and between rows, but not between a lock and a row: one of these transactions runs into its
    // time limit.
    for (const key of [...keys].sort((a, b) => (a < b ? -1 : 1))) {
      this.#inOrder(async () => {
        if (!(await this.#takes(key))) throw new LockNotReleased();
      }).catch(() => undefined);
    }
    if (this.#client.session.isGalera) this.#writeLocks(keys);
  }

  /** The other nodes of a Galera cluster learn nothing of named locks. They compare the rows that
   *  transactions have written: of two that wrote the same one, the later fails as a conflict, at
   *  the latest when it commits. */
  #writeLocks(keys: readonly bigint[]): void {
    const ids = [...new Set(keys.map((key) => Number(BigInt.asUintN(lockBits, key)) + 1))].sort((a, b) => a - b);
    const rows = ids.map(() => '(?, 1)').join(', ');
    // Only a row that has changed is sent to the other nodes.
    this.send(`INSERT INTO ${locksTable} (id, turn) VALUES ${rows} ON DUPLICATE KEY UPDATE turn = 1 - turn`, ids);
  }

  changes(keys: Iterable<number>, tables: Iterable<string>): void {
    this.transactionChanges.note(keys, tables);
  }

  /** Takes a lock that another process may hold for hours. Each statement waits only for seconds,
   *  to notice a server that no longer responds. When `isStopped` is true, throws the error of a
   *  lock that was not released. */
  async waitFor(key: bigint, isStopped: () => boolean): Promise<void> {
    this.#holdsLocks = true;
    while (!(await this.#inOrder(() => this.#takes(key)))) if (isStopped()) throw new LockNotReleased();
  }

  /** Returns false if another connection holds the lock for longer than `lockPatience`. */
  async #takes(key: bigint): Promise<boolean> {
    const name = `lectern.${createHash('sha256').update(`${this.#client.session.database}\0${key}`).digest('hex').slice(0, 40)}`;
    const [row] = await this.#pool.run(this.#client, { text: 'SELECT GET_LOCK(?, ?)', parameters: [name, lockPatience] });
    return row?.[0] === 1;
  }

  /** Makes all further statements fail. */
  fail(error: Error): void {
    this.#failure ??= { error };
  }

  /** Begins a transaction that writes. */
  async begin(): Promise<void> {
    await this.query('START TRANSACTION', []);
    if (!this.#client.session.isGalera) return;
    await this.query(`SAVEPOINT ${savepoint}`, []);
    this.#hasSavepoint = true;
  }

  /** Throws the first failure, also of a statement that was sent without waiting. */
  async commit(): Promise<void> {
    await this.refuseDropped();
    await this.query('COMMIT', []);
  }

  /** Throws a conflict if a node of a cluster has dropped the transaction unnoticed: what was read
   *  since then is not part of it. */
  async refuseDropped(): Promise<void> {
    if (this.#failure === undefined && this.#hasSavepoint) await this.query(`RELEASE SAVEPOINT ${savepoint}`, []);
    this.#hasSavepoint = false;
  }

  /** Rolls back what is not committed, and releases the locks. Returns whether the connection can
   *  be used again. No statement may follow. */
  async end(isCommitted: boolean): Promise<boolean> {
    this.#isOver = true;
    await this.#settled;
    if (this.#client.isBroken) return false;
    try {
      if (!isCommitted) await this.#pool.run(this.#client, { text: 'ROLLBACK', parameters: [] });
      if (this.#holdsLocks) await this.#pool.run(this.#client, { text: 'DO RELEASE_ALL_LOCKS()', parameters: [] });
      return true;
    } catch {
      return false;
    }
  }

  #inOrder<T>(run: () => Promise<T>): Promise<T> {
    const ran = this.#settled.then(async () => {
      // What was sent without waiting has failed: the transaction as a whole fails.
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#isOver) throw new Error('a statement was sent after the end of its transaction');
      try {
        return await run();
      } catch (error) {
        this.#failure = { error };
        throw error;
      }
    });
    this.#settled = ran.catch(() => undefined);
    return ran;
  }
}
