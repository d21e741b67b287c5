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

/** The number of calls that one caller may make in a window. */
export interface RateLimitOptions {
  readonly limit: number;
  readonly milliseconds: number;
  /** Callers that a process counts at once. */
  readonly maxCallers: number;
}

/** Counts calls, in this process or together with others. */
export interface Limiter {
  hit(caller: string): RateLimit | Promise<RateLimit>;
  /** Takes one call back. */
  undo(caller: string): void;
  /** Whether this process has already counted more calls than the limit. Counts nothing. */
  isOver(caller: string): boolean;
}

export interface RateCounts {
  /** Limiters with the same name share their counts, over all processes. */
  limiter(name: string, options: RateLimitOptions): Limiter;
  close(): void;
}

/** The log of failures of the shared store. */
export interface RateCountsLog {
  lost(error: unknown): void;
  found(): void;
}

interface Window {
  /** By `performance.now()`: setting the clock back must not lengthen a window. */
  readonly end: number;
  count: number;
}

/** Counts calls in windows of fixed length that begin with a caller's first call. Bounded: beyond `maxCallers` the callers with the oldest calls
 *  are forgotten. */
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

/** The IPv4 address, or the /64 network of an IPv6 address, since one customer can choose any address in it. */
export function callerOf(ip: string | undefined): string {
  // A closed connection has no IP address. A trusted proxy can pass on any text, and a text that the sender chooses would be a new caller each
  // time.
  if (ip === undefined || isIP(ip) === 0) return 'unknown';
  const parsed = ipaddr.process(ip);
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString();
}
