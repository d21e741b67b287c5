/** How many jobs of unknown length a caller may have under way. It begins with the caller's share of slow work, rises with each job that was quick,
 *  and falls back when one is slow: so a caller that sends many slow statements at once does not hold all places before it is known that they are slow. */
import { LRUCache } from 'lru-cache';

/** Callers whose allowance is above their share. */
const rememberedCallers = 1000;

export class CallerAllowances {
  readonly #least: number;
  readonly #most: number;
  readonly #allowances = new LRUCache<string, number>({ max: rememberedCallers });

  constructor(least: number, most: number) {
    this.#least = least;
    this.#most = most;
  }

  of(key: string): number {
    return this.#allowances.get(key) ?? this.#least;
  }

  raise(key: string): void {
    const allowance = this.of(key);
    if (allowance < this.#most) this.#allowances.set(key, allowance + 1);
  }

  reset(key: string): void {
    this.#allowances.delete(key);
  }
}
