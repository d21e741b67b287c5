/** Where a cookie carries the refresh token, no response has it where scripts can read it. */
import { describe, expect, it } from 'vitest';
import { newResetCode } from '../../../src/accounts/reset-code.ts';
import { ada, signedInBy, useAccounts } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';

const first = { password: 'Other-Pass-1', passwordConfirmation: 'Other-Pass-1' };
const second = { password: 'Other-Pass-2', passwordConfirmation: 'Other-Pass-2' };
const viaHeader = { headers: { 'X-Strapi-Refresh-Cookie': 'httpOnly' } };

/** `besides`: what some responses have in the body besides the cookie. */
describe.each([
  ['specification', 'httpOnly is on', { LECTERN_PROFILE: 'specification' }, {}, false],
  [
    'specification',
    'the request asks for the cookie',
    { LECTERN_PROFILE: 'specification', LECTERN_AUTH_HTTP_ONLY: 'false' },
    viaHeader,
    false,
  ],
  [
    'strapi',
    'httpOnly is on',
    { LECTERN_PROFILE: 'strapi', LECTERN_AUTH_HTTP_ONLY: 'true', LECTERN_AUTH_JWT_MANAGEMENT: 'refresh' },
    {},
    true,
  ],
] as const)('in profile %s, where %s', (_profile, _where, env, options, besides) => {
  describe.each(anyEngine)('%s', (engine) => {
    const accounts = useAccounts(engine, env);
    const post = (path: string, body: unknown, more = {}) => accounts.post(`/api/auth/${path}`, body, { ...options, ...more });

    it.each([
      ['registering', besides, () => post('local/register', { username: 'cleo', email: 'cleo@example.org', password: 'Cleo-Pass-1' })],
      [
        'changing a password',
        besides,
        async () => post('change-password', { currentPassword: ada.password, ...first }, { jwt: (await accounts.signIn(ada)).jwt }),
      ],
      [
        'resetting a password',
        besides,
        async () => {
          const code = newResetCode(true);
          await accounts.change(`UPDATE up_users SET reset_password_token = '${code}' WHERE username = 'ada'`);
          return post('reset-password', { code, ...second });
        },
      ],
      ['signing in', false, () => post('local', { identifier: 'ada', password: second.password })],
      [
        'refreshing',
        false,
        async () =>
          post('refresh', { refreshToken: signedInBy(await post('local', { identifier: 'ada', password: second.password })).refreshToken }),
      ],
    ])('%s: the body has it as well: %s', async (_, isInBody, ask) => {
      const response = await ask();
      expect(response.status).toBe(200);
      expect(response.headers['set-cookie']?.[0]).toMatch(/^strapi_up_refresh=ey/);
      expect(Object.hasOwn(response.json() as object, 'refreshToken')).toBe(isInBody);
    });
  });
});
