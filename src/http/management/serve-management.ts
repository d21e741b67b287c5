/** `/api/_manage`: lets a console manage access. Only `LECTERN_MANAGEMENT_TOKEN` opens it. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import { manager } from '../../identity/actor.ts';
import { isObject } from '../../text/json.ts';
import { queryOf } from '../../text/url-parts.ts';
import { checkSecretToken } from '../check-secret-token.ts';
import type { Accounts } from '../endpoints/accounts/accounts.ts';
import { callerOfRequest } from '../rate-limits/caller-of-request.ts';
import { type Endpoint, send } from '../send-response.ts';
import { describeTypes } from './describe-types.ts';
import { permissionEndpoints } from './manage-permissions.ts';
import { managedRoles } from './manage-roles.ts';
import { managedTokens } from './manage-tokens.ts';
import { managedUsers } from './manage-users.ts';
import { managementPath } from './management-path.ts';
import { type ManagementRoute, sendData } from './management-route.ts';

function routesOf(accounts: Accounts): readonly ManagementRoute[] {
  const types = sendData(describeTypes(accounts.model));
  return [
    ['GET', '/types', () => types],
    ...managedRoles(accounts),
    ...permissionEndpoints(accounts),
    ...managedUsers(accounts),
    ...managedTokens(accounts),
  ];
}

/** `token` is `LECTERN_MANAGEMENT_TOKEN`. */
export async function serveManagement(app: FastifyInstance, token: string, accounts: Accounts): Promise<void> {
  const check = checkSecretToken(token, accounts.counts, 'management');
  const base = managementPath(accounts.config.api.prefix);
  await app.register((scope, _, done) => {
    // Before the body is read: without the token it is not.
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
        query: queryOf(request.raw.url ?? ''),
        dataVersion: undefined,
      }),
      0,
    );
