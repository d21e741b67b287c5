/** Reads in threads, for databases whose driver blocks. */
import { Worker } from 'node:worker_threads';
import type { Config } from '../config/config.ts';
import { ApiError } from '../errors/api-error.ts';
import { addressSigning } from '../media/address-signer.ts';
import { type CachedPlan, keptPlans, type Reader } from './run-read.ts';
import { placeState, type WorkerReply, type WorkerRequest, type WorkerSetup } from './worker-protocol.ts';

type Result = Awaited<ReturnType<Reader['read']>>;

interface Job {
  readonly plan: CachedPlan;
  readonly key: string | number | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  readonly since: number;
}

/** Jobs that a thread may have: one that runs and one that it need not wait for. */
const placesOfThread = 2;
/** A job that runs this long does not hold up the next one: it goes to another thread. Milliseconds. */
const slow = 200;
/** How long closing waits for threads. Milliseconds. */
const lastWait = 2000;
/** Threads that are started in place of those that are busy with slow statements. */
const spareThreads = 4;

/** Starts the threads. A thread that is busy with a slow statement is passed by; when all are, another is started, up to a bound; beyond it
 *  requests wait, and beyond `limits.queue` they are refused. */
export async function openReadPool(config: Config): Promise<Reader> {
  const pool = new ReadPool(config);
  await pool.start();
  return pool;
}

class ReadThread {
  readonly worker: Worker;
  readonly #places = new Int32Array(new SharedArrayBuffer(4 * placesOfThread));
  readonly #jobs: (Job | undefined)[] = Array.from({ length: placesOfThread });
  /** When the job of each place began, as far as this side can tell: when it was sent to an idle thread, or the one before it ended. */
  readonly #begun = new Array<number>(placesOfThread).fill(Number.POSITIVE_INFINITY);
  readonly #plans = new Set<number>();
  idleSince = Date.now();

