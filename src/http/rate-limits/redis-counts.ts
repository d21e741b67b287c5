/** Counts that several processes share in Redis. A request never waits long for Redis and is never let through uncounted: each process counts as
 *  well, and uses its own count when Redis does not reply in time. */
import { createHmac } from 'node:crypto';
import { createClient } from '@redis/client';
import {
  type Limiter,
  type RateCounts,
  type RateCountsLog,
  type RateLimit,
  RateLimiter,
  type RateLimitOptions,
  rateLimitOf,
} from './rate-limiter.ts';

/** Milliseconds. */
const replyTimeout = 250;
const connectWithin = 1000;
/** Milliseconds. The start waits this long for the connection, so that the first requests are counted together with those of other processes. */
const connectTimeout = 500;
/** Milliseconds without requests to Redis after a failure; otherwise each request would wait for the timeout. */
const retryAfter = 1000;
const maxRetryDelay = 2000;
const mostWaiting = 1000;

const prefix = 'lectern:rate';

/** Returns the count and the milliseconds until the window ends. A count without an expiry would refuse its caller for good. */
const hitScript = `local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {count, left}`;
/** There is nothing to take back when the window has ended in the meantime. */
const undoScript = `if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('DECR', KEYS[1]) end return 0`;

export async function openRedisCounts(url: string, secret: string, log: RateCountsLog): Promise<RateCounts> {
  const client = createClient({
    url,
    // All versions of Redis support it.
    RESP: 2,
    maintNotifications: 'disabled',
    disableClientInfo: true,
    disableOfflineQueue: true,
    commandsQueueMaxLength: mostWaiting,
    socket: { connectTimeout: connectWithin, reconnectStrategy: (retries) => Math.min(100 * (retries + 1), maxRetryDelay) },
  });
  let isLost = false;
  let retryAt = 0;
  const lost = (error: unknown) => {
    retryAt = performance.now() + retryAfter;
    if (!isLost) log.lost(error);
    isLost = true;
  };
  client.on('error', lost);

  /** Undefined without a reply in time. */
  async function evaluate(script: string, key: string, ...values: readonly string[]): Promise<unknown> {
    if (!client.isReady || performance.now() < retryAt) return undefined;
    try {
      const reply = await inTime(client.eval(script, { keys: [key], arguments: [...values] }));
      if (isLost) log.found();
      isLost = false;
      return reply;
    } catch (error) {
      lost(error);
      return undefined;
    }
  }

  /** Neither IP addresses nor e-mails can be read or guessed from the keys. */
  const keyOf = (name: string, caller: string) =>
    `${prefix}:${createHmac('sha256', secret).update(`${name} ${caller}`).digest('base64url')}`;

  function limiter(name: string, options: RateLimitOptions): Limiter {
    const own = new RateLimiter(options);
    return {
      async hit(caller): Promise<RateLimit> {
        const alone = own.hit(caller);
        const reply = await evaluate(hitScript, keyOf(name, caller), String(options.milliseconds));
        if (!Array.isArray(reply)) return alone;
        const [count, left] = reply.map(Number);
        return rateLimitOf(count ?? 0, left ?? 0, options.limit);
      },
      undo(caller) {
        own.undo(caller);
        void evaluate(undoScript, keyOf(name, caller));
      },
      isOver: (caller) => own.isOver(caller),
    };
  }

  const connecting = client.connect().catch(lost);
  await Promise.race([connecting, new Promise((resolve) => setTimeout(resolve, connectTimeout).unref())]);
  return {
    limiter,
    close() {
      if (client.isOpen) client.destroy();
    },
  };
}

function inTime<T>(reply: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis has not answered within ${replyTimeout} ms`)), replyTimeout);
  });
  return Promise.race([reply, late]).finally(() => clearTimeout(timer));
}
