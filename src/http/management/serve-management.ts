/** `/api/_manage`: lets a console manage access. `management-access.ts` decides who may use it. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import type { Actor } from '../../identity/actor.ts';
import { isObject } from '../../text/json.ts';
import { queryOf } from '../../text/url-parts.ts';
import type { Accounts } from '../endpoints/accounts/accounts.ts';
import { callerOfRequest } from '../rate-limits/caller-of-request.ts';
import { type Endpoint, send } from '../send-response.ts';
import { describeTypes } from './describe-types.ts';
import { permissionEndpoints } from './manage-permissions.ts';
import { managedRoles } from './manage-roles.ts';
import { managedSessions } from './manage-sessions.ts';
import { managedTokens } from './manage-tokens.ts';
import { managedUsers } from './manage-users.ts';
import { managedWebhooks } from './manage-webhooks.ts';
import { createManagementAccess, type ManagementAccessParts } from './management-access.ts';
import { managementPath } from './management-path.ts';
import { type ManagementRoute, sendData } from './management-route.ts';

function routesOf(accounts: Accounts): readonly ManagementRoute[] {
  const types = sendData(describeTypes(accounts.model));
  return [
    ['GET', '/types', () => types],
    ...managedRoles(accounts),
    ...permissionEndpoints(accounts),
    ...managedUsers(accounts),
    ...managedSessions(accounts),
    ...managedTokens(accounts),
    ...managedWebhooks(accounts),
  ];
}

export async function serveManagement(app: FastifyInstance, accounts: Accounts, parts: ManagementAccessParts): Promise<void> {
  const { check, actorOf } = createManagementAccess(parts);
  const base = managementPath(accounts.config.api.prefix);
  await app.register((scope, _, done) => {
    // Before the body is read: without access it is not.
    scope.addHook('onRequest', check);
    scope.addHook('preHandler', (request, _reply, next) => {
      if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'DELETE') return next();
      const { body } = request;
      if (body !== undefined && body !== null && !(isObject(body) && Object.hasOwn(body, 'data'))) {
        return next(ApiError.of('body.no-data'));
      }
      request.body = isObject(body) ? body.data : undefined;
      next();
    });
    for (const [method, path, endpoint] of routesOf(accounts)) {
      scope.route({
        method: method === 'GET' ? ['GET', 'HEAD'] : method,
        url: `${base}${path}`,
        handler: answering(endpoint, actorOf),
      });
    }
    done();
  });
}

const answering =
  (endpoint: Endpoint, actorOf: (request: FastifyRequest) => Actor) =>
  async (request: FastifyRequest, reply: Parameters<typeof send>[0]): Promise<typeof reply> => {
    const actor = actorOf(request);
    const response = await endpoint({
      request,
      reply,
      actor,
      restriction: undefined,
      caller: callerOfRequest(request, actor),
      query: queryOf(request.raw.url ?? ''),
      dataVersion: undefined,
    });
    return send(reply, response, 0);
  };
