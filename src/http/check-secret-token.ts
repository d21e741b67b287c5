/** Routes that only one token opens: the management API, the metrics. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import { createTokenCheck } from '../identity/secret-token.ts';
import { countCall } from './rate-limits/count-call.ts';
import { callerOf, type RateCounts } from './rate-limits/rate-limiter.ts';

/** Wrong tokens of one IP address in a minute. The right token is accepted whatever other clients at the same IP address have sent. */
const attempts = { limit: 10, milliseconds: 60_000, maxCallers: 10_000 };

/** Headers that CORS sets for the whole server. Pages of other origins may not use these routes. */
const crossOriginHeaders = ['access-control-allow-origin', 'access-control-allow-credentials', 'access-control-expose-headers'] as const;

/** Returns a function that throws when a request does not have the token. `kind` names what counts wrong tokens. */
export function checkSecretToken(
  token: string,
  counts: RateCounts,
  kind: string,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const isRight = createTokenCheck(token);
  const limiter = counts.limiter(kind, attempts);
  return async (request, reply) => {
    for (const header of crossOriginHeaders) reply.removeHeader(header);
    reply.headers({ 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' });
    if (isRight(request.headers.authorization)) return;
    await countCall(limiter, callerOf(request.ip), reply);
    throw ApiError.of('access.credentials');
  };
}
