/** What one process at a time does for all servers of a database. The holder counts up; a process
 *  that sees the same count for `takenAfter` takes over. So the clocks of servers do not matter. */
import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Database } from '../dialects/database.ts';
import { writeUnshown } from '../dialects/retry-conflicts.ts';
import { Rows } from '../sql/rows.ts';
import { addLease, changeLease, type LeaseRow, leaseRow, removeLease } from './lease-store.ts';

/** Milliseconds between two counts. */
const countEvery = 4000;
/** A process that has not counted for this long holds the lease no longer. Milliseconds. */
const heldFor = 12_000;
/** Another process takes over after this. Milliseconds. */
const takenAfter = 20_000;

export class Lease {
  readonly #name: string;
  readonly #database: Database;
  readonly #holder = randomBytes(16).toString('hex');
  /** When this process last counted. */
  #countedAt = Number.NEGATIVE_INFINITY;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** What another holder's row was when it last changed. */
  #seen: (LeaseRow & { readonly at: number }) | undefined;

  constructor(name: string, database: Database) {
    this.#name = name;
    this.#database = database;
  }

  /** Whether this process holds the lease, which it may have just got. */
  async hold(): Promise<boolean> {
    if (performance.now() - this.#lookedAt >= countEvery) {
      // Taken before the statement: the holder must stop before another process may take over.
      const at = performance.now();
      if (await this.#count()) this.#countedAt = at;
      this.#lookedAt = at;
    }
    return this.isHeld();
  }

  isHeld(): boolean {
    return performance.now() - this.#countedAt < heldFor;
  }

  async release(): Promise<void> {
    if (!this.isHeld()) return;
    this.#countedAt = Number.NEGATIVE_INFINITY;
    await this.#write((rows) => removeLease(this.#name, this.#holder, rows));
  }

  #count(): Promise<boolean> {
    return this.#write(async (rows) => {
      rows.lock([`lease ${this.#name}`]);
      const row = await leaseRow(this.#name, rows);
      if (row === undefined) {
        await addLease(this.#name, this.#holder, rows);
        return true;
      }
      const isOwn = row.holder === this.#holder;
      if (!isOwn && !this.#isUnchanged(row)) return false;
      await changeLease(this.#name, { holder: this.#holder, count: row.count + 1 }, rows);
      return true;
    });
  }

  #isUnchanged(row: LeaseRow): boolean {
    // After the row was read: its holder may have counted just before.
    const at = performance.now();
    if (this.#seen?.holder !== row.holder || this.#seen.count !== row.count) this.#seen = { ...row, at };
    return at - this.#seen.at >= takenAfter;
  }

  #write<T>(work: (rows: Rows) => Promise<T>): Promise<T> {
    return writeUnshown(this.#database, (connection) => work(new Rows(connection, this.#database.dialect)));
  }
}
