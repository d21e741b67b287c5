/** `/api/_manage`: lets a console manage access. It exists only when `LECTERN_MANAGEMENT_TOKEN` is set, and only that token opens it. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import { manager } from '../../identity/actor.ts';
import { bearerToken } from '../../identity/bearer-token.ts';
import { isObject } from '../../text/json.ts';
import { callerOfRequest } from '../rate-limits/caller-of-request.ts';
import { countCall } from '../rate-limits/count-call.ts';
import { callerOf, type Limiter, type RateCounts } from '../rate-limits/rate-limiter.ts';
import { type Endpoint, rawQuery, send } from '../send-response.ts';
import { type ManagementParts, managementEndpoints } from './management-endpoints.ts';
import { managementPath } from './management-path.ts';

/** Wrong tokens of one IP address in a minute. The right token is accepted whatever other clients at the same IP address have sent. */
const attempts = { limit: 10, milliseconds: 60_000, maxCallers: 10_000 };

/** Headers that CORS sets for the whole server. Pages of other origins may not use the management API. */
const crossOriginHeaders = ['access-control-allow-origin', 'access-control-allow-credentials', 'access-control-expose-headers'] as const;

export interface ManagementAccess {
  /** `LECTERN_MANAGEMENT_TOKEN` */
  readonly token: string;
  readonly counts: RateCounts;
  /** `api.prefix` */
  readonly prefix: string;
}

export async function serveManagement(
  app: FastifyInstance,
  { token, counts, prefix }: ManagementAccess,
  parts: ManagementParts,
): Promise<void> {
  const check = tokenCheck(token, counts.limiter('management', attempts));
  await app.register((scope, _, done) => {
    // Before the body is read: without the token it is not.
    scope.addHook('onRequest', async (request, reply) => {
      for (const header of crossOriginHeaders) reply.removeHeader(header);
      reply.headers({ 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' });
      await check(request, reply);
    });
    scope.addHook('preHandler', (request, _reply, next) => {
      if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'DELETE') return next();
      const { body } = request;
      if (body !== undefined && body !== null && !(isObject(body) && Object.hasOwn(body, 'data'))) {
        return next(ApiError.of('body.no-data'));
      }
      request.body = isObject(body) ? body.data : undefined;
      next();
    });
    for (const [method, path, endpoint] of managementEndpoints(parts)) {
      scope.route({
        method: method === 'GET' ? ['GET', 'HEAD'] : method,
        url: `${managementPath(prefix)}${path}`,
        handler: answering(endpoint),
      });
    }
    done();
  });
}

const answering =
  (endpoint: Endpoint) =>
  async (request: FastifyRequest, reply: Parameters<typeof send>[0]): Promise<typeof reply> =>
    send(
      reply,
      await endpoint({
        request,
        reply,
        actor: manager,
        restriction: undefined,
        caller: callerOfRequest(request, manager),
        query: rawQuery(request.raw.url ?? ''),
        dataVersion: undefined,
      }),
      0,
    );

/** Throws when a request does not have the token. */
function tokenCheck(token: string, limiter: Limiter): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return async (request, reply) => {
    const given = bearerToken(request.headers.authorization);
    // Digests have the same length, and comparing them takes the same time wherever they differ.
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return;
    await countCall(limiter, callerOf(request.ip), reply);
    throw ApiError.of('access.credentials');
  };
}
