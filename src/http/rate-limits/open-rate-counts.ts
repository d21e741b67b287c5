/** Counts calls in this process, in the primary process (`workers`), or in Redis. */
import type { Config } from '../../config/config.ts';
import { isWorker } from '../../observe/workers.ts';
import { type RateCounts, type RateCountsLog, RateLimiter } from './rate-limiter.ts';

export async function openRateCounts({ rateLimit, secrets }: Config, log: RateCountsLog): Promise<RateCounts> {
  if (rateLimit.redis === undefined && isWorker()) return (await import('./worker-counts.ts')).openWorkerCounts();
  if (rateLimit.redis === undefined) return { limiter: (_, options) => new RateLimiter(options), close: () => undefined };
  const { openRedisCounts } = await import('./redis-counts.ts');
  // The key separates the counts of projects in one Redis: their secrets differ.
  return openRedisCounts(rateLimit.redis, secrets.jwtSecret ?? secrets.apiTokenSalt ?? '', log);
}
