import type { FastifyReply } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import type { Limiter } from './rate-limiter.ts';

/** Counts a call and says in the headers what is left; throws `access.rate-limit` when that is nothing. */
export async function countCall(limiter: Limiter, caller: string, reply: FastifyReply): Promise<void> {
  const { allowed, limit, remaining, reset } = await limiter.hit(caller);
  reply.headers({ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset });
  if (allowed) return;
  reply.header('retry-after', Math.max(1, Math.ceil(reset - Date.now() / 1000)));
  throw ApiError.of('access.rate-limit');
}
