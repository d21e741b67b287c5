/** Does what is due: publishes and unpublishes documents and releases, with the rights that whoever
 *  has scheduled it has then.
 *
 *  Every process looks. Two of them may begin the same; one of them writes. */
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from './dialects/database.ts';
import { writeUnshown } from './dialects/retry-conflicts.ts';
import { dueTasks, type Task, type TaskOutcome, type TaskParts } from './due-tasks.ts';
import { insertEvents } from './events/event-store.ts';
import { day } from './pruning.ts';
import { hasOldReleases, removeOldReleases } from './schedule/release-store.ts';
import { hasOldSchedules, removeOldSchedules } from './schedule/schedule-store.ts';
import type { WaitingTables } from './schedule/waiting-tables.ts';
import { Rows } from './sql/rows.ts';

export interface SchedulerParts extends TaskParts {
  readonly database: Database;
  readonly tables: WaitingTables;
  /** Whether a failure leaves an event. */
  readonly keepsEvents: boolean;
  readonly log: FastifyBaseLogger;
}

/** Milliseconds. */
const lookEvery = 1000;
const atOnce = 20;
/** What cannot be done for reasons of the server is tried for this long. Milliseconds. */
const triedFor = 60 * 60 * 1000;
const retriedAfter = 10_000;
/** How long it stays in lists after it is done. Milliseconds. */
const listedFor = 30 * day;
/** An error that repeats is logged this often. Milliseconds. */
const logEvery = 60_000;
const untried = 'it could not be tried: see the log of the server';

export class Scheduler {
  readonly #parts: SchedulerParts;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();
  #isClosed = false;
  #loggedAt = Number.NEGATIVE_INFINITY;
  /** What has failed for reasons that may pass: since when, and when it is tried again. */
  readonly #failing = new Map<string, { readonly since: number; readonly next: number }>();

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    this.#wait();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#working;
  }

  #wait(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#working = this.#look().finally(() => this.#wait());
    }, lookEvery).unref();
  }

  async #look(): Promise<void> {
    const { database, log, tables } = this.#parts;
    try {
      const most = atOnce + this.#failing.size;
      const found = await database.read((connection) => dueTasks(most, tables, this.#parts, new Rows(connection, database.dialect)));
      for (const each of found) if (!this.#isClosed && this.#isNext(each)) await this.#do(each);
    } catch (error) {
      if (performance.now() - this.#loggedAt < logEvery) return;
      this.#loggedAt = performance.now();
      log.warn({ err: error }, 'scheduled publications cannot be looked up');
    }
  }

  #isNext({ key }: Task): boolean {
    return Date.now() >= (this.#failing.get(key)?.next ?? 0);
  }

  /** Notes that it is to be tried again. Returns whether it is. */
  #triesAgain({ key }: Task): boolean {
    const now = Date.now();
    const since = this.#failing.get(key)?.since ?? now;
    if (now - since >= triedFor) return false;
    this.#failing.set(key, { since, next: now + retriedAfter });
    return true;
  }

  async #do(task: Task): Promise<void> {
    const { database, log, keepsEvents } = this.#parts;
    // A mistake in a hook must not keep what comes after it.
    const outcome = await task.run().catch((error: unknown): TaskOutcome => {
      log.warn({ err: error, ...task.what }, 'a scheduled publication could not be tried');
      return { state: 'again' };
    });
    if (outcome.state === 'again' && this.#triesAgain(task)) return;
    this.#failing.delete(task.key);
    if (outcome.state === 'outdated') return;
    const state = outcome.state === 'done' ? 'done' : 'failed';
    const problem = outcome.state === 'failed' ? outcome.problem : outcome.state === 'done' ? '' : untried;
    const isNoted = await writeUnshown(database, async (connection) => {
      const rows = new Rows(connection, database.dialect);
      if (!(await task.note(state, problem, rows))) return false;
      if (state === 'failed' && keepsEvents) insertEvents([task.failure], task.caller, Date.now(), rows);
      return true;
    });
    if (isNoted && state === 'failed') log.warn({ ...task.what, problem }, 'a scheduled publication has failed');
  }
}

/** Removes what was done long ago, all at once. Returns 0: there is never more of it. */
export const pruneSchedules = (database: Database): Promise<number> => prune(database, hasOldSchedules, removeOldSchedules);

export const pruneReleases = (database: Database): Promise<number> => prune(database, hasOldReleases, removeOldReleases);

async function prune(
  database: Database,
  hasOld: (before: number, rows: Rows) => Promise<boolean>,
  removeOld: (before: number, rows: Rows) => Promise<void>,
): Promise<number> {
  const before = Date.now() - listedFor;
  if (await database.read((connection) => hasOld(before, new Rows(connection, database.dialect))))
    await writeUnshown(database, (connection) => removeOld(before, new Rows(connection, database.dialect)));
  return 0;
}
