/** Limits the endpoints where passwords could be guessed or mails sent (`auth.attempts`). */

import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import { isObject } from '../../text/json.ts';
import type { Endpoint } from '../send-response.ts';
import { callerOf, countCall, type RateCounts } from './rate-limiter.ts';

const maxCallers = 10_000;

/** Wraps an endpoint so that each call is counted first. `by e-mail`: as in Strapi, each e-mail in
 *  a body is counted separately, if the policy allows it. */
export type RateLimited = (endpoint: Endpoint, by: 'by e-mail' | 'by caller') => Endpoint;

export function createSignInRateLimits({ auth, policies }: Config, counts: RateCounts): RateLimited {
  const limits = { limit: auth.attempts, milliseconds: auth.attemptsWindow * 1000, maxCallers };
  return (endpoint, by) => {
    // Each endpoint has its own limiter: callers of one must not displace those of another.
    const limiter = counts.limiter('auth', limits);
    const perEmail = by === 'by e-mail' && policies.rateLimitPerEmail;
    return async (call) => {
      const { request, reply } = call;
      // By the route and not the path: other letter case or slashes must not begin another count.
      const caller = `${request.routeOptions.url} ${callerOf(request.ip)}`;
      await countCall(limiter, perEmail ? `${caller} ${emailIn(request)}` : caller, reply);
      return endpoint(call);
    };
  };
}

const maxKeyLength = 320;

/** In lower case: e-mails that differ only in letter case belong to one user. */
const emailIn = ({ body }: FastifyRequest): string =>
  isObject(body) && typeof body.email === 'string' ? body.email.toLowerCase().slice(0, maxKeyLength) : '';
