/** Runs plans that were quick a moment ago in threads of this process: a message to a thread costs a fraction of a message to a process. A thread
 *  inside a statement cannot be stopped, so each plan is measured in a process first, and again every few seconds; a slow plan runs in processes only. */

import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { QueueFigures } from '../../../observe/figures.ts';
import { afterArrivals } from '../queue/after-arrivals.ts';
import { CallerQueues } from '../queue/caller-queues.ts';
import { type ReadJob, settle } from './read-job.ts';
import type { ReadReply, ReadSetup } from './read-protocol.ts';
import { ReadSpeeds } from './read-speeds.ts';
import { ReadThread } from './read-thread-handle.ts';

/** A plan that takes longer than this in a process does not run in threads. Milliseconds. */
const quick = 25;
/** A thread that is busy with one read for longer than this gets no other read, and the plan of that read no longer runs in threads. Milliseconds. */
const late = 100;
/** Without the cache of lists, a read that runs in threads takes at most this long. Milliseconds. */
const quickUncached = 150;
/** Held values that take longer than this to read are not searched in threads, which would have to read them after each write. The limit is high, since reading
 *  takes several times as long while all processes do it at the same time. Milliseconds. */
const longestReading = 500;
/** A thread that is busy with one read for longer than this is replaced. Milliseconds. */
const stuck = 1000;
/** While one read measures a plan again, its other reads run in threads for at most this long. Milliseconds. */
const renewal = 1000;
const watchEvery = 50;
/** At most this many replaced threads may still be inside a long statement. */
const mostReplaced = 2;
/** After a thread has failed to start, no other is started for this long. Milliseconds. */
const pause = 10_000;
/** Closing waits for threads for at most this long. Milliseconds. */
const lastWait = 1000;

export class QuickReads {
  readonly #config: Config;
  readonly #setup: ReadSetup;
  /** Runs a job in a process instead. The job may have begun in a thread: a read can be repeated. */
  readonly #inProcess: (job: ReadJob) => void;
  /** Times are measured in processes. */
  readonly #speeds = new ReadSpeeds();
  readonly #waiting: CallerQueues<ReadJob>;
  readonly #threads = new Set<ReadThread>();
  readonly #replaced = new Set<ReadThread>();
  #timer: NodeJS.Timeout | undefined;
  /** No thread is started before this time. */
  #pausedUntil = 0;
  #isClosed = false;

  constructor(config: Config, setup: ReadSetup, inProcess: (job: ReadJob) => void) {
    this.#config = config;
    this.#setup = setup;
    this.#inProcess = inProcess;
    this.#waiting = new CallerQueues(config.limits.queue);
  }

