/** How many jobs of unknown length each caller may have running. The allowance begins with the
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

  /** Whether the caller's last work of unknown length was quick. */
  isRaised(key: string): boolean {
    return this.#allowances.has(key);
  }

  raise(key: string): void {
    this.#allowances.set(key, Math.min(this.of(key) + 1, this.#max));
  }

  reset(key: string): void {
    this.#allowances.delete(key);
  }
}
