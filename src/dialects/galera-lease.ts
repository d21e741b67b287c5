/** Lets one process at a time change the tables of a Galera cluster, whose nodes share no locks.
 *  The lease is a table, which only one of several nodes can create. Its holder counts up while it
 *  runs; a process that waits takes the lease over when the count does not change although its own
 *  writes succeed. So clocks do not matter, and the holder keeps the lease during a change of a
 *  table that lets nobody write. */
import { randomBytes } from 'node:crypto';
import type { Connection } from './database.ts';
import { isDeadlock, isServerError, LockNotReleased } from './mysql-errors.ts';

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

interface Seen {
  readonly owner: string;
  readonly count: number;
}
/** Just created. */
const unowned: Seen = { owner: '', count: 0 };

export class GaleraLease {
  readonly #parts: LeaseParts;
  readonly #owner = randomBytes(16).toString('hex');
  #timer: NodeJS.Timeout | undefined;
  #counting: Promise<void> | undefined;
  #isLost = false;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  /** Throws a `LockNotReleased` when `isStopped` is true while it waits. */
  async take(isStopped: () => boolean): Promise<void> {
    let seen: Seen | undefined;
    for (let same = 0; ; ) {
      if ((await this.#creates()) && (await this.#takesOver(unowned))) break;
      if (isStopped()) throw new LockNotReleased();
      const now = await this.#look();
      same = now?.count === seen?.count && now?.owner === seen?.owner ? same + 1 : 0;
      seen = now;
      if (seen !== undefined && same >= looks && (await this.#takesOver(seen))) break;
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
    // A process that was not heard of for long may have lost it meanwhile.
    const isHeld = !this.#isLost && (await this.#counts().catch(() => false));
    const drop = () => this.#parts.atOnce(`DROP TABLE IF EXISTS ${leaseTable}`);
    // The second time, as writes of another node may have refused it.
    if (isHeld)
      await drop()
        .catch(drop)
        .catch(() => undefined);
  }

  /** False if another process holds the lease. */
  async #creates(): Promise<boolean> {
    try {
      await this.#parts.atOnce(`CREATE TABLE ${leaseTable} (id int NOT NULL PRIMARY KEY, owner varchar(32) NOT NULL, count int NOT NULL)`);
      return true;
    } catch (error) {
      // A node also refuses it because of writes that have arrived from another one.
      if (isDeadlock(error) || (isServerError(error) && error.errno === tableExists)) return false;
      throw error;
    }
  }

  /** The count, after a write that all nodes took; undefined if nobody holds the lease. */
  async #look(): Promise<Seen | undefined> {
    try {
      return await this.#parts.write(async (connection) => {
        connection.send(`INSERT INTO ${leaseTable} VALUES (${waiterRow}, '', 1) ON DUPLICATE KEY UPDATE count = 1 - count`, []);
        return seenIn(connection);
      });
    } catch (error) {
      if (isServerError(error) && error.errno === noTable) return undefined;
      throw error;
    }
  }

  /** Takes the lease over; false if it is not as it was seen. */
  #takesOver(seen: Seen): Promise<boolean> {
    return this.#parts.write(async (connection) => {
      const now = await seenIn(connection);
      if (now.owner !== seen.owner || now.count !== seen.count) return false;
      const row = `${countRow}, '${this.#owner}', 1`;
      await connection.query(`INSERT INTO ${leaseTable} VALUES (${row}) ON DUPLICATE KEY UPDATE owner = '${this.#owner}', count = 1`, []);
      return true;
    });
  }

  /** Counts up; false if another process has taken the lease over. */
  #counts(): Promise<boolean> {
    return this.#parts.write(async (connection) => {
      if ((await seenIn(connection)).owner !== this.#owner) return false;
      await connection.query(`UPDATE ${leaseTable} SET count = count + 1 WHERE id = ${countRow}`, []);
      return true;
    });
  }

  async #goOn(): Promise<void> {
    try {
      if (await this.#counts()) return;
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

async function seenIn(connection: Connection): Promise<Seen> {
  const [row] = await connection.query(`SELECT owner, count FROM ${leaseTable} WHERE id = ${countRow} FOR UPDATE`, []);
  return row === undefined ? unowned : { owner: String(row[0]), count: Number(row[1]) };
}
