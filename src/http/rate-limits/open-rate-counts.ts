/** Counts calls in this process, in the primary process (`workers`), or in Redis. */
import type { Config } from '../../config/config.ts';
import { isWorker } from '../../observe/workers.ts';
import { type RateCounts, type RateCountsLog, RateLimiter } from './rate-limiter.ts';
import type { RedisScripts } from './redis-scripts.ts';

/** Undefined without `rateLimit.redis`. */
export async function openSharedRedis({ rateLimit, secrets }: Config, log: RateCountsLog): Promise<RedisScripts | undefined> {
  if (rateLimit.redis === undefined) return undefined;
  const { openRedis } = await import('./redis-scripts.ts');
  return openRedis(rateLimit.redis, secrets.jwtSecret ?? secrets.apiTokenSalt ?? '', log);
}

/** Closing the counts closes `redis`. */
export async function openRateCounts(redis: RedisScripts | undefined): Promise<RateCounts> {
  if (redis !== undefined) return (await import('./redis-counts.ts')).redisCounts(redis);
  if (isWorker()) return (await import('./worker-counts.ts')).openWorkerCounts();
  return { limiter: (_, options) => new RateLimiter(options), close: () => undefined };
}