  constructor(config: Config) {
    const { database, limits } = config;
    const setup: WorkerSetup = { database, limits, signing: addressSigning(config), places: this.#places };
    this.worker = new Worker(new URL('./read-worker.js', import.meta.url), { workerData: setup });
  }

  get load(): number {
    let load = 0;
    for (let place = 0; place < placesOfThread; place++) if (Atomics.load(this.#places, place) !== placeState.free) load++;
    return load;
  }

  send(job: Job): void {
    const place = this.#places.indexOf(placeState.free);
    this.#begun[place] = this.load === 0 ? Date.now() : Number.POSITIVE_INFINITY;
    this.#jobs[place] = job;
    const known = this.#plans.has(job.plan.id);
    if (!known) {
      if (this.#plans.size > 10 * keptPlans) this.#plans.clear();
      this.#plans.add(job.plan.id);
    }
    Atomics.store(this.#places, place, placeState.queued);
    this.worker.postMessage({
      place,
      plan: job.plan.id,
      compiled: known ? undefined : job.plan.compiled,
      size: job.plan.size,
      key: job.key,
    } satisfies WorkerRequest);
  }

  /** The job of a reply; its place is free again. */
  take(place: number): Job | undefined {
    const job = this.#jobs[place];
    this.#jobs[place] = undefined;
    Atomics.store(this.#places, place, placeState.free);
    const now = Date.now();
    this.idleSince = now;
    for (let other = 0; other < placesOfThread; other++) if (other !== place) this.#begun[other] = now;
    return job;
  }

  forget(plan: number): void {
    this.#plans.delete(plan);
  }

  /** The job that has been running for longer than `slow`, and for how long. */
  slowJob(now: number): { readonly job: Job; readonly milliseconds: number } | undefined {
    for (const [place, job] of this.#jobs.entries()) {
      const milliseconds = now - (this.#begun[place] ?? now);
      if (job !== undefined && milliseconds > slow && Atomics.load(this.#places, place) === placeState.running)
        return { job, milliseconds };
    }
    return undefined;
  }

  /** Takes back the jobs that have not begun. Their places are free when the thread has come past them. */
  withdraw(): Job[] {
    return this.#jobs.flatMap((job, place) => {
      if (job === undefined) return [];
      const state = Atomics.compareExchange(this.#places, place, placeState.queued, placeState.withdrawn);
      if (state !== placeState.queued) return [];
      this.#jobs[place] = undefined;
      return [job];
    });
  }

  /** Every job that has no answer yet. */
  abandon(): Job[] {
    return this.#jobs.splice(0).filter((job) => job !== undefined);
  }
}

class ReadPool implements Reader {
  readonly #config: Config;
  readonly #threads = new Set<ReadThread>();
  readonly #waiting: Job[] = [];
  readonly #timer: NodeJS.Timeout;
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
      this.#dispatch({ plan, key, resolve, reject, since: Date.now() });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    // A thread inside a statement ends only with it; nobody waits for its answer any more.
    const ended = Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
    for (const { worker } of this.#threads) worker.unref();
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise((resolve) => {
      timer = setTimeout(resolve, lastWait);
    });
    await Promise.race([ended, waited]);
    clearTimeout(timer);
  }

  #startThread(): Promise<void> {
    const thread = new ReadThread(this.#config);
    const { worker } = thread;
    this.#threads.add(thread);
    return new Promise((resolve, reject) => {
      worker.on('message', (reply: WorkerReply) => {
        if (reply.kind === 'ready') resolve();
        else this.#receive(thread, reply);
      });
      worker.on('error', (error) => {
        reject(error);
        for (const job of thread.abandon()) job.reject(error);
      });
      worker.on('exit', () => {
        this.#threads.delete(thread);
        for (const job of thread.abandon()) job.reject(ApiError.of('database.busy', undefined));
        // A thread that has died is replaced; if that fails, too, the next watch tries again.
        if (!this.#closed && this.#threads.size < this.#config.database.readers) this.#startThread().catch(() => undefined);
      });
    });
  }

  #dispatch(job: Job): void {
    let best: ReadThread | undefined;
    let least = placesOfThread;
    const now = Date.now();
    for (const thread of this.#threads) {
      const { load } = thread;
      if (load < least && (load === 0 || thread.slowJob(now) === undefined)) {
        best = thread;
        least = load;
      }
      if (load === 0) break;
    }
    if (best === undefined) this.#waiting.push(job);
    else best.send(job);
  }

  #receive(thread: ReadThread, reply: Exclude<WorkerReply, { kind: 'ready' }>): void {
    const job = thread.take(reply.place);
    if (reply.kind === 'unknown plan' && job !== undefined) {
      thread.forget(job.plan.id);
      thread.send(job);
      return;
    }
    // The thread gets its next job before the caller goes on with this one.
    const next = this.#waiting.shift();
    if (next !== undefined) thread.send(next);
    switch (reply.kind) {
      case 'done':
        job?.resolve(reply);
        return;
      case 'refused':
        job?.reject(ApiError.fromData(reply.error));
        return;
      case 'failed':
        job?.reject(new Error(reply.stack));
        return;
      case 'unknown plan':
      case 'withdrawn':
        return;
    }
  }

  /** Moves jobs away from behind slow ones, gives up on those whose time is over, and starts and ends spare threads. */
  #watch(): void {
    const now = Date.now();
    const { readers } = this.#config.database;
    const { statementTime } = this.#config.limits;
    let able = 0;
    for (const thread of this.#threads) {
      const running = thread.slowJob(now);
      if (running === undefined) {
        able++;
        if (thread.load === 0 && this.#threads.size > readers && now - thread.idleSince > 10 * slow) this.#end(thread);
        continue;
      }
      this.#waiting.unshift(...thread.withdraw());
      // The statement cannot be stopped; its thread comes back when it has ended.
      if (running.milliseconds > statementTime) running.job.reject(ApiError.of('database.time', { limit: statementTime }));
    }
    for (const job of this.#waiting.splice(0)) {
      if (now - job.since > statementTime) job.reject(ApiError.of('database.busy', undefined));
      else this.#dispatch(job);
    }
    const stuck = able === 0 && this.#waiting.length > 0;
    if (this.#threads.size < readers || (stuck && this.#threads.size < readers + spareThreads)) {
      this.#startThread().then(
        () => this.#watch(),
        () => undefined,
      );
    }
  }

  #end(thread: ReadThread): void {
    this.#threads.delete(thread);
    void thread.worker.terminate();
  }
}
