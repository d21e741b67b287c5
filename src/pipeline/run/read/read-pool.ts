/** Reads in other processes and threads, for databases whose driver blocks. Such a driver cannot interrupt a statement, so only reads that were
 *  quick a moment ago run in threads; other reads run in processes, which can be killed. */
import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { type Figures, Lookups } from '../../../observe/figures.ts';
import type { Bindings } from '../../compile/types.ts';
import { ProcessChannel } from '../processes/process-channel.ts';
import { stopNurseryGrowth } from '../processes/small-heaps.ts';
import type { Caller } from '../queue/caller.ts';
import { FairQueue, type QueueWorker } from '../queue/fair-queue.ts';
import { QuickReads } from './quick-reads.ts';
import { type ReadJob, readSetup, settle, wantedRecord } from './read-job.ts';
import type { ReadMessage, ReadReply, ReadSetup } from './read-protocol.ts';
import { ReadTimes } from './read-times.ts';
import { type CachedPlan, type FoundRead, maxCachedPlans, type Reader } from './run-read.ts';

/** At most this many processes are started beyond `readers`, while others are busy with slow statements. */
const spareProcesses = 4;
/** The pool looks for idle spare processes, and ends them, at this interval. Milliseconds. */
const idleTime = 2000;

export interface OpenedReader {
  readonly reader: Reader;
  /** Resolves when the reader can read; rejects if it cannot. */
  readonly ready: Promise<void>;
}

/** Opens a pool and starts its first process; the others are started when requests wait. The process starts while the caller goes on. */
export function openReadPool(config: Config, figures: Figures): OpenedReader {
  // Where the main thread reads, a small nursery costs processor time.
  stopNurseryGrowth();
  const pool = new ReadPool(config, figures);
  const ready = pool.start();
  // The caller may fail before it waits for the process.
  ready.catch(() => undefined);
  return { reader: pool, ready };
}