  /** Takes the job if a thread may run it. Returns false if it must run in a process. */
  take(job: ReadJob): boolean {
    const until = this.#speeds.quickUntil(job);
    if (until === undefined || this.#isClosed) return false;
    if (performance.now() > until) {
      this.#speeds.noteQuick(job, renewal);
      return false;
    }
    const free = this.#waiting.length === 0 ? this.#leastBusy() : undefined;
    if (free !== undefined) {
      free.begin(job);
      this.#keepWatch();
      return true;
    }
    if (!this.#isUsable() || !this.#waiting.hasRoomFor(job.caller.key)) return false;
    this.#waiting.add(job);
    this.#next();
    return true;
  }

  /** Records how long a read took in a process. */
  measured(job: ReadJob, reply: ReadReply): void {
    // How long it takes to find out that a document does not exist says nothing about documents.
    if (reply.kind !== 'done' || !reply.found) {
      this.#speeds.forget(job);
      return;
    }
    const { held, saved } = reply;
    const readTime = held?.readTime ?? 0;
    const milliseconds = reply.execute + reply.render - readTime;
    // A thread has its own cache of lists, so what counts as well is how long the read takes without one.
    if (readTime >= longestReading) this.#speeds.refuseList(job);
    else if (milliseconds < quick && milliseconds + saved < quickUncached) {
      if (held !== undefined) this.#speeds.noteHeld(job);
      this.#speeds.noteQuick(job);
    } else this.#speeds.noteSlow(job, { wasHeld: held !== undefined && milliseconds >= quick });
  }

  figures(): QueueFigures {
    let running = 0;
    for (const thread of this.#threads) running += thread.load;
    return { waiting: this.#waiting.length, running };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#waiting.giveUpAll();
    // A thread ends only after its statement. No client waits for the result any more, so closing need not wait for it either.
    const ended = Promise.all([...this.#threads, ...this.#replaced].map((thread) => thread.end()));
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, lastWait).unref())]);
  }

  /** Returns true if a ready thread is not late. Starts another thread when there is none or when reads wait. */
  #isUsable(): boolean {
    let ready = 0;
    for (const thread of this.#threads) if (thread.isReady && thread.busyFor() < late) ready++;
    if (this.#threads.size === 0 || this.#waiting.length > 0) this.#startThread();
    return ready > 0;
  }

  #startThread(): void {
    if (this.#threads.size >= this.#config.database.readers || performance.now() < this.#pausedUntil) return;
    if ([...this.#threads].some(({ isReady }) => !isReady)) return;
    try {
      this.#openThread();
    } catch {
      // The system allows no further thread; reads run in processes.
      this.#pausedUntil = performance.now() + pause;
    }
  }

  #openThread(): void {
    const thread: ReadThread = new ReadThread(this.#setup, {
      ready: () => this.#next(),
      reply: (job, { reply, body }, took) => {
        if (reply.kind !== 'ready' && reply.kind !== 'unknown plan' && job !== undefined) {
          // The thread gets its next read before this result is processed.
          this.#next();
          this.#noteTimeInThread(job, reply, took);
          settle(job, reply, body);
        } else this.#next();
      },
      ended: (jobs) => {
        this.#threads.delete(thread);
        this.#replaced.delete(thread);
        if (!thread.isReady) this.#pausedUntil = performance.now() + pause;
        for (const job of jobs) {
          if (this.#isClosed) job.reject(ApiError.of('database.busy'));
          else this.#inProcess(job);
        }
      },
    });
    this.#threads.add(thread);
  }

  /** `took`: milliseconds until the reply arrived, in which the main thread may have been busy, too. */
  #noteTimeInThread(job: ReadJob, reply: Exclude<ReadReply, { kind: 'ready' | 'unknown plan' }>, took: number): void {
    // A read that was refused may have found its list among held values; its times are unknown.
    if (reply.kind !== 'done') {
      if (took > late) this.#speeds.noteLate(job);
      return;
    }
    const { held, execute, render } = reply;
    const readTime = held?.readTime ?? 0;
    if (readTime >= longestReading) this.#speeds.refuseList(job);
    else if (held !== undefined && execute + render - readTime > late) this.#speeds.noteLate(job);
    else if (execute + render > late) this.#speeds.noteSlow(job, { wasHeld: false });
  }

  #next(): void {
    while (this.#waiting.length > 0) {
      const thread = this.#leastBusy();
      if (thread === undefined) break;
      // The number of running reads of a caller matters only when several callers wait.
      const running = this.#waiting.callers === 1 ? undefined : this.#runningOf();
      const job = this.#waiting.take((key) => running?.get(key) ?? 0);
      if (job === undefined) break;
      thread.begin(job);
    }
    this.#keepWatch();
  }

  #keepWatch(): void {
    this.#timer ??= setInterval(() => afterArrivals(() => this.#watch()), watchEvery).unref();
  }

  #leastBusy(): ReadThread | undefined {
    let best: ReadThread | undefined;
    for (const thread of this.#threads)
      if (thread.hasRoom && thread.load < (best?.load ?? Number.POSITIVE_INFINITY) && thread.busyFor() < late) best = thread;
    return best;
  }

  /** Returns the number of running reads of each caller, so that callers alternate. */
  #runningOf(): ReadonlyMap<string, number> {
    const running = new Map<string, number>();
    for (const thread of this.#threads) for (const { caller } of thread.jobs()) running.set(caller.key, (running.get(caller.key) ?? 0) + 1);
    return running;
  }

  #isBusy(): boolean {
    for (const thread of this.#threads) if (thread.load > 0) return true;
    return this.#replaced.size > 0;
  }

  #watch(): void {
    if (this.#timer === undefined) return;
    for (const thread of [...this.#threads, ...this.#replaced]) {
      const busyFor = thread.busyFor();
      if (busyFor < late) continue;
      const [current] = thread.jobs();
      if (current !== undefined) this.#speeds.noteSlow(current, { wasHeld: false });
      for (const job of thread.withdraw()) this.#inProcess(job);
      if (busyFor > stuck && this.#threads.has(thread) && this.#replaced.size < mostReplaced) {
        this.#threads.delete(thread);
        this.#replaced.add(thread);
      }
      const { statementTime } = this.#config.limits;
      if (busyFor > statementTime) current?.reject(ApiError.of('database.time', { limit: statementTime }));
    }
    for (const thread of this.#replaced) {
      if (thread.load > 0) continue;
      this.#replaced.delete(thread);
      void thread.end();
    }
    if (!this.#isUsable())
      for (;;) {
        const job = this.#waiting.take(() => 0);
        if (job === undefined) break;
        this.#inProcess(job);
      }
    this.#waiting.sweep(this.#config.limits.statementTime);
    this.#next();
    if (this.#waiting.length > 0 || this.#isBusy()) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
