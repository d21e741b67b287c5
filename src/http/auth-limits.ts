/** How often one caller may try the endpoints that passwords and mails can be tried with: ten times a minute, each endpoint by itself. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf, RateLimiter } from '../access/rate-limiter.ts';
import type { Config } from '../config/config.ts';
import { ApiError } from '../errors/api-error.ts';
import { isJson } from '../users/read-body.ts';
import type { Endpoint } from './answered.ts';

const limits = { limit: 10, milliseconds: 60_000, maxCallers: 10_000 };

/** An endpoint that counts before it does anything else. The count belongs to the endpoint and not to the path as it was written, so other letter
 *  case or slashes do not begin another one. `byEmail`: as Strapi counts, each address in the body apart, where the policy allows it. */
export function limited(endpoint: Endpoint, config: Config, byEmail: 'by e-mail' | 'by caller'): Endpoint {
  const limiter = new RateLimiter(limits);
  const perEmail = byEmail === 'by e-mail' && config.policies.rateLimitPerEmail;
  return (call) => {
    const { request, reply } = call;
    count(limiter, perEmail ? `${callerOf(request.ip)} ${emailIn(request)}` : callerOf(request.ip), reply);
    return endpoint(call);
  };
}

function count(limiter: RateLimiter, caller: string, reply: FastifyReply): void {
  const { allowed, limit, remaining, reset } = limiter.hit(caller);
  reply.headers({ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset });
  if (!allowed) throw ApiError.of('access.rate-limit', undefined);
}

const longestKey = 320;

/** Addresses of one person differ in letter case alone. */
const emailIn = ({ body }: FastifyRequest): string =>
  isJson(body) && typeof body.email === 'string' ? body.email.toLowerCase().slice(0, longestKey) : '';
