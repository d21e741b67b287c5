import type { FastifyReply } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import type { Limiter } from './rate-limiter.ts';

/** Counts a call and sets the headers of the rate limit; throws `access.rate-limit` when no calls are left. */
export async function countCall(limiter: Limiter, caller: string, reply: FastifyReply): Promise<void> {
  const { allowed, limit, remaining, reset } = await limiter.hit(caller);
  reply.headers({ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset });
  if (allowed) return;
  reply.header('retry-after', Math.max(1, Math.ceil(reset - Date.now() / 1000)));
  throw ApiError.of('access.rate-limit');
}
