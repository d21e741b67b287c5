/** Writes in a separate process, for databases whose driver blocks and cannot be interrupted. */

import type { Config } from '../../../config/config.ts';
import type { WriterLink } from '../../../dialects/dialect.ts';
import type { WriterState } from '../../../dialects/sqlite-writes.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { urlSigning } from '../../../media/storage/url-signer.ts';
import type { ContentModel } from '../../../model/content-model.ts';
import type { Figures, QueueFigures } from '../../../observe/figures.ts';
import { ProcessChannel } from '../processes/process-channel.ts';
import { afterArrivals } from '../queue/after-arrivals.ts';
import type { Caller } from '../queue/caller.ts';
import { CallerQueues, type Job } from '../queue/caller-queues.ts';
import { unpreferredEvery } from '../queue/fair-queue.ts';
import { wantedRecord } from '../read/read-job.ts';
import { maxCachedPlans } from '../read/run-read.ts';
import type { WriteJob, Writer } from './run-write.ts';
import type { SentWrite, WriteMessage, WriteReply, WriteSetup } from './write-protocol.ts';
import { timedBy, weightOf } from './write-weight.ts';

type Result = Awaited<ReturnType<Writer['write']>>;

interface Write extends Job {
  readonly job: WriteJob;
  resolve(result: Result): void;
}

/** A write that is `written` belongs to a transaction that is not committed yet. */
type Progress = 'sent' | 'begun' | 'written' | 'committed';

interface Sent {
  readonly write: Write;
  progress: Progress;
  /** When the write was sent, began or was written, whichever came last. */
  since: number;
}

/** Writes are sent together, and so may share a commit, up to this weight: many small writes, or a large one. */
const together = 32;
/** Others wait for a write for this long before it is stopped. Milliseconds. */
const patience = 500;
/** After a write that took this long, the other callers go before its caller for `slowFor`, and its caller's writes share no commit. Milliseconds. */
const slow = 200;
const slowFor = 10_000;
/** At most this many callers are remembered as slow. */
const slowCallers = 1000;
const watchEvery = 50;

/** A writer whose process is started by the first write: a server that only reads needs none. */
export interface WritingProcess extends Writer {
  /** Counts the other connections of this server that wait for the lock on the database. No write is begun while one waits. */
  readonly waiters: { add(): void; remove(): void };
  /** Asks the process what its connection sees; undefined if no process is ready. */
  askState(): Promise<WriterState | undefined> | undefined;
}

type NoteCommit = WriterLink['noteCommit'];

export function openWritingProcess(config: Config, model: ContentModel, noteCommit: NoteCommit, figures: Figures): WritingProcess {
  const writing = new Writing(config, model, noteCommit);
  figures.queues.set('writes', () => writing.figures());
  return writing;
}

class Writing implements WritingProcess {
  readonly #setup: WriteSetup;
  readonly #waiting: CallerQueues<Write>;
  /** Writes by job number, in the order in which they run. */
  readonly #sent = new Map<number, Sent>();
  readonly #known = new Set<number>();
  /** Callers that count as slow, and until when. */
  readonly #slowUntil = new Map<string, number>();
  #lastJobId = 0;
  #batches = 0;
  /** Writes that were quick the last time, by `timedBy`. */
  readonly #quick = new WeakSet();
  #channel: ProcessChannel<WriteMessage, WriteReply> | undefined;
  /** A second process, which takes over when the first one is killed. */
  #standby: ProcessChannel<WriteMessage, WriteReply> | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When other connections of this server began to wait for the lock. */
  readonly #others: number[] = [];
  /** The write because of which the process was killed. */
  #stopped: Sent | undefined;
  #closing: (() => void) | undefined;
  readonly #noteCommit: NoteCommit;
  readonly #ready = new WeakSet<object>();
  /** Callers that wait for the process to say what it sees. */
  readonly #asking: ((state: WriterState | undefined) => void)[] = [];

