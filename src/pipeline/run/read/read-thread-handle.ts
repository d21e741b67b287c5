/** The server's handle of one reading thread. */
import type { Worker } from 'node:worker_threads';
import { ApiError } from '../../../errors/api-error.ts';
import type { QueueWorker } from '../queue/fair-queue.ts';
import { startThread } from '../threads/small-heaps.ts';
import { type ReadJob, settle, wantedRecord } from './read-job.ts';
import type { ReadMessage, ReadReply, ReadSetup, ThreadSetup } from './read-protocol.ts';
import { maxCachedPlans } from './run-read.ts';

export interface ReadThreadEvents {
  readonly ready: () => void;
  /** The thread can take another job. `settle` passes the reply to the job's caller. */
  readonly done: (settle: () => void) => void;
  readonly ended: (wasReady: boolean) => void;
}

export class ReadThread implements QueueWorker<ReadJob> {
  readonly #worker: Worker;
  readonly #plans = new Set<number>();
  /** Shared memory with the number of the job that the thread has to stop. */
  readonly #stopped = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #job: ReadJob | undefined;
  #number = 0;
  #isReady = false;

  constructor(setup: ReadSetup, events: ReadThreadEvents) {
    this.#worker = startThread(new URL('./read-thread.js', import.meta.url), { ...setup, stopped: this.#stopped } satisfies ThreadSetup);
    this.#worker.on('message', (reply: ReadReply) => {
      if (reply.kind === 'ready') {
        this.#isReady = true;
        events.ready();
      } else this.#receive(reply, events);
    });
    this.#worker.on('exit', () => {
      this.#job?.reject(ApiError.of('database.busy', undefined));
      this.#job = undefined;
      events.ended(this.#isReady);
    });
  }

  begin(job: ReadJob): void {
    this.#job = job;
    this.#number = (this.#number + 1) | 0 || 1;
    const { plan, bindings } = job;
    const isKnown = this.#plans.has(plan.id);
    if (!isKnown) {
      if (this.#plans.size > 10 * maxCachedPlans) this.#plans.clear();
      this.#plans.add(plan.id);
    }
    this.#worker.postMessage({
      job: this.#number,
      plan: plan.id,
      compiled: isKnown ? undefined : plan.compiled,
      size: plan.size,
      bindings,
      wanted: wantedRecord(job),
    } satisfies ReadMessage);
  }

  /** Stops the running job when a statement of it next looks at the shared memory. */
  stop(): void {
    Atomics.store(this.#stopped, 0, this.#number);
  }

  async end(): Promise<void> {
    this.stop();
    this.#worker.unref();
    await this.#worker.terminate();
  }

  #receive(reply: Exclude<ReadReply, { kind: 'ready' }>, events: ReadThreadEvents): void {
    const job = this.#job;
    if (job === undefined) return;
    if (reply.kind === 'unknown plan') {
      this.#plans.delete(job.plan.id);
      this.begin(job);
      return;
    }
    this.#job = undefined;
    events.done(() => settle(job, reply));
  }
}
