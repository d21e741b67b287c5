/** API tokens. Only the response that creates a token has its secret. */

import { ApiError } from '../../errors/api-error.ts';
import { createApiTokens, type IssuedApiToken } from '../../identity/api-token-store.ts';
import { parseNewApiToken } from '../../identity/new-api-token.ts';
import { knownActions } from '../../rights/grantable-actions.ts';
import { isObject } from '../../text/json.ts';
import type { Accounts } from '../endpoints/accounts/accounts.ts';
import { rowIdParameter } from '../endpoints/rows.ts';
import type { EndpointCall } from '../send-response.ts';
import { type ManagementRoute, sendData } from './management-route.ts';

export function managedTokens({ config, model, database, usersChanged }: Accounts): readonly ManagementRoute[] {
  const actions = knownActions(model);
  const stored = async () => createApiTokens(database, await database.tables(), config.secrets);
  const issued = ({ token, secret }: IssuedApiToken, status: number) => sendData({ ...token, secret }, status);

  function idOf({ request }: EndpointCall): number {
    const id = rowIdParameter(request, 'id');
    if (id === undefined) throw ApiError.of('api-token.not-found');
    return id;
  }

  return [
    ['GET', '/tokens', async () => sendData(await (await stored()).list())],
    [
      'POST',
      '/tokens',
      async ({ request: { body } }) => {
        if (!isObject(body)) throw ApiError.of('body.no-data');
        return issued(await (await stored()).create(parseNewApiToken(body, actions, Date.now())), 201);
      },
    ],
    [
      'POST',
      '/tokens/:id/rotate',
      async (call) => {
        const rotated = await (await stored()).rotate(idOf(call));
        usersChanged();
        return issued(rotated, 200);
      },
    ],
    [
      'DELETE',
      '/tokens/:id',
      async (call) => {
        await (await stored()).revoke(idOf(call));
        usersChanged();
        return { status: 204, body: null };
      },
    ],
  ];
}
