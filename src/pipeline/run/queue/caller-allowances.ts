/** How many jobs of unknown length a caller may have running. The allowance begins with the
 *  caller's share of slow jobs, rises with each quick job, and falls back when a job is slow. So a
 *  caller that sends many slow statements at once cannot occupy all workers before they are known
 *  to be slow. */
import { LRUCache } from 'lru-cache';

/** The allowances of at most this many callers are remembered; every other caller has its share. */
const rememberedCallers = 1000;

export class CallerAllowances {
  readonly #min: number;
  readonly #max: number;
  readonly #allowances = new LRUCache<string, number>({ max: rememberedCallers });

  constructor(min: number, max: number) {
    this.#min = min;
    this.#max = max;
  }

  of(key: string): number {
    return this.#allowances.get(key) ?? this.#min;
  }

  raise(key: string): void {
    const allowance = this.of(key);
    if (allowance < this.#max) this.#allowances.set(key, allowance + 1);
  }

  reset(key: string): void {
    this.#allowances.delete(key);
  }
}
