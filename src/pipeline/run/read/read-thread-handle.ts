/** The server's handle of one reading thread. */
import { Worker } from 'node:worker_threads';
import { stopNurseryGrowth } from '../processes/small-heaps.ts';
import { type ReadJob, wantedRecord } from './read-job.ts';
import type { ReadSetup, ThreadMessage, ThreadReply } from './read-protocol.ts';
import { maxCachedPlans } from './run-read.ts';

/** A thread may have this many reads: one that runs, and one that it can begin without waiting for a message. */
const mostJobs = 2;

/** Milliseconds, while a thread starts. */
const startInterval = 5;

export interface ReadThreadEvents {
  readonly ready: () => void;
  /** `job` is undefined for a read that was withdrawn. `took`: milliseconds since it began. */
  readonly reply: (job: ReadJob | undefined, reply: ThreadReply, took: number) => void;
  /** Called when the thread has ended, with its reads that have no reply. */
  readonly ended: (jobs: readonly ReadJob[]) => void;
}

export class ReadThread {
  readonly #worker: Worker;
  /** Reads without a reply, in the order in which the thread runs them. */
  readonly #jobs = new Map<number, ReadJob>();
  /** The number of reads without a reply: those in `#jobs` and those that were withdrawn. */
  #sent = 0;
  readonly #plans = new Set<number>();
  #lastJob = 0;
  /** When the first read began: when it was sent, or when the reply before it arrived. */
  #since = 0;
  isReady = false;

  constructor(setup: ReadSetup, events: ReadThreadEvents) {
    this.#worker = new Worker(new URL('./read-thread.js', import.meta.url), { workerData: setup });
    this.#worker.on('message', (message: ThreadReply) => this.#receive(message, events));
    // V8 resets it at some time during the start of the thread.
    const stopping = setInterval(stopNurseryGrowth, startInterval).unref();
    for (const event of ['message', 'exit']) {
      this.#worker.once(event, () => {
        clearInterval(stopping);
        stopNurseryGrowth();
      });
    }
    // The event `exit` follows.
    this.#worker.on('error', () => undefined);
    this.#worker.on('exit', () => events.ended([...this.#jobs.values()]));
  }

  get load(): number {
    return this.#sent;
  }

  get hasRoom(): boolean {
    return this.isReady && this.#sent < mostJobs;
  }

  jobs(): IterableIterator<ReadJob> {
    return this.#jobs.values();
  }

  /** Returns the time since the first of the thread's reads began; 0 without a read. Milliseconds. */
  busyFor(): number {
    return this.#sent === 0 ? 0 : performance.now() - this.#since;
  }

  begin(job: ReadJob): void {
    const { plan, bindings, listVersion } = job;
    const isKnown = this.#plans.has(plan.id);
    if (!isKnown) {
      if (this.#plans.size > 10 * maxCachedPlans) this.#plans.clear();
      this.#plans.add(plan.id);
    }
    if (this.#sent === 0) this.#since = performance.now();
    this.#sent++;
    this.#jobs.set(++this.#lastJob, job);
    const compiled = isKnown ? undefined : plan.compiled;
    const message = { plan: plan.id, compiled, size: plan.size, bindings, listVersion, wanted: wantedRecord(job) };
    this.#worker.postMessage({ job: this.#lastJob, message } satisfies ThreadMessage);
  }

  /** Returns all reads but the first one and forgets them; the thread's replies to them are ignored. */
  withdraw(): readonly ReadJob[] {
    const [, ...behind] = this.#jobs;
    for (const [id] of behind) this.#jobs.delete(id);
    return behind.map(([, job]) => job);
  }

  async end(): Promise<void> {
    this.#worker.unref();
    await this.#worker.terminate();
  }

  #receive(message: ThreadReply, events: ReadThreadEvents): void {
    if (message.job === undefined) {
      this.isReady = true;
      events.ready();
      return;
    }
    const job = this.#jobs.get(message.job);
    this.#jobs.delete(message.job);
    this.#sent--;
    const now = performance.now();
    const took = now - this.#since;
    this.#since = now;
    if (message.reply.kind === 'unknown plan' && job !== undefined) {
      this.#plans.delete(job.plan.id);
      this.begin(job);
      return;
    }
    events.reply(job, message, took);
  }
}
