/** Lets one process at a time change the tables of a Galera cluster, whose nodes share no locks.
 *  The lease is a table, which only one of several nodes can create. Its holder counts up while it
 *  runs; a process that waits takes the lease over when the count does not change although its own
 *  writes succeed. So clocks do not matter, and the holder keeps the lease during a change of a
 *  table that lets nobody write. */
import type { Connection } from './database.ts';
import { isServerError, LockNotReleased } from './mysql-errors.ts';

export interface LeaseParts {
  /** Runs a statement that is committed at once. */
  readonly atOnce: (text: string) => Promise<unknown>;
  /** Runs `work` in a transaction, and again after a conflict. */
  readonly write: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;
  /** Called when another process has taken the lease over: this one must stop. */
  readonly lost: (error: Error) => void;
}

export const leaseTable = 'lectern_lease';
const [countRow, waiterRow] = [1, 2];
const tableExists = 1050;
const noTable = 1146;

/** Milliseconds between two counts. */
const countPause = 1000;
/** Milliseconds after which a process that waits reads the count again. */
const lookPause = 500;
/** When the count was the same so many times, its holder has ended. */
const looks = 20;

export class GaleraLease {
  readonly #parts: LeaseParts;
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #counting: Promise<void> | undefined;
  #isLost = false;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  /** Throws a `LockNotReleased` when `isStopped` is true while it waits. */
  async take(isStopped: () => boolean): Promise<void> {
    let seen: number | undefined;
    for (let same = 0; ; ) {
      if ((await this.#creates()) && (await this.#counts(0))) break;
      if (isStopped()) throw new LockNotReleased();
      const count = await this.#look();
      same = count === seen ? same + 1 : 0;
      seen = count;
      if (count !== undefined && same >= looks && (await this.#counts(count))) break;
      await new Promise((resolve) => setTimeout(resolve, lookPause));
    }
    this.#timer = setInterval(() => {
      this.#counting ??= this.#goOn().finally(() => {
        this.#counting = undefined;
      });
    }, countPause);
  }

  /** Never rejects: a lease that cannot be given back is taken over. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#counting;
    if (!this.#isLost) await this.#parts.atOnce(`DROP TABLE IF EXISTS ${leaseTable}`).catch(() => undefined);
  }

  /** False if another process holds the lease. */
  async #creates(): Promise<boolean> {
    try {
      await this.#parts.atOnce(`CREATE TABLE ${leaseTable} (id int NOT NULL PRIMARY KEY, count int NOT NULL)`);
      return true;
    } catch (error) {
      if (isServerError(error) && error.errno === tableExists) return false;
      throw error;
    }
  }

  /** The count, after a write that all nodes took; undefined if nobody holds the lease. */
  async #look(): Promise<number | undefined> {
    try {
      return await this.#parts.write(async (connection) => {
        connection.send(`INSERT INTO ${leaseTable} VALUES (${waiterRow}, 1) ON DUPLICATE KEY UPDATE count = 1 - count`, []);
        return countIn(connection);
      });
    } catch (error) {
      if (isServerError(error) && error.errno === noTable) return undefined;
      throw error;
    }
  }

  /** Counts up from `count`; false if another process has done so. */
  #counts(count: number): Promise<boolean> {
    return this.#parts.write(async (connection) => {
      if ((await countIn(connection)) !== count) return false;
      await connection.query(`INSERT INTO ${leaseTable} VALUES (${countRow}, 1) ON DUPLICATE KEY UPDATE count = count + 1`, []);
      this.#count = count + 1;
      return true;
    });
  }

  async #goOn(): Promise<void> {
    try {
      if (await this.#counts(this.#count)) return;
    } catch (error) {
      // Whatever else failed, the next attempt may succeed.
      if (!(isServerError(error) && error.errno === noTable)) return;
    }
    this.#isLost = true;
    clearInterval(this.#timer);
    this.#parts.lost(
      new Error('another process has begun to change the tables of this database, since this one could not renew its lease in time'),
    );
  }
}

async function countIn(connection: Connection): Promise<number> {
  const [row] = await connection.query(`SELECT count FROM ${leaseTable} WHERE id = ${countRow} FOR UPDATE`, []);
  return Number(row?.[0] ?? 0);
}
