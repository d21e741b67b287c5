import type { Auth } from './client.ts';
import { begin } from './outcome.ts';
import { segment } from './query.ts';
import type { Session } from './session.ts';
import type { Transport } from './transport.ts';

export function createAuth({ call }: Transport, { signIn, refresh, signOut }: Session): Auth {
  const done = { data: undefined };
  return {
    login: (body, options) => begin(() => signIn('/auth/local', body, options)),
    register: (body, options) => begin(() => signIn('/auth/local/register', body, options)),
    exchangeCode: (provider, body, options) => begin(async () => signIn(`/auth${segment(provider)}/callback`, body, options)),
    changePassword: (body, options) => begin(() => signIn('/auth/change-password', body, options, true)),
    forgotPassword: (json, options) =>
      begin(async () => {
        await call({ method: 'POST', path: '/auth/forgot-password', json, auth: false, ...options });
        return done;
      }),
    resetPassword: (body, options) => begin(() => signIn('/auth/reset-password', body, options)),
    refresh: () => begin(async () => ({ data: await refresh() })),
    logout: (body = {}, options) =>
      begin(async () => {
        await signOut(body, options);
        return done;
      }),
    me: (params, options) => begin(async () => ({ data: (await call({ method: 'GET', path: '/users/me', params, ...options })).body })),
  };
}
