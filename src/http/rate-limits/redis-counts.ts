/** Counts that several processes share, in Redis. A request never waits long for it and is never let through without being counted: what Redis does
 *  not answer in time is counted in this process, which has counted along all the while. */
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
const answerWithin = 250;
const connectWithin = 1000;
/** The start waits this long for the connection, so that the first requests are counted together with those of the other processes. */
const startWaits = 500;
/** After a failure nobody asks for so long, or each request would wait for its answer anew. */
const pause = 1000;
const longestRetry = 2000;
const mostWaiting = 1000;

const prefix = 'lectern:rate';

/** Answers the count and the milliseconds that are left of the window. A count without an end would refuse its caller for good. */
const hitScript = `local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {count, left}`;
/** A window that has ended in the meantime has nothing to take back. */
const undoScript = `if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('DECR', KEYS[1]) end return 0`;

export async function openRedisCounts(url: string, secret: string, log: RateCountsLog): Promise<RateCounts> {
  const client = createClient({
    url,
    // All versions of Redis speak it.
    RESP: 2,
    maintNotifications: 'disabled',
    disableClientInfo: true,
    disableOfflineQueue: true,
    commandsQueueMaxLength: mostWaiting,
    socket: { connectTimeout: connectWithin, reconnectStrategy: (retries) => Math.min(100 * (retries + 1), longestRetry) },
  });
  let isLost = false;
  let askAgainAt = 0;
  const lost = (error: unknown) => {
    askAgainAt = performance.now() + pause;
    if (!isLost) log.lost(error);
    isLost = true;
  };
  client.on('error', lost);

  /** Undefined when there is no answer in time. */
  async function ask(script: string, key: string, ...values: readonly string[]): Promise<unknown> {
    if (!client.isReady || performance.now() < askAgainAt) return undefined;
    try {
      const answer = await inTime(client.eval(script, { keys: [key], arguments: [...values] }));
      if (isLost) log.found();
      isLost = false;
      return answer;
    } catch (error) {
      lost(error);
      return undefined;
    }
  }

  /** Neither addresses nor e-mail addresses can be read, or guessed, from the keys. */
  const keyOf = (name: string, caller: string) =>
    `${prefix}:${createHmac('sha256', secret).update(`${name} ${caller}`).digest('base64url')}`;

  function limiter(name: string, options: RateLimitOptions): Limiter {
    const own = new RateLimiter(options);
    return {
      async hit(caller): Promise<RateLimit> {
        const alone = own.hit(caller);
        const answer = await ask(hitScript, keyOf(name, caller), String(options.milliseconds));
        if (!Array.isArray(answer)) return alone;
        const [count, left] = answer.map(Number);
        return rateLimitOf(count ?? 0, left ?? 0, options.limit);
      },
      undo(caller) {
        own.undo(caller);
        void ask(undoScript, keyOf(name, caller));
      },
      isOver: (caller) => own.isOver(caller),
    };
  }

  const connecting = client.connect().catch(lost);
  await Promise.race([connecting, new Promise((resolve) => setTimeout(resolve, startWaits).unref())]);
  return {
    limiter,
    close() {
      if (client.isOpen) client.destroy();
    },
  };
}

function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis has not answered within ${answerWithin} ms`)), answerWithin);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
