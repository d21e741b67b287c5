/** Limits the endpoints at which passwords and mails could be tried: ten calls a minute for each caller and endpoint. */

import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import { isObject } from '../../text/json.ts';
import type { Endpoint } from '../send-response.ts';
import { countCall } from './count-call.ts';
import { callerOf, type RateCounts } from './rate-limiter.ts';

const limits = { limit: 10, milliseconds: 60_000, maxCallers: 10_000 };

/** Makes an endpoint count before it does anything else. `by e-mail`: as in Strapi, each e-mail in a body is counted separately, where the
 *  policy allows it. */
export type RateLimited = (endpoint: Endpoint, by: 'by e-mail' | 'by caller') => Endpoint;

export function createSignInRateLimits({ policies }: Config, counts: RateCounts): RateLimited {
  return (endpoint, by) => {
    // One limiter for each endpoint: the number of counted callers is bounded, and calls of one endpoint must not push out those of another.
    const limiter = counts.limiter('auth', limits);
    const perEmail = by === 'by e-mail' && policies.rateLimitPerEmail;
    return async (call) => {
      const { request, reply } = call;
      // The route and not the path as sent: other letter case or slashes must not begin another count.
      const caller = `${request.routeOptions.url} ${callerOf(request.ip)}`;
      await countCall(limiter, perEmail ? `${caller} ${emailIn(request)}` : caller, reply);
      return endpoint(call);
    };
  };
}

const maxKeyLength = 320;

/** E-mails of one person may differ in letter case. */
const emailIn = ({ body }: FastifyRequest): string =>
  isObject(body) && typeof body.email === 'string' ? body.email.toLowerCase().slice(0, maxKeyLength) : '';
