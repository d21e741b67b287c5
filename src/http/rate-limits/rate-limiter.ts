import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

export interface RateLimit {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since the epoch. */
  readonly reset: number;
}

/** Calls that one caller may make in a window. */
export interface RateLimitOptions {
  readonly limit: number;
  readonly milliseconds: number;
  /** Callers that a process remembers at once. */
  readonly maxCallers: number;
}

/** Counts calls, in this process or together with others. */
export interface Limiter {
  hit(caller: string): RateLimit | Promise<RateLimit>;
  /** Takes one call back. */
  undo(caller: string): void;
  /** Whether this process has counted more than the limit already; without a call. */
  isOver(caller: string): boolean;
}

export interface RateCounts {
  /** The limiters of one name count together, over all processes. */
  limiter(name: string, options: RateLimitOptions): Limiter;
  close(): void;
}

/** What the log is told of the shared store. */
export interface RateCountsLog {
  lost(error: unknown): void;
  found(): void;
}

interface Window {
  /** By `performance.now()`: a clock that is set back must not lengthen a window. */
  readonly end: number;
  count: number;
}

/** Counts calls in windows of fixed length that start with a caller's first call. Bounded: beyond `maxCallers` the longest unheard are forgotten. */
export class RateLimiter implements Limiter {
  readonly #limit: number;
  readonly #milliseconds: number;
  readonly #windows: LRUCache<string, Window>;

  constructor(options: RateLimitOptions) {
    this.#limit = options.limit;
    this.#milliseconds = options.milliseconds;
    this.#windows = new LRUCache({ max: options.maxCallers });
  }

  hit(caller: string): RateLimit {
    let window = this.#current(caller);
    if (window === undefined) {
      window = { end: performance.now() + this.#milliseconds, count: 0 };
      this.#windows.set(caller, window);
    }
    window.count++;
    return rateLimitOf(window.count, window.end - performance.now(), this.#limit);
  }

  undo(caller: string): void {
    const window = this.#current(caller);
    if (window !== undefined && window.count > 0) window.count--;
  }

  isOver(caller: string): boolean {
    const window = this.#current(caller);
    return window !== undefined && window.count >= this.#limit;
  }

  #current(caller: string): Window | undefined {
    const window = this.#windows.get(caller);
    return window === undefined || window.end <= performance.now() ? undefined : window;
  }
}

/** `left`: milliseconds to the end of the window. */
export const rateLimitOf = (count: number, left: number, limit: number): RateLimit => ({
  allowed: count <= limit,
  limit,
  remaining: Math.max(limit - count, 0),
  reset: Math.ceil((Date.now() + left) / 1000),
});

/** What counts as one caller: an IPv4 address, or the /64 network that one IPv6 customer can pick addresses from. */
export function callerOf(address: string | undefined): string {
  // A closed connection has no address, and a trusted proxy can pass on anything: a text of the sender's choice would be another caller each time.
  if (address === undefined || isIP(address) === 0) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString();
}
