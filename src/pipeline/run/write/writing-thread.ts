/** Writes in a thread of its own, for databases whose driver blocks its thread. */

import type { Worker } from 'node:worker_threads';
import type { Config } from '../../../config/config.ts';
import type { WriterLink } from '../../../dialects/database.ts';
import type { WriterState } from '../../../dialects/sqlite-writes.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { urlSigning } from '../../../media/storage/url-signer.ts';
import type { ContentModel } from '../../../model/content-model.ts';
import type { Figures, QueueFigures } from '../../../observe/figures.ts';
import { afterArrivals } from '../queue/after-arrivals.ts';
import type { Caller } from '../queue/caller.ts';
import { CallerQueues, type Job } from '../queue/caller-queues.ts';
import { unpreferredEvery } from '../queue/fair-queue.ts';
import { type Timed, WorkTimes } from '../queue/work-times.ts';
import { wantedRecord } from '../read/read-job.ts';
import { maxCachedPlans } from '../read/run-read.ts';
import { startThread } from '../threads/small-heaps.ts';
import type { WriteJob, Writer } from './run-write.ts';
import { type JobReply, type SentWrite, sharedPlace, type WriteMessage, type WriteReply, type WriteSetup } from './write-protocol.ts';
import { timedBy, weightOfJob } from './write-weight.ts';

type Result = Awaited<ReturnType<Writer['write']>>;

interface Write extends Job, Timed {
  readonly job: WriteJob;
  readonly weight: number;
  /** Why it was told to stop, and when. */
  stopped?: { readonly error: ApiError; readonly since: number };
  resolve(result: Result): void;
}

/** Writes are sent together, and so may share a commit, up to this weight: many small writes, or a
 *  large one. */
const together = 32;
/** Others wait for a write for this long before it is stopped. Milliseconds. */
const patience = 500;
/** After a write that took this long, the other callers go before its caller for `slowFor`, and its
 *  caller's writes share no commit. Milliseconds. */
const slow = 200;
const slowFor = 10_000;
/** At most this many callers are remembered as slow. */
const slowCallers = 1000;
const watchEvery = 50;
/** The caller of a write that was stopped waits for the outcome for this long: a single statement
 *  may go on. Milliseconds. */
const stopTime = 1000;

/** A writer whose thread is started by the first write: a server that only reads needs none. */
export interface WritingThread extends Writer {
  /** Counts the other connections of this server that wait for the lock on the database. No write
   *  is begun while one waits. */
  readonly waiters: { add(): void; remove(): void };
  /** Asks the thread what its connection sees; undefined if no thread is ready. */
  askState(): Promise<WriterState | undefined> | undefined;
}

type NoteCommit = WriterLink['noteCommit'];

export function openWritingThread(config: Config, model: ContentModel, noteCommit: NoteCommit, figures: Figures): WritingThread {
  const writing = new Writing(config, model, noteCommit);
  figures.queues.set('writes', () => writing.figures());
  return writing;
}

class Writing implements WritingThread {
  readonly #setup: WriteSetup;
  readonly #waiting: CallerQueues<Write>;
  /** Writes by job number, in the order in which they run. */
  readonly #sent = new Map<number, Write>();
  readonly #known = new Set<number>();
  /** Callers that count as slow, and until when. */
  readonly #slowUntil = new Map<string, number>();
  #lastJobId = 0;
  #batches = 0;
  readonly #times = new WorkTimes();
  #thread: Worker | undefined;
  #isReady = false;
  #timer: NodeJS.Timeout | undefined;
  /** When other connections of this server began to wait for the lock. */
  readonly #others: number[] = [];
  /** The write that was running when it was last looked at, and since when. */
  #running = { jobId: 0, since: 0 };
  #closing: (() => void) | undefined;
  readonly #noteCommit: NoteCommit;
  /** Callers that wait for the thread to say what it sees. */
  readonly #asking: ((state: WriterState | undefined) => void)[] = [];

  constructor(config: Config, model: ContentModel, noteCommit: NoteCommit) {
    const { database, limits } = config;
    this.#noteCommit = noteCommit;
    const shared = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    this.#setup = { database, limits, signing: urlSigning(config), model, shared };
    this.#waiting = new CallerQueues(limits.queue);
  }

