/** Counts calls in Redis, for several processes together. Each process also counts its own
 *  requests, and uses this count when Redis does not reply in time. */
import { createHmac } from 'node:crypto';
// The main module has clients of clusters, too. For commands, see `build/redis-commands.cjs`.
import clientModule from '@redis/client/dist/lib/client/index.js';
import {
  type Limiter,
  type RateCounts,
  type RateCountsLog,
  type RateLimit,
  RateLimiter,
  type RateLimitOptions,
  rateLimitOf,
} from './rate-limiter.ts';

/** Redis must reply within this time. Milliseconds. */
const replyTimeout = 250;
const connectWithin = 1000;
/** The start waits at most this long for Redis, to count the first requests there. Milliseconds. */
const connectTimeout = 500;
/** After a failure, Redis is not used for this long: requests would wait in vain. Milliseconds. */
const retryAfter = 1000;
const maxRetryDelay = 2000;
/** A connection on which nothing arrives for `silence`, not even the response to a PING, is
 *  replaced: the longer a network is broken, the more rarely its packets are sent again.
 *  Milliseconds. */
const [pingEvery, silence] = [1000, 2500];
const maxWaiting = 1000;

const prefix = 'lectern:rate';

/** Returns the count and the milliseconds to the window's end. Counts always get an expiry. */
const hitScript = `local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {count, left}`;
/** Takes one call back, unless the window has ended in the meantime. */
const undoScript = `if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('DECR', KEYS[1]) end return 0`;

export async function openRedisCounts(url: string, secret: string, log: RateCountsLog): Promise<RateCounts> {
  const client = clientModule.default.create({
    url,
    // All versions of Redis support RESP 2.
    RESP: 2,
    maintNotifications: 'disabled',
    disableClientInfo: true,
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxWaiting,
    pingInterval: pingEvery,
    socket: {
      connectTimeout: connectWithin,
      socketTimeout: silence,
      reconnectStrategy: (retries) => Math.min(100 * (retries + 1), maxRetryDelay),
    },
  });
  let isLost = false;
  let retryAt = 0;
  const lost = (error: unknown) => {
    retryAt = performance.now() + retryAfter;
    if (!isLost) log.lost(error);
    isLost = true;
  };
  client.on('error', lost);

  /** Runs a script. Returns undefined if Redis does not reply in time. */
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

  /** A key that shows neither the IP address nor the e-mail of a caller. */
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
    timer = setTimeout(() => reject(new Error(`Redis has not responded within ${replyTimeout} ms`)), replyTimeout);
  });
  return Promise.race([reply, late]).finally(() => clearTimeout(timer));
}
