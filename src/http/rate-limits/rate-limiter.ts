import { isIP } from 'node:net';
import type { FastifyReply } from 'fastify';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../errors/api-error.ts';

export interface RateLimit {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the window ends. Seconds since the epoch. */
  readonly reset: number;
}

/** The limit of calls that one caller may make in a window. */
export interface RateLimitOptions {
  readonly limit: number;
  readonly milliseconds: number;
  /** The maximum number of callers that a process counts at a time. */
  readonly maxCallers: number;
}

/** Counts calls in this process, or together with other processes. */
export interface Limiter {
  /** Counts a call, or several at once. */
  hit(caller: string, calls?: number): RateLimit | Promise<RateLimit>;
  /** Takes one call back. */
  undo(caller: string): void;
  /** Whether this process has already counted more calls than the limit. Does not count a call. */
  isOver(caller: string): boolean;
}

export interface RateCounts {
  /** Returns a limiter. Limiters with the same name share their counts in Redis. */
  limiter(name: string, options: RateLimitOptions): Limiter;
  close(): void;
}

/** Logs failures of Redis. */
export interface RateCountsLog {
  lost(error: unknown): void;
  found(): void;
}

interface Window {
  /** By `performance.now()`: setting the clock back must not lengthen a window. */
  readonly end: number;
  count: number;
}

/** Counts calls in windows of fixed length that begin with a caller's first call. Beyond
 *  `maxCallers`, the callers with the oldest calls are forgotten. */
export class RateLimiter implements Limiter {
  readonly #limit: number;
  readonly #milliseconds: number;
  readonly #windows: LRUCache<string, Window>;

  constructor(options: RateLimitOptions) {
    this.#limit = options.limit;
    this.#milliseconds = options.milliseconds;
    // `max` would reserve memory for all of them now.
    this.#windows = new LRUCache({ maxSize: options.maxCallers, sizeCalculation: () => 1 });
  }

  hit(caller: string, calls = 1): RateLimit {
    let window = this.#current(caller);
    if (window === undefined) {
      window = { end: performance.now() + this.#milliseconds, count: 0 };
      this.#windows.set(caller, window);
    }
    window.count += calls;
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

/** Returns the state of a limit. `left` is the time to the end of the window in milliseconds. */
export const rateLimitOf = (count: number, left: number, limit: number): RateLimit => ({
  allowed: count <= limit,
  limit,
  remaining: Math.max(limit - count, 0),
  reset: Math.ceil((Date.now() + left) / 1000),
});

/** The IPv4 address, or the /64 network of an IPv6 address: one customer can use all of it. */
export function callerOf(ip: string | undefined): string {
  // A closed connection has no IP address. A trusted proxy may pass on any text, and the sender's
  // choice of a text must not make a new caller.
  if (ip === undefined || isIP(ip) === 0) return 'unknown';
  // The zone of a link-local address may have characters that the parser refuses.
  const parsed = ipaddr.process(ip.replace(/%.*$/, ''));
  return parsed instanceof ipaddr.IPv6
    ? `${parsed.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : parsed.toString();
}

/** Counts a call, or several, and sets the headers of the rate limit. Throws `access.rate-limit`
 *  beyond it. */
export async function countCall(limiter: Limiter, caller: string, reply: FastifyReply, calls?: number): Promise<void> {
  const { allowed, limit, remaining, reset } = await limiter.hit(caller, calls);
  reply.headers({ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset });
  if (allowed) return;
  reply.header('retry-after', Math.max(1, Math.ceil(reset - Date.now() / 1000)));
  throw ApiError.of('access.rate-limit');
}
