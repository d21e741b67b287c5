/** Waiting jobs, in a queue for each caller. The jobs of one caller can fill half of the total
 *  capacity, and callers alternate. */
import { ApiError } from '../../../errors/api-error.ts';
import type { Caller } from './caller.ts';

export interface Job {
  readonly caller: Caller;
  reject(error: unknown): void;
}

interface Waiting<J> {
  readonly job: J;
  readonly since: number;
}

export class CallerQueues<J extends Job> {
  readonly #size: number;
  /** The queues, ordered by when their callers arrived or last had a job taken. */
  readonly #queues = new Map<string, Waiting<J>[]>();
  #length = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get length(): number {
    return this.#length;
  }

  /** Fails the caller's last job if the queues are too long, or if the caller fills more than half
   *  of their capacity. To be called after each job that was added and has not begun at once. */
  refuseExcess(key: string): void {
    const own = this.#queues.get(key);
    if (own === undefined || (this.#length <= this.#size && own.length <= Math.ceil(this.#size / 2))) return;
    const last = own.pop();
    if (own.length === 0) this.#queues.delete(key);
    this.#length--;
    if (last !== undefined) giveUp(last.job);
  }

  add(job: J): void {
    const { key } = job.caller;
    const waiting = { job, since: performance.now() };
    const own = this.#queues.get(key);
    if (own === undefined) this.#queues.set(key, [waiting]);
    else own.push(waiting);
    this.#length++;
  }

  /** Takes the job with the lowest rank; among equal ranks, that of the caller that has waited
   *  longest. Each caller offers its first job with a rank. */
  take(rank: (key: string, job: J) => number | undefined): J | undefined {
    for (;;) {
      const best = this.#best(rank);
      if (best === undefined) return undefined;
      const { key, own, index } = best;
      const [waiting] = own.splice(index, 1);
      if (waiting === undefined) return undefined;
      // The caller moves to the end, so that callers alternate.
      this.#queues.delete(key);
      if (own.length > 0) this.#queues.set(key, own);
      this.#length--;
      if (!waiting.job.caller.hasLeft()) return waiting.job;
      giveUp(waiting.job);
    }
  }

  #best(rank: (key: string, job: J) => number | undefined) {
    let best: { readonly key: string; readonly own: Waiting<J>[]; readonly index: number } | undefined;
    let lowest = Number.POSITIVE_INFINITY;
    for (const [key, own] of this.#queues) {
      for (const [index, { job }] of own.entries()) {
        const value = rank(key, job);
        if (value === undefined) continue;
        if (value < lowest) {
          best = { key, own, index };
          lowest = value;
        }
        break;
      }
      if (lowest === 0) break;
    }
    return best;
  }

  /** Fails jobs that have waited for longer than `milliseconds`, and jobs whose clients have
   *  disconnected. */
  sweep(milliseconds: number): void {
    const now = performance.now();
    for (const [key, own] of this.#queues) {
      const remaining = own.filter(({ job, since }) => now - since <= milliseconds && !job.caller.hasLeft());
      if (remaining.length === own.length) continue;
      for (const { job } of own.filter((each) => !remaining.includes(each))) giveUp(job);
      this.#length -= own.length - remaining.length;
      if (remaining.length === 0) this.#queues.delete(key);
      else this.#queues.set(key, remaining);
    }
  }

  /** Returns the longest time that a job has waited, among those for which `of` is true.
   *  Milliseconds. */
  longestWait(of: (key: string, job: J) => boolean): number {
    let first = Number.POSITIVE_INFINITY;
    for (const [key, own] of this.#queues) {
      // Each queue is in the order of arrival.
      const waiting = own.find(({ job }) => of(key, job));
      if (waiting !== undefined) first = Math.min(first, waiting.since);
    }
    return Math.max(0, performance.now() - first);
  }

  giveUpAll(): void {
    for (const { job } of [...this.#queues.values()].flat()) giveUp(job);
    this.#queues.clear();
    this.#length = 0;
  }
}

const giveUp = (job: Job) => job.reject(ApiError.of('database.busy', undefined));
