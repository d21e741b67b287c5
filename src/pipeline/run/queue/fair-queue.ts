/** Shares a few workers (reading threads or connections) among callers. One caller's slow
 *  statements must not delay the others.
 *
 *  - Jobs whose plan took less than `short` the last time go first, the quickest of them before the
 *    others, so that longer jobs do not hold them up, however many callers send these. Jobs whose
 *    plan was slow the last time go last. Of the others, first those of callers whose last job was
 *    quick, then those that nothing is known of.
 *    Every fourth job is chosen without these preferences.
 *  - Each caller has a queue, and the caller with the fewest running jobs comes first.
 *  - Of four workers and more, one is left to jobs whose plan was quick the last time, and another
 *    one to those whose plan was not slow: slow jobs of many callers must not make them wait until
 *    one is stopped.
 *  - A caller whose slow jobs occupy its share of the workers gets further workers only for jobs
 *    whose plan was quick the last time.
 *  - Slow jobs beyond that share are stopped when they delay another caller's job whose plan was
 *    quick the last time.
 *  - When slow jobs occupy all workers and another caller below its share waits, a slow job is
 *    stopped: after `slow` if its caller has more jobs than its share. Otherwise it must have run,
 *    and a job of another caller must have waited, for `patience`; or for half of `statementTime`
 *    if all that wait were slow the last time: otherwise slow jobs would stop one another, and none
 *    would end.
 *  - A job that takes longer than `statementTime` is always stopped, and so is a slow job whose
 *    client has disconnected. */

import type { Limits } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { QueueFigures } from '../../../observe/figures.ts';
import { afterArrivals } from './after-arrivals.ts';
import { CallerAllowances } from './caller-allowances.ts';
import { CallerQueues, type Job } from './caller-queues.ts';
import { type Timed, WorkTimes } from './work-times.ts';

/** A job that runs this long is slow. Milliseconds. */
const slow = 200;
/** Jobs that took less than this the last time go before all others: forty of them hold two workers
 *  for no longer than a second. Milliseconds. */
const short = 50;
/** When a job whose plan was quick the last time runs this long, other
 *  work delays it. Milliseconds. */
const delayed = 100;
/** Jobs of other callers that are not known to be slow wait for this long before a slow
 *  job is stopped. Milliseconds. */
const patience = 500;
const watchEvery = 50;
/** A request waits for at least this long before it fails, since a thread may have to
 *  start first. Milliseconds. */
const minWait = 3000;
/** One in this many jobs is chosen without preferring quick plans, so that the
 *  other jobs make progress, too. */
export const unpreferredEvery = 4;

export interface TimedJob extends Job, Timed {}

/** A worker, which runs one job at a time. */
export interface QueueWorker<J extends TimedJob> {
  begin(job: J): void;
  /** Stops the running job. The worker's creator then calls `free` or `remove`. */
  stop(): void;
}

export interface QueueWorkers {
  /** The most workers. */
  readonly max: number;
  /** How many workers the slow jobs of one caller may occupy; half of them by default. */
  readonly share?: number;
  /** Starts another worker unless there are enough; `free` is called with it later. */
  readonly open: () => void;
}

/** How many jobs of a caller are running: `slow` jobs, `unsure` ones (slow, or of a plan not
 *  known to be quick), and `all`. */
interface Work {
  slow: number;
  unsure: number;
  all: number;
}

interface Running<J> {
  readonly job: J;
  readonly since: number;
  readonly wasQuick: boolean;
  readonly wasSlow: boolean;
  isSlow: boolean;
  /** Whether its plan no longer counts as quick because of it. That is decided once: meanwhile
   *  other jobs of the plan may prove to be quick. */
  isJudged: boolean;
  stoppedAt: number | undefined;
}