  constructor(config: Config, model: ContentModel, noteCommit: NoteCommit) {
    const { database, limits } = config;
    this.#noteCommit = noteCommit;
    this.#setup = { database, limits, signing: urlSigning(config), model };
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
      if (this.#closing !== undefined || !this.#waiting.hasRoomFor(caller.key)) {
        reject(ApiError.of('database.busy', undefined));
        return;
      }
      this.#waiting.add({ job, caller, resolve, reject });
      this.#next();
    });
  }

  figures(): QueueFigures {
    return { waiting: this.#waiting.length, running: this.#sent.size };
  }

  askState(): Promise<WriterState | undefined> | undefined {
    const channel = this.#channel;
    if (channel === undefined || !this.#ready.has(channel)) return undefined;
    return new Promise((resolve) => {
      this.#asking.push(resolve);
      channel.send('state');
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
    for (const channel of [this.#channel, this.#standby]) {
      channel?.unref();
      channel?.kill();
    }
  }

  #next(): void {
    if (this.#sent.size > 0) return;
    if (this.#waiting.length === 0) {
      this.#closing?.();
      clearInterval(this.#timer);
      this.#timer = undefined;
      this.#standby?.kill();
      return;
    }
    this.#timer ??= setInterval(() => afterArrivals(() => this.#watch()), watchEvery).unref();
    if (this.#others.length > 0) return;
    const now = performance.now();
    const isSlow = (key: string) => (this.#slowUntil.get(key) ?? 0) > now;
    const batch: SentWrite[] = [];
    this.#batches = (this.#batches + 1) % unpreferredEvery;
    // Writes that were quick the last time go first, and only such writes share a commit.
    const behindQuick = () => (batch.length === 0 ? 1 : undefined);
    const rank = ({ job }: Write) => (this.#batches === 0 || this.#quick.has(timedBy(job)) ? 0 : behindQuick());
    for (let weight = 0; weight < together; ) {
      const write = this.#waiting.take((key, first) => (isSlow(key) ? undefined : rank(first)));
      if (write === undefined) break;
      weight += weightOf(write.job.plan);
      batch.push(this.#prepare(write));
    }
    const alone = batch.length > 0 ? undefined : this.#waiting.take(() => 0);
    if (alone !== undefined) batch.push(this.#prepare(alone));
    if (batch.length > 0) this.#start().send(batch);
  }

  #prepare(write: Write): SentWrite {
    const { read, ...job } = write.job;
    this.#lastJobId++;
    this.#sent.set(this.#lastJobId, { write, progress: 'sent', since: performance.now() });
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

  #start(): ProcessChannel<WriteMessage, WriteReply> {
    if (this.#channel !== undefined) return this.#channel;
    this.#known.clear();
    this.#channel = this.#standby ?? this.#open();
    this.#standby = undefined;
    this.#noteCommit(undefined);
    return this.#channel;
  }

  #open(): ProcessChannel<WriteMessage, WriteReply> {
    const channel = new ProcessChannel<WriteMessage, WriteReply>('write', new URL('./write-process.js', import.meta.url), this.#setup, {
      message: (reply, bytes) => {
        if (reply.kind === 'ready') {
          this.#ready.add(channel);
          if (channel === this.#channel) this.#noteCommit(undefined);
        } else this.#receive(reply, bytes);
      },
      ended: () => {
        if (channel === this.#standby) this.#standby = undefined;
        if (channel === this.#channel) this.#recover(this.#ready.has(channel));
      },
    });
    return channel;
  }

  #receive(reply: Exclude<WriteReply, { kind: 'ready' }>, bytes: Buffer): void {
    if (reply.kind === 'state') {
      this.#asking.shift()?.(reply.state);
      return;
    }
    if (reply.kind === 'committed') {
      this.#noteCommit(reply.commit);
      for (const sent of this.#sent.values()) if (sent.progress === 'written') sent.progress = 'committed';
      return;
    }
    const sent = this.#sent.get(reply.jobId);
    if (sent === undefined) return;
    if (reply.kind === 'begun' || reply.kind === 'written') {
      const now = performance.now();
      if (reply.kind === 'written') this.#noteTime(sent.write, now - sent.since);
      sent.progress = reply.kind;
      sent.since = now;
      return;
    }
    this.#sent.delete(reply.jobId);
    const { write } = sent;
    switch (reply.kind) {
      case 'unknown plan':
        if (write.job.read !== undefined) this.#known.delete(write.job.read.id);
        this.#waiting.add(write);
        break;
      case 'done':
        write.caller.record?.addAll(reply.ran);
        write.resolve(reply.hasBody && 'body' in reply.result ? { ...reply.result, body: bytes } : reply.result);
        break;
      case 'refused':
        write.reject(ApiError.fromData(reply.error));
        break;
      case 'failed':
        write.reject(new Error(reply.stack));
    }
    this.#next();
  }

  /** Stops a write that takes too long, or that others wait for. The process is killed during that write, and so inside its transaction, which
   *  the engine rolls back. */
  #watch(): void {
    if (this.#timer === undefined) return;
    const { statementTime } = this.#setup.limits;
    this.#waiting.sweep(statementTime);
    this.#next();
    const running = [...this.#sent.values()].find(({ progress }) => progress === 'begun');
    if (running === undefined || this.#stopped !== undefined) return;
    const now = performance.now();
    const milliseconds = now - running.since;
    if (milliseconds > slow) this.#standby ??= this.#open();
    const { key, hasLeft } = running.write.caller;
    const others = Math.max(
      this.#waiting.longestWait((each) => each !== key),
      this.#waitOfOthers(now, running),
    );
    if (milliseconds > statementTime) this.#stop(running, ApiError.of('database.time', { limit: statementTime }));
    else if (Math.min(milliseconds, others) > patience) this.#stop(running, ApiError.of('database.stopped', undefined));
    else if (milliseconds > patience && hasLeft()) this.#stop(running, ApiError.of('database.busy', undefined));
  }

  /** Returns how long other connections have waited, and other callers whose writes were sent together with this one. Milliseconds. */
  #waitOfOthers(now: number, running: Sent): number {
    const [first] = this.#others;
    const { key } = running.write.caller;
    const isShared = [...this.#sent.values()].some(({ write }) => write.caller.key !== key);
    return Math.max(first === undefined ? 0 : now - first, isShared ? now - running.since : 0);
  }

  #noteTime({ job, caller }: Write, milliseconds: number): void {
    if (milliseconds <= slow) this.#quick.add(timedBy(job));
    else {
      this.#quick.delete(timedBy(job));
      this.#noteSlow(caller.key);
    }
  }

  #noteSlow(key: string): void {
    this.#slowUntil.delete(key);
    this.#slowUntil.set(key, performance.now() + slowFor);
    const [oldest] = this.#slowUntil.keys();
    if (this.#slowUntil.size > slowCallers && oldest !== undefined) this.#slowUntil.delete(oldest);
  }

  #stop(running: Sent, error: ApiError): void {
    this.#stopped = running;
    this.#quick.delete(timedBy(running.write.job));
    this.#noteSlow(running.write.caller.key);
    running.write.reject(error);
    this.#channel?.kill();
  }

  /** Handles the end of the process; all of its replies have arrived. Between `begun` and `written` the process was inside a transaction, which is
   *  rolled back, so the other writes of that transaction are repeated. At any other moment it is unknown whether the commit completed: the database
   *  has all changes of a write, or none. */
  #recover(wasReady: boolean): void {
    this.#channel = undefined;
    for (const answer of this.#asking.splice(0)) answer(undefined);
    this.#noteCommit(undefined);
    const sent = [...this.#sent.values()];
    this.#sent.clear();
    const isWithin = sent.some(({ progress }) => progress === 'begun');
    for (const each of sent) {
      const isUndone = each.progress === 'sent' || (each.progress === 'written' && isWithin);
      if (each !== this.#stopped && isUndone && wasReady) this.#waiting.add(each.write);
      else each.write.reject(ApiError.of('database.busy', undefined));
    }
    this.#stopped = undefined;
    this.#next();
  }
}