  readonly waiters = {
    add: () => {
      this.#others.push(performance.now());
    },
    remove: () => {
      this.#others.shift();
      this.#next();
    },
  };

  write(job: WriteJob, caller: Caller): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#closing !== undefined) {
        reject(ApiError.of('database.busy', undefined));
        return;
      }
      this.#waiting.add({ job, weight: weightOfJob(job), timedBy: timedBy(job), caller, resolve, reject });
      this.#next();
      this.#waiting.refuseExcess(caller.key);
    });
  }

  figures(): QueueFigures {
    return { waiting: this.#waiting.length, running: this.#sent.size };
  }

  askState(): Promise<WriterState | undefined> | undefined {
    const thread = this.#thread;
    if (thread === undefined || !this.#isReady) return undefined;
    return new Promise((resolve) => {
      this.#asking.push(resolve);
      thread.postMessage('state' satisfies WriteMessage);
    });
  }

  /** Waits for the jobs that were sent or are waiting; `statementTime` bounds each of them. */
  async close(): Promise<void> {
    const idle = new Promise<void>((resolve) => {
      this.#closing = resolve;
    });
    this.#next();
    await idle;
    clearInterval(this.#timer);
    this.#thread?.unref();
    await this.#thread?.terminate();
  }

  #next(): void {
    if (this.#sent.size > 0) return;
    if (this.#waiting.length === 0) {
      this.#closing?.();
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    this.#timer ??= setInterval(() => afterArrivals(() => this.#watch()), watchEvery).unref();
    if (this.#others.length > 0) return;
    const now = performance.now();
    const isSlow = (key: string) => (this.#slowUntil.get(key) ?? 0) > now;
    const batch: SentWrite[] = [];
    this.#batches = (this.#batches + 1) % unpreferredEvery;
    // Writes that were quick the last time go first, those that were slow go last, and only quick
    // ones share a commit.
    const isFirstComeFirst = this.#batches === 0;
    const isQuick = (write: Write) => this.#times.quickTime(write) !== undefined;
    const rank = (write: Write) => {
      if (isQuick(write)) return 0;
      if (batch.length > 0) return undefined;
      if (isFirstComeFirst) return 0;
      return this.#times.isSlow(write) ? 2 : 1;
    };
    for (let weight = 0; weight < together; ) {
      const write = this.#waiting.take((key, first) => (isSlow(key) ? undefined : rank(first)));
      if (write === undefined) break;
      weight += write.weight;
      batch.push(this.#prepare(write));
      if (!isQuick(write)) break;
    }
    const alone = batch.length > 0 ? undefined : this.#waiting.take(() => 0);
    if (alone !== undefined) batch.push(this.#prepare(alone));
    if (batch.length > 0) this.#start().postMessage(batch satisfies WriteMessage);
  }

  #prepare(write: Write): SentWrite {
    const { read, ...job } = write.job;
    this.#lastJobId = (this.#lastJobId + 1) | 0 || 1;
    this.#sent.set(this.#lastJobId, write);
    const isKnown = read !== undefined && this.#known.has(read.id);
    if (read !== undefined && !isKnown) {
      if (this.#known.size > 10 * maxCachedPlans) this.#known.clear();
      this.#known.add(read.id);
    }
    return {
      jobId: this.#lastJobId,
      job,
      wanted: wantedRecord(write),
      read: read === undefined ? undefined : { id: read.id, size: read.size, compiled: isKnown ? undefined : read.compiled },
    };
  }

  #start(): Worker {
    if (this.#thread !== undefined) return this.#thread;
    this.#known.clear();
    this.#noteCommit(undefined);
    const thread = startThread(new URL('./write-thread.js', import.meta.url), this.#setup);
    this.#thread = thread;
    thread.on('message', (reply: WriteReply) => this.#receive(reply));
    thread.on('exit', () => this.#recover());
    return thread;
  }

  #receive(reply: WriteReply): void {
    switch (reply.kind) {
      case 'ready':
        this.#isReady = true;
        this.#noteCommit(undefined);
        break;
      case 'state':
        this.#asking.shift()?.(reply.state);
        break;
      case 'committed':
        this.#noteCommit(reply.commit);
        break;
      default:
        this.#settle(reply);
    }
  }

  #settle(reply: JobReply): void {
    const write = this.#sent.get(reply.jobId);
    if (write === undefined) return;
    this.#sent.delete(reply.jobId);
    if ('took' in reply) this.#noteTime(write, reply.took);
    switch (reply.kind) {
      case 'not begun':
        if (write.job.read !== undefined) this.#known.delete(write.job.read.id);
        this.#waiting.add(write);
        break;
      case 'done':
        write.caller.record?.addAll(reply.ran);
        write.resolve(reply.result);
        break;
      case 'refused':
        write.reject(write.stopped?.error ?? ApiError.fromData(reply.error));
        break;
      case 'failed':
        write.reject(write.stopped?.error ?? new Error(reply.stack));
    }
    this.#next();
  }

  /** Stops a write that takes too long, or that others wait for. */
  #watch(): void {
    if (this.#timer === undefined) return;
    const { limits, shared } = this.#setup;
    this.#waiting.sweep(limits.statementTime);
    this.#next();
    const now = performance.now();
    const jobId = Atomics.load(shared, sharedPlace.running);
    if (jobId !== this.#running.jobId) this.#running = { jobId, since: now };
    const write = this.#sent.get(jobId);
    if (write === undefined) return;
    if (write.stopped !== undefined) {
      if (now - write.stopped.since > stopTime) write.reject(write.stopped.error);
      return;
    }
    const milliseconds = now - this.#running.since;
    const { key, hasLeft } = write.caller;
    const others = Math.max(
      this.#waiting.longestWait((each) => each !== key),
      this.#waitOfOthers(now, key),
    );
    if (milliseconds > limits.statementTime) this.#stop(jobId, write, ApiError.of('database.time', { limit: limits.statementTime }));
    else if (Math.min(milliseconds, others) > patience) this.#stop(jobId, write, ApiError.of('database.stopped', undefined));
    else if (milliseconds > patience && hasLeft()) this.#stop(jobId, write, ApiError.of('database.busy', undefined));
  }

  /** Returns how long other connections have waited, and other callers whose writes were sent
   *  together with this one. Milliseconds. */
  #waitOfOthers(now: number, key: string): number {
    const [first] = this.#others;
    const isShared = [...this.#sent.values()].some(({ caller }) => caller.key !== key);
    return Math.max(first === undefined ? 0 : now - first, isShared ? now - this.#running.since : 0);
  }

  #noteTime(write: Write, milliseconds: number): void {
    if (milliseconds > slow) this.#noteSlow(write);
    else this.#times.noteQuick(write, milliseconds);
  }

  #noteSlow(write: Write): void {
    const { key } = write.caller;
    this.#times.noteSlow(write);
    this.#slowUntil.delete(key);
    this.#slowUntil.set(key, performance.now() + slowFor);
    const [oldest] = this.#slowUntil.keys();
    if (this.#slowUntil.size > slowCallers && oldest !== undefined) this.#slowUntil.delete(oldest);
  }

  #stop(jobId: number, write: Write, error: ApiError): void {
    write.stopped = { error, since: performance.now() };
    this.#noteSlow(write);
    // Those that have waited go first, unless their writes are slow as well.
    this.#batches = 0;
    Atomics.store(this.#setup.shared, sharedPlace.stopped, jobId);
  }

  /** Handles the end of the thread, for example because its memory is full. It is unknown what it
   *  has committed: the database has all changes of a write, or none. */
  #recover(): void {
    this.#thread = undefined;
    this.#isReady = false;
    Atomics.store(this.#setup.shared, sharedPlace.running, 0);
    for (const answer of this.#asking.splice(0)) answer(undefined);
    this.#noteCommit(undefined);
    const sent = [...this.#sent.values()];
    this.#sent.clear();
    for (const write of sent) write.reject(ApiError.of('database.busy', undefined));
    this.#next();
  }
}
