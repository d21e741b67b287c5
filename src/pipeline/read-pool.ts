/** Reads in threads, for databases whose driver blocks. */
import { Worker } from 'node:worker_threads';
import type { Config, DatabaseConfig, Limits } from '../config/config.ts';
import { ApiError, type ApiErrorData } from '../errors/api-error.ts';
import type { CompiledRead } from './compile/types.ts';
import type { CachedPlan, Reader, ReadResult } from './run-read.ts';

export interface WorkerSetup {
  readonly database: DatabaseConfig;
  readonly limits: Limits;
  readonly keptPlans: number;
}
export interface WorkerRequest {
  readonly job: number;
  readonly plan: number;
  /** Sent with the first job of a plan. */
  readonly compiled: CompiledRead | undefined;
  readonly key: string | number | undefined;
}
export type WorkerReply =
  | { readonly kind: 'ready' }
  | ({ readonly kind: 'done'; readonly job: number; readonly body: Uint8Array } & Omit<ReadResult, 'body'>)
  | { readonly kind: 'refused'; readonly job: number; readonly error: ApiErrorData }
  | { readonly kind: 'failed'; readonly job: number; readonly stack: string }
  | { readonly kind: 'unknown plan'; readonly job: number };

type Result = Awaited<ReturnType<Reader['read']>>;

interface Job {
  readonly number: number;
  readonly plan: CachedPlan;
  readonly key: string | number | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  readonly since: number;
}

interface Thread {
  readonly worker: Worker;
  /** Sent and not answered; the first one is running. */
  readonly jobs: Job[];
  readonly plans: Set<number>;
  /** When the running job was begun, as far as this side knows. */
  runningSince: number;
}

/** Jobs that a thread may have before it, so that it need not wait for the next one. */
const ahead = 2;
/** A job that runs this long does not hold up those behind it: they go to another thread. Milliseconds. */
const slow = 50;
const keptPlans = 1000;
/** Threads that are started in place of those that are busy with slow statements. */
const spares = 4;

/** Starts the threads. A thread that is busy with a slow statement is passed by; when all are, another is started, up to a bound, and beyond
 *  it requests wait, and beyond `limits.queue` are refused. */
export async function openReadPool(config: Config): Promise<Reader> {
  const pool = new ReadPool(config);
  await pool.start();
  return pool;
}

class ReadPool implements Reader {
  readonly #config: Config;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Job[] = [];
  readonly #timer: NodeJS.Timeout;
  #jobs = 0;
  #closed = false;

  constructor(config: Config) {
    this.#config = config;
    this.#timer = setInterval(() => this.#watch(), slow / 2);
    this.#timer.unref();
  }

  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#config.database.readers }, () => this.#startThread()));
  }

  read(plan: CachedPlan, key: string | number | undefined): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= this.#config.limits.queue) {
        reject(ApiError.of('database.busy', undefined));
        return;
      }
      this.#jobs++;
      this.#dispatch({ number: this.#jobs, plan, key, resolve, reject, since: Date.now() });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #startThread(): Promise<void> {
    const { database, limits } = this.#config;
    const worker = new Worker(new URL('./read-worker.js', import.meta.url), {
      workerData: { database, limits, keptPlans } satisfies WorkerSetup,
    });
    const thread: Thread = { worker, jobs: [], plans: new Set(), runningSince: 0 };
    this.#threads.add(thread);
    return new Promise((resolve, reject) => {
      worker.on('message', (reply: WorkerReply) => {
        if (reply.kind === 'ready') resolve();
        else this.#receive(thread, reply);
      });
      worker.on('error', (error) => {
        reject(error);
        for (const job of thread.jobs.splice(0)) job.reject(error);
      });
      worker.on('exit', () => {
        this.#threads.delete(thread);
        for (const job of thread.jobs.splice(0)) job.reject(ApiError.of('database.busy', undefined));
        if (!this.#closed && this.#threads.size < this.#config.database.readers) this.#startThread().catch(() => undefined);
      });
    });
  }

  #dispatch(job: Job): void {
    let best: Thread | undefined;
    const now = Date.now();
    for (const thread of this.#threads) {
      if (thread.jobs.length >= ahead || this.#isSlow(thread, now)) continue;
      if (best === undefined || thread.jobs.length < best.jobs.length) best = thread;
      if (best.jobs.length === 0) break;
    }
    if (best === undefined) this.#waiting.push(job);
    else this.#send(best, job);
  }

  #send(thread: Thread, job: Job): void {
    if (thread.jobs.length === 0) thread.runningSince = Date.now();
    thread.jobs.push(job);
    const known = thread.plans.has(job.plan.id);
    if (!known) {
      if (thread.plans.size > 10 * keptPlans) thread.plans.clear();
      thread.plans.add(job.plan.id);
    }
    const request: WorkerRequest = { job: job.number, plan: job.plan.id, compiled: known ? undefined : job.plan.compiled, key: job.key };
    thread.worker.postMessage(request);
  }

  #receive(thread: Thread, reply: Exclude<WorkerReply, { kind: 'ready' }>): void {
    const index = thread.jobs.findIndex((job) => job.number === reply.job);
    const [job] = index === -1 ? [] : thread.jobs.splice(index, 1);
    thread.runningSince = Date.now();
    // Fill the thread before the caller goes on.
    const next = this.#waiting.shift();
    if (next !== undefined) this.#send(thread, next);
    if (job === undefined) return;
    switch (reply.kind) {
      case 'done':
        job.resolve(reply);
        return;
      case 'refused':
        job.reject(ApiError.fromData(reply.error));
        return;
      case 'failed':
        job.reject(new Error(reply.stack));
        return;
      case 'unknown plan':
        thread.plans.delete(job.plan.id);
        this.#send(thread, job);
        return;
    }
  }

  #isSlow(thread: Thread, now: number): boolean {
    return thread.jobs.length > 0 && now - thread.runningSince > slow;
  }

  /** Moves jobs away from behind slow ones, and gives up on those whose time is over. Reading twice does no harm. */
  #watch(): void {
    const now = Date.now();
    let free = 0;
    for (const thread of this.#threads) {
      if (!this.#isSlow(thread, now)) {
        free++;
        continue;
      }
      for (const job of thread.jobs.splice(1)) this.#dispatch(job);
      const [running] = thread.jobs;
      if (running !== undefined && now - running.since > this.#config.limits.statementTime) {
        running.reject(ApiError.of('database.time', { limit: this.#config.limits.statementTime }));
      }
    }
    if (free === 0 && this.#threads.size < this.#config.database.readers + spares)
      this.#startThread().then(
        () => this.#drain(),
        () => undefined,
      );
    else if (free > 0) this.#drain();
    for (const job of this.#waiting.splice(0)) {
      if (now - job.since > this.#config.limits.statementTime) job.reject(ApiError.of('database.busy', undefined));
      else this.#waiting.push(job);
    }
  }

  #drain(): void {
    for (const job of this.#waiting.splice(0)) this.#dispatch(job);
  }
}
