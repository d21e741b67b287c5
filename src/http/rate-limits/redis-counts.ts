/** Counts calls in Redis, for several processes together. Each process also counts its own
 *  requests, and uses this count when Redis does not reply in time. */
import { type Limiter, type RateCounts, type RateLimit, RateLimiter, type RateLimitOptions, rateLimitOf } from './rate-limiter.ts';
import type { RedisScripts } from './redis-scripts.ts';

const prefix = 'lectern:rate';

/** Returns the count and the milliseconds to the window's end. Counts always get an expiry. */
const hitScript = `local count = redis.call('INCRBY', KEYS[1], ARGV[2])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  left = tonumber(ARGV[1])
end
return {count, left}`;
/** Takes one call back, unless the window has ended in the meantime. */
const undoScript = `if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('DECR', KEYS[1]) end return 0`;

export function redisCounts(redis: RedisScripts): RateCounts {
  const keyOf = (name: string, caller: string) => redis.keyOf(prefix, `${name} ${caller}`);

  function limiter(name: string, options: RateLimitOptions): Limiter {
    const own = new RateLimiter(options);
    return {
      async hit(caller, calls = 1): Promise<RateLimit> {
        const alone = own.hit(caller, calls);
        const reply = await redis.evaluate(hitScript, keyOf(name, caller), String(options.milliseconds), String(calls));
        if (!Array.isArray(reply)) return alone;
        const [count, left] = reply.map(Number);
        return rateLimitOf(count ?? 0, left ?? 0, options.limit);
      },
      undo(caller) {
        own.undo(caller);
        void redis.evaluate(undoScript, keyOf(name, caller));
      },
      isOver: (caller) => own.isOver(caller),
    };
  }

  return { limiter, close: () => redis.close() };
}
