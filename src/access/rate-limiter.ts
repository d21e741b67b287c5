import { LRUCache } from 'lru-cache';

export interface RateLimit {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since the epoch. */
  readonly reset: number;
}

interface Window {
  readonly end: number;
  count: number;
}

/** Counts calls in windows of fixed length that start with a caller's first call. Bounded: beyond `maxCallers` the longest unheard are forgotten. */
export class RateLimiter {
  readonly #limit: number;
  readonly #milliseconds: number;
  readonly #windows: LRUCache<string, Window>;

  constructor(options: { readonly limit: number; readonly milliseconds: number; readonly maxCallers: number }) {
    this.#limit = options.limit;
    this.#milliseconds = options.milliseconds;
    this.#windows = new LRUCache({ max: options.maxCallers });
  }

  hit(caller: string): RateLimit {
    const now = Date.now();
    let window = this.#windows.get(caller);
    if (window === undefined || window.end <= now) {
      window = { end: now + this.#milliseconds, count: 0 };
      this.#windows.set(caller, window);
    }
    window.count++;
    return {
      allowed: window.count <= this.#limit,
      limit: this.#limit,
      remaining: Math.max(this.#limit - window.count, 0),
      reset: Math.ceil(window.end / 1000),
    };
  }
}

/** What counts as one caller: an IPv4 address, or the /64 network that one IPv6 customer can pick addresses from. */
export function callerOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? [];
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(8 - left.length - right.length, 0);
  return `${[...left, ...Array<string>(zeros).fill('0'), ...right].slice(0, 4).join(':')}::/64`;
}
