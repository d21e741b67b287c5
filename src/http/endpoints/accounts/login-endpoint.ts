/** `POST /api/auth/local`, and the endpoints of other providers, which are closed. */

import { isProviderEnabled, login, parseLoginBody } from '../../../accounts/login.ts';
import { bodyObject, deviceIdOf } from '../../../accounts/read-body.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { AccessStore } from '../../../identity/access-store.ts';
import { type Endpoint, parameter } from '../../send-response.ts';
import type { SignInResponse } from './sign-in-response.ts';

export function loginEndpoint(store: AccessStore, requireTokens: () => void, answerSignIn: SignInResponse): Endpoint {
  return async (call) => {
    requireTokens();
    const body = parseLoginBody(call.request.body);
    const user = await login(body, store);
    const deviceId = deviceIdOf(bodyObject(call.request.body));
    return answerSignIn(call, { user, deviceId, inBody: 'unless in a cookie', query: '' });
  };
}

export function providerEndpoint(store: AccessStore): Endpoint {
  return async ({ request }) => {
    if (!(await isProviderEnabled(parameter(request, 'provider'), store, false))) throw ApiError.of('login.disabled');
    throw ApiError.of('endpoint.not-served', { instead: 'users sign in with their password' });
  };
}
