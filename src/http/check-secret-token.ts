/** Routes that only one token opens: the management API, the metrics. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import { createTokenCheck } from '../identity/secret-token.ts';
import { callerOf, countCall, type RateCounts } from './rate-limits/rate-limiter.ts';

/** Wrong tokens of one IP address in a minute. The right token is always accepted. */
const attempts = { limit: 10, milliseconds: 60_000, maxCallers: 10_000 };

/** Removes what CORS sets for the entire server: pages of other origins may not use the route. */
export function closeToOtherOrigins(reply: FastifyReply): void {
  for (const part of ['allow-origin', 'allow-credentials', 'expose-headers']) reply.removeHeader(`access-control-${part}`);
  reply.headers({ 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' });
}

/** Returns a function that throws without the token. Wrong tokens are counted under `kind`.
 *  `opensElse`: whether something else opens the route to this request. */
export function checkSecretToken(
  token: string,
  counts: RateCounts,
  kind: string,
  opensElse?: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const isRight = createTokenCheck(token);
  const limiter = counts.limiter(kind, attempts);
  return async (request, reply) => {
    closeToOtherOrigins(reply);
    if (isRight(request.headers.authorization)) return;
    if ((await opensElse?.(request, reply)) === true) return;
    await countCall(limiter, callerOf(request.ip), reply);
    throw ApiError.of('access.credentials');
  };
}
