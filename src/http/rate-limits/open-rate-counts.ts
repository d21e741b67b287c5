/** Counts calls in this process, in the primary process of several (`workers`), or in Redis for all processes together (`rateLimit.redis`). */
import type { Config } from '../../config/config.ts';
import { isWorker } from '../../observe/workers.ts';
import { type RateCounts, type RateCountsLog, RateLimiter } from './rate-limiter.ts';

export async function openRateCounts({ rateLimit, secrets }: Config, log: RateCountsLog): Promise<RateCounts> {
  if (rateLimit.redis === undefined && isWorker()) return (await import('./worker-counts.ts')).openWorkerCounts();
  if (rateLimit.redis === undefined) return { limiter: (_, options) => new RateLimiter(options), close: () => undefined };
  const { openRedisCounts } = await import('./redis-counts.ts');
  // Processes of one project share their secrets, and other projects in the same Redis have others: the key separates their counts.
  return openRedisCounts(rateLimit.redis, secrets.jwtSecret ?? secrets.apiTokenSalt ?? '', log);
}