export class FairQueue<J extends TimedJob> {
  readonly #limits: Pick<Limits, 'queue' | 'statementTime'>;
  readonly #workers: QueueWorkers;
  readonly #share: number;
  /** Workers that are left to some jobs, as the head of this file says: none or one. */
  readonly #left: number;
  readonly #allowances: CallerAllowances;
  readonly #waiting: CallerQueues<J>;
  readonly #free = new Set<QueueWorker<J>>();
  readonly #running = new Map<QueueWorker<J>, Running<J>>();
  readonly #times = new WorkTimes();
  #slowWork = 0;
  #taken = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: Pick<Limits, 'queue' | 'statementTime'>, workers: QueueWorkers) {
    this.#limits = limits;
    this.#workers = workers;
    this.#share = workers.share ?? Math.max(1, Math.floor(workers.max / 2));
    this.#left = workers.max < 4 ? 0 : 1;
    this.#allowances = new CallerAllowances(this.#share, workers.max);
    this.#waiting = new CallerQueues(limits.queue);
  }

  add(job: J): void {
    this.#waiting.add(job);
    this.#next();
    this.#waiting.refuseExcess(job.caller.key);
  }

  /** Adds a worker that can take a job: a new one, or one whose job has ended. */
  free(worker: QueueWorker<J>): void {
    this.#forget(worker, true);
    this.#free.add(worker);
    this.#next();
  }

  figures(): QueueFigures {
    return { waiting: this.#waiting.length, running: this.#running.size };
  }

  /** Removes a worker that has ended. The caller of this function settles the
   *  worker's job, if it had one. */
  remove(worker: QueueWorker<J>): void {
    this.#forget(worker, false);
    this.#free.delete(worker);
    this.#next();
  }

  /** Fails the waiting jobs; no further job is started. */
  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#waiting.giveUpAll();
    this.#free.clear();
  }

  #forget(worker: QueueWorker<J>, isComplete: boolean): void {
    const running = this.#running.get(worker);
    if (running === undefined) return;
    const took = performance.now() - running.since;
    const isQuick = isComplete && running.stoppedAt === undefined && took < this.#quickTime(running);
    this.#running.delete(worker);
    if (running.isSlow) this.#slowWork--;
    if (isQuick) {
      this.#times.noteQuick(running.job, took);
      if (!running.wasQuick) this.#allowances.raise(running.job.caller.key);
    } else this.#judgeSlow(running);
  }

  /** How long a job may run for its plan to be quick the next time. Milliseconds. All jobs that run
   *  share the processors: one that is quick alone takes longer by their number. */
  #quickTime({ wasQuick }: Running<J>): number {
    return wasQuick ? slow * this.#running.size : slow;
  }

  #judgeSlow(running: Running<J>): void {
    if (running.isJudged) return;
    running.isJudged = true;
    if (running.wasQuick) this.#times.forget(running.job);
    else this.#times.noteSlow(running.job);
    this.#allowances.reset(running.job.caller.key);
  }

  #next(): void {
    while (this.#waiting.length > 0) {
      const [worker] = this.#free;
      if (worker === undefined) break;
      const job = this.#take();
      if (job === undefined) break;
      this.#free.delete(worker);
      this.#running.set(worker, {
        job,
        since: performance.now(),
        wasQuick: this.#times.quickTime(job) !== undefined,
        wasSlow: this.#times.isSlow(job),
        isSlow: false,
        isJudged: false,
        stoppedAt: undefined,
      });
      worker.begin(job);
    }
    if (this.#waiting.length > 0 && this.#free.size === 0) this.#workers.open();
    if (this.#waiting.length > 0 || this.#running.size > 0)
      this.#timer ??= setInterval(() => afterArrivals(() => this.#watch()), watchEvery).unref();
  }

  /** Takes the next job, by the rules at the head of this file; of equal ones, that of the caller
   *  with the fewest running jobs. */
  #take(): J | undefined {
    this.#taken = (this.#taken + 1) % unpreferredEvery;
    const prefersQuick = this.#taken !== 0;
    const behindQuick = prefersQuick ? this.#workers.max + 1 : 0;
    const work = this.#workOf();
    const running = [...this.#running.values()];
    const unsureWork = running.filter(({ isSlow, wasQuick }) => isSlow || !wasQuick).length;
    const slowWork = running.filter(({ isSlow, wasSlow }) => isSlow || wasSlow).length;
    const mayBeUnsure = unsureWork < this.#workers.max - this.#left;
    const mayBeSlow = mayBeUnsure && slowWork < this.#workers.max - 2 * this.#left;
    return this.#waiting.take((key, job) => {
      const { slow, unsure, all } = work.get(key) ?? nothing;
      const took = this.#times.quickTime(job);
      // Less than one running job more.
      if (took !== undefined && took < short) return prefersQuick ? all + took / (took + 1) : all;
      const wasSlow = this.#times.isSlow(job);
      if (took === undefined) {
        if (!(wasSlow ? mayBeSlow : mayBeUnsure)) return undefined;
        if (unsure >= (slow > 0 ? this.#share : this.#allowances.of(key))) return undefined;
      }
      // Less than one running job more. What is known takes `short` and more here.
      const ofUnknown = took === undefined ? 0.5 : 0.75;
      const behindOthers = prefersQuick && !this.#allowances.isRaised(key) ? ofUnknown : 0;
      return all + (wasSlow ? 2 : 1) * behindQuick + behindOthers;
    });
  }

  #workOf(): Map<string, Work> {
    const work = new Map<string, Work>();
    for (const { job, isSlow, wasQuick } of this.#running.values()) {
      const of = work.get(job.caller.key) ?? { slow: 0, unsure: 0, all: 0 };
      of.all++;
      if (isSlow) of.slow++;
      if (isSlow || !wasQuick) of.unsure++;
      work.set(job.caller.key, of);
    }
    return work;
  }

  #watch(): void {
    if (this.#timer === undefined) return;
    const now = performance.now();
    for (const [worker, running] of this.#running) {
      const milliseconds = now - running.since;
      if (!running.isSlow && milliseconds > slow) {
        running.isSlow = true;
        this.#slowWork++;
      }
      if (milliseconds > this.#quickTime(running)) this.#judgeSlow(running);
      // Stops the job again, as the first attempt may have had no effect.
      if (running.stoppedAt !== undefined && now - running.stoppedAt > patience) {
        running.stoppedAt = now;
        worker.stop();
      }
      const { statementTime } = this.#limits;
      if (milliseconds > statementTime) this.#stop(worker, running, ApiError.of('database.time', { limit: statementTime }));
      else if (running.isSlow && running.job.caller.hasLeft()) this.#stop(worker, running, ApiError.of('database.busy', undefined));
    }
    // A request that has waited as long as a statement may take fails, and so does one whose client
    // has disconnected.
    this.#waiting.sweep(Math.max(this.#limits.statementTime, minWait));
    if (this.#slowWork > this.#share) this.#stopExcess();
    this.#help();
    if (this.#waiting.length === 0 && this.#running.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  /** Stops slow jobs of callers that exceed their share, if a job of another caller, of a plan that
   *  was quick the last time, now takes long. */
  #stopExcess(): void {
    const now = performance.now();
    const entries = [...this.#running];
    for (const [key, work] of this.#workOf()) {
      if (work.slow <= this.#share) continue;
      const delays = entries.some(([, { job, since, wasQuick }]) => job.caller.key !== key && wasQuick && now - since > delayed);
      if (!delays) continue;
      const own = entries.filter(([, { job, isSlow }]) => isSlow && job.caller.key === key);
      // The oldest jobs come first. Jobs that are already being stopped count, too.
      for (const [worker, running] of own.slice(0, work.slow - this.#share))
        this.#stop(worker, running, ApiError.of('database.stopped', undefined));
    }
  }

  /** May stop a job when callers wait behind the slow jobs of others: none of those that wait may
   *  begin now. */
  #help(): void {
    if (this.#waiting.length === 0 || this.#slowWork < this.#running.size) return;
    const work = this.#workOf();
    const longest = this.#waiting.longestWait((key) => (work.get(key)?.slow ?? 0) < this.#share);
    if (longest === 0) return;
    this.#stopOne(work);
  }

  /** Stops the longest-running job of the caller with the most running jobs: after `slow` if that
   *  caller exceeds its share, otherwise as the head of this file says. Only one job is stopped at
   *  a time, since its worker is free soon. */
  #stopOne(work: ReadonlyMap<string, { readonly all: number; readonly slow: number }>): void {
    const now = performance.now();
    let victim: [QueueWorker<J>, Running<J>] | undefined;
    let maxRunning = 0;
    for (const [worker, running] of this.#running) {
      if (running.stoppedAt !== undefined) {
        if (now - running.stoppedAt < slow) return;
        continue;
      }
      const { key } = running.job.caller;
      const { all } = work.get(key) ?? nothing;
      const ran = now - running.since;
      const waitsFor = (milliseconds: number, among: (job: J) => boolean): boolean =>
        ran >= milliseconds &&
        this.#waiting.longestWait((other, job) => other !== key && (work.get(other)?.slow ?? 0) < this.#share && among(job)) >=
          milliseconds;
      const isDue =
        all > this.#share
          ? waitsFor(slow, () => true)
          : waitsFor(patience, (job) => !this.#times.isSlow(job)) ||
            waitsFor(Math.max(patience, this.#limits.statementTime / 2), () => true);
      if (!isDue) continue;
      if (all > maxRunning || (all === maxRunning && victim !== undefined && running.since < victim[1].since)) {
        victim = [worker, running];
        maxRunning = all;
      }
    }
    if (victim !== undefined) this.#stop(...victim, ApiError.of('database.stopped', undefined));
  }

  #stop(worker: QueueWorker<J>, running: Running<J>, error: ApiError): void {
    if (running.stoppedAt !== undefined) return;
    running.stoppedAt = performance.now();
    running.job.reject(error);
    worker.stop();
  }
}

const nothing: Work = { slow: 0, unsure: 0, all: 0 };