class ReadPool implements Reader {
  readonly #config: Config;
  /** Made once, while the file of the database is surely the one that the server has open. */
  readonly #setup: ReadSetup;
  readonly #processes = new Set<ReadProcess>();
  readonly #queue: FairQueue<ReadJob>;
  readonly #quick: QuickReads;
  readonly #times = new ReadTimes();
  /** Reads of lists whose total or ids were remembered, and others. */
  readonly #lists = new Lookups();
  #starting = 0;
  #spareTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(config: Config, figures: Figures) {
    this.#config = config;
    this.#setup = readSetup(config);
    const open = (spare: boolean) => this.#grow(config.database.readers + (spare ? spareProcesses : 0));
    this.#queue = new FairQueue(config.limits, { most: config.database.readers + spareProcesses, open });
    this.#quick = new QuickReads(config, this.#setup, (job) => this.#queue.add(job));
    figures.queues.set('database', () => this.#queue.figures());
    figures.queues.set('threads', () => this.#quick.figures());
    const lists = this.#lists;
    figures.caches.set('lists', () => ({ hits: lists.hits, misses: lists.misses, entries: undefined, bytes: undefined }));
  }

  start(): Promise<void> {
    return this.#startProcess();
  }

  read(plan: CachedPlan, bindings: Bindings, caller: Caller, listVersion: string | undefined): Promise<FoundRead> {
    return new Promise((fulfil, reject) => {
      const { statements } = plan.compiled;
      const hasList = statements.kind === 'separate' && statements.list !== undefined;
      const resolve = (result: FoundRead) => {
        if (hasList) this.#lists.note(result.saved > 0);
        fulfil(result);
      };
      const job = { plan, bindings, listVersion, timedBy: this.#times.of(plan, bindings), caller, resolve, reject };
      if (!this.#quick.take(job)) this.#queue.add(job);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#spareTimer);
    this.#queue.close();
    // The processes can be killed at any time: they only read, and no caller waits for a response any more.
    for (const process of this.#processes) process.end();
    await this.#quick.close();
  }

  /** Starts a process unless one is starting already: one more may be enough. */
  #grow(most: number): void {
    if (this.#starting > 0 || this.#processes.size >= most || this.#closed) return;
    // If no process can start, the queue tries again and fails requests that have waited too long.
    this.#startProcess().catch(() => undefined);
  }

  #startProcess(): Promise<void> {
    this.#starting++;
    return new Promise((resolve, reject) => {
      const process = new ReadProcess(this.#setup, {
        ready: () => {
          this.#starting--;
          resolve();
          this.#queue.free(process);
        },
        done: (settle, job, reply) => {
          this.#quick.measured(job, reply);
          // The process gets its next job before this result is processed.
          if (process.isSpent) process.end();
          else this.#queue.free(process);
          settle();
        },
        ended: (wasReady) => {
          this.#processes.delete(process);
          if (!wasReady) this.#starting--;
          reject(new Error('a reading process ended before it was ready'));
          this.#queue.remove(process);
          if (wasReady && this.#processes.size === 0) this.#grow(1);
        },
      });
      this.#processes.add(process);
      if (this.#processes.size > this.#config.database.readers) this.#spareTimer ??= setInterval(() => this.#endSpares(), idleTime).unref();
    });
  }

  #endSpares(): void {
    const { readers } = this.#config.database;
    for (const process of this.#processes) {
      if (this.#processes.size <= readers) break;
      if (!this.#queue.isFree(process)) continue;
      this.#queue.remove(process);
      this.#processes.delete(process);
      process.end();
    }
    if (this.#processes.size > readers) return;
    clearInterval(this.#spareTimer);
    this.#spareTimer = undefined;
  }
}

interface ReadProcessEvents {
  readonly ready: () => void;
  /** The process can take another job. `settle` passes the reply to the job's caller. */
  readonly done: (settle: () => void, job: ReadJob, reply: ReadReply) => void;
  readonly ended: (wasReady: boolean) => void;
}

class ReadProcess implements QueueWorker<ReadJob> {
  readonly #channel: ProcessChannel<ReadMessage, ReadReply>;
  readonly #plans = new Set<number>();
  #job: ReadJob | undefined;
  #isReady = false;
  #hasGivenWay = false;
  #isStopped = false;

  constructor(setup: ReadSetup, events: ReadProcessEvents) {
    this.#channel = new ProcessChannel('read', new URL('./read-process.js', import.meta.url), setup, {
      message: (reply, bytes) => {
        if (reply.kind === 'ready') {
          this.#isReady = true;
          events.ready();
        } else this.#receive(reply, bytes, events);
      },
      ended: () => {
        this.#job?.reject(ApiError.of('database.busy', undefined));
        this.#job = undefined;
        events.ended(this.#isReady);
      },
    });
  }

  /** True once the process has a low priority, which cannot be raised again, or is being killed although its result has arrived. */
  get isSpent(): boolean {
    return this.#hasGivenWay || this.#isStopped;
  }

  begin(job: ReadJob): void {
    this.#job = job;
    const { plan, bindings, listVersion } = job;
    const known = this.#plans.has(plan.id);
    if (!known) {
      if (this.#plans.size > 10 * maxCachedPlans) this.#plans.clear();
      this.#plans.add(plan.id);
    }
    this.#channel.send({
      plan: plan.id,
      compiled: known ? undefined : plan.compiled,
      size: plan.size,
      bindings,
      listVersion,
      wanted: wantedRecord(job),
    });
  }

  /** Kills the process: this driver cannot interrupt a statement. */
  stop(): void {
    this.#isStopped = true;
    this.#channel.kill();
  }

  giveWay(): void {
    if (this.#hasGivenWay) return;
    this.#hasGivenWay = true;
    this.#channel.yieldProcessor();
  }

  end(): void {
    this.#channel.unref();
    this.#channel.kill();
  }

  #receive(reply: Exclude<ReadReply, { kind: 'ready' }>, bytes: Buffer, events: ReadProcessEvents): void {
    const job = this.#job;
    if (job === undefined) return;
    if (reply.kind === 'unknown plan') {
      this.#plans.delete(job.plan.id);
      this.begin(job);
      return;
    }
    this.#job = undefined;
    events.done(() => settle(job, reply, bytes), job, reply);
  }
}
