/** Writes in a thread of their own, for databases whose driver blocks. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Config } from '../config/config.ts';
import { ApiError } from '../errors/api-error.ts';
import { addressSigning } from '../media/address-signer.ts';
import type { ContentModel } from '../model/content-model.ts';
import { keptPlans } from './run-read.ts';
import type { WriteJob, Writer } from './run-write.ts';
import type { WriteReply, WriteRequest, WriteSetup } from './write-protocol.ts';
import { weightOf } from './write-weight.ts';

type Result = Awaited<ReturnType<Writer['write']>>;

interface Waiting {
  readonly job: WriteJob;
  readonly left: () => boolean;
  readonly weight: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** The thread is started by the first write: a server that is only read does without. */
export function openWriteThread(config: Config, model: ContentModel): Writer {
  return new WriteThread(config, model);
}

/** The weight of what the thread has been given: as many small writes as share a commit, and one large one at a time. */
const givenAtOnce = 32;

class WriteThread implements Writer {
  readonly #setup: WriteSetup;
  readonly #waiting = new Map<number, Waiting>();
  readonly #known = new Set<number>();
  #worker: Worker | undefined;
  #turns = 0;
  /** Turns that the thread has not been given yet: of callers who leave meanwhile nothing is begun. */
  #held: number[] = [];
  #given = 0;

  constructor(config: Config, model: ContentModel) {
    const { database, limits } = config;
    this.#setup = { database, limits, signing: addressSigning(config), model };
  }

  write(job: WriteJob, left: () => boolean): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.size >= this.#setup.limits.queue) {
        reject(ApiError.of('database.busy', undefined));
        return;
      }
      this.#turns++;
      this.#waiting.set(this.#turns, { job, left, weight: weightOf(job.plan), resolve, reject });
      this.#held.push(this.#turns);
      this.#give();
    });
  }

  #give(): void {
    while (this.#given < givenAtOnce) {
      const turn = this.#held.shift();
      const waiting = turn === undefined ? undefined : this.#waiting.get(turn);
      if (turn === undefined) return;
      if (waiting === undefined) continue;
      if (waiting.left()) {
        this.#waiting.delete(turn);
        waiting.reject(ApiError.of('request.left', undefined));
        continue;
      }
      this.#given += waiting.weight;
      this.#send(turn, waiting.job);
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = once(worker, 'exit');
    worker.postMessage({ kind: 'close' } satisfies WriteRequest);
    await ended;
  }

  #send(turn: number, { read, ...job }: WriteJob): void {
    const worker = this.#worker ?? this.#start();
    const compiled = read === undefined || this.#known.has(read.id) ? undefined : read.compiled;
    if (read !== undefined && compiled !== undefined) {
      if (this.#known.size > 10 * keptPlans) this.#known.clear();
      this.#known.add(read.id);
    }
    worker.postMessage({
      kind: 'write',
      turn,
      job,
      read: read === undefined ? undefined : { id: read.id, size: read.size, compiled },
    } satisfies WriteRequest);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./write-worker.js', import.meta.url), { workerData: this.#setup });
    this.#worker = worker;
    this.#known.clear();
    worker.on('message', (reply: WriteReply) => this.#receive(reply, worker));
    worker.on('error', (error) => this.#abandon(error));
    // The next write starts another one.
    worker.on('exit', () => {
      this.#abandon(ApiError.of('database.busy', undefined));
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }

  #receive(reply: WriteReply, worker: Worker): void {
    if (reply.kind === 'closed') {
      void worker.terminate();
      return;
    }
    const waiting = this.#waiting.get(reply.turn);
    if (waiting === undefined) return;
    if (reply.kind === 'unknown plan') {
      if (waiting.job.read !== undefined) this.#known.delete(waiting.job.read.id);
      this.#send(reply.turn, waiting.job);
      return;
    }
    this.#waiting.delete(reply.turn);
    this.#given -= waiting.weight;
    this.#give();
    if (reply.kind === 'done') waiting.resolve(reply.result);
    else waiting.reject(reply.kind === 'refused' ? ApiError.fromData(reply.error) : new Error(reply.stack));
  }

  /** Nobody knows how far these have come: each is whole in the database, or not there at all. */
  #abandon(error: unknown): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    this.#held = [];
    this.#given = 0;
  }
}
