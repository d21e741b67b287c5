/** `POST /api/auth/local`, and the endpoints of other providers, which are closed. */

import { isProviderEnabled, login, parseLoginBody } from '../../../accounts/login.ts';
import { bodyObject, deviceIdOf } from '../../../accounts/read-body.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { type Endpoint, parameter } from '../../send-response.ts';
import type { Accounts } from './accounts.ts';

export const loginEndpoint =
  ({ store, requireTokens, answerSignIn }: Accounts): Endpoint =>
  async (call) => {
    requireTokens();
    const { body } = call.request;
    const user = await login(parseLoginBody(body), store);
    return answerSignIn(call, { user, deviceId: deviceIdOf(bodyObject(body)), inBody: 'unless in a cookie', query: '' });
  };

export const providerEndpoint =
  ({ store }: Accounts): Endpoint =>
  async ({ request }) => {
    if (!(await isProviderEnabled(parameter(request, 'provider'), store, false))) throw ApiError.of('login.disabled');
    throw ApiError.of('endpoint.not-served', { instead: 'users sign in with their password' });
  };
