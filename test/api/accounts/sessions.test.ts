/** Signing in, staying so, and not any longer. */
import { describe, expect, it } from 'vitest';
import {
  type Accounts,
  ada,
  ben,
  jwtSecret,
  newAddress,
  profiles,
  profilesOn,
  signedInBy,
  signedToken,
  tokenPart,
  useAccounts,
} from '../../support/accounts.ts';
import { engineSql } from '../../support/engine-sql.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import { errorOf } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

const me = (accounts: Accounts, jwt: string) => accounts.as(jwt, 'GET', '/api/users/me');

/** A user of the test's own, so that what ends their sessions leaves the others alone. */
let names = 0;
async function newUser(accounts: Accounts) {
  names++;
  const user = { username: `guest${names}`, email: `guest${names}@example.org`, password: 'Guest-Pass-1' };
  const response = await accounts.post('/api/auth/local/register', user);
  expect(response.status).toBe(200);
  return { ...user, id: await accounts.userId(user.username), ...signedInBy(response) };
}

const seconds = () => Math.floor(Date.now() / 1000);
describe.each(engines)('%s: sessions', (engine) => {
  describe.each(profilesOn(engine))('in profile %s', (profile) => {
    const accounts = useAccounts(engine, { LECTERN_PROFILE: profile });
    /** The status for an access token after its session has ended. */
    const ended = profile === 'specification' ? 401 : 200;
    const refresh = (refreshToken: string) => accounts.post('/api/auth/refresh', { refreshToken });
    const manage = async (method: string, id: number, body?: object) =>
      expect((await accounts.send('full', { method, path: `/api/users/${id}`, ...(body === undefined ? {} : { body }) })).status).toBe(200);

    it('a logout ends the session', async () => {
      const { jwt, refreshToken } = await newUser(accounts);
      expect((await me(accounts, jwt)).status).toBe(200);
      expect((await accounts.as(jwt, 'POST', '/api/auth/logout', {})).json()).toEqual({ ok: true });
      expect((await me(accounts, jwt)).status).toBe(ended);
      expect((await refresh(refreshToken)).status).toBe(401);
    });

    it('a logout leaves the sessions of other devices alone, unless it is one of all', async () => {
      const user = await newUser(accounts);
      const second = await accounts.signIn(user);
      const third = await accounts.signIn(user);
      await accounts.as(second.jwt, 'POST', '/api/auth/logout', {});
      expect((await refresh(second.refreshToken)).status).toBe(401);
      const renewed = await refresh(user.refreshToken);
      expect(renewed.status).toBe(200);
      await accounts.as(third.jwt, 'POST', '/api/auth/logout', { scope: 'all' });
      for (const { refreshToken } of [signedInBy(renewed), third]) {
        expect((await refresh(refreshToken)).status).toBe(401);
      }
      expect((await me(accounts, signedInBy(renewed).jwt)).status).toBe(ended);
    });

    it('a logout of one device ends the sessions of that device', async () => {
      const user = await newUser(accounts);
      const phone = signedInBy(
        await accounts.post('/api/auth/local', { identifier: user.username, password: user.password, deviceId: 'phone' }),
      );
      await accounts.as(user.jwt, 'POST', '/api/auth/logout', { deviceId: 'phone' });
      expect((await refresh(phone.refreshToken)).status).toBe(401);
      expect((await refresh(user.refreshToken)).status).toBe(200);
    });

    it("a logout does not end a stranger's session", async () => {
      const [user, stranger] = [await newUser(accounts), await newUser(accounts)];
      await accounts.as(user.jwt, 'POST', '/api/auth/logout', { refreshToken: stranger.refreshToken });
      expect((await me(accounts, stranger.jwt)).status).toBe(200);
      expect((await refresh(stranger.refreshToken)).status).toBe(200);
    });

    it('a refresh token is accepted once, however many requests use it at the same time', async () => {
      const { refreshToken } = await newUser(accounts);
      const responses = await Promise.all(Array.from({ length: 8 }, () => refresh(refreshToken)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
    });

    it('a browser that lost the response may repeat its last refresh for some seconds, and no earlier one', async () => {
      const user = await newUser(accounts);
      const again = async (refreshToken: string) => {
        const headers = {
          Cookie: `strapi_up_refresh=${refreshToken}`,
          'X-Strapi-Refresh-Cookie': 'httpOnly',
          'X-Lectern-Keep-Session': 'false',
        };
        const response = await accounts.post('/api/auth/refresh', {}, { headers });
        return { status: response.status, refreshToken: response.status === 200 ? signedInBy(response).refreshToken : '' };
      };
      const second = await again(user.refreshToken);
      const repeated = await again(user.refreshToken);
      expect([second.status, repeated.status]).toEqual([200, 200]);
      expect((await again(repeated.refreshToken)).status).toBe(200);
      expect((await again(user.refreshToken)).status).toBe(401);
      expect((await refresh(second.refreshToken)).status).toBe(401);
      await accounts.change(
        `UPDATE strapi_sessions SET updated_at = ${engineSql[engine].moment(Date.now() - 11_000)} WHERE user_id = '${user.id}'`,
      );
      expect((await again(second.refreshToken)).status).toBe(401);
    });

    it('a refresh without the header cannot be repeated with it', async () => {
      const user = await newUser(accounts);
      const repeat = (refreshToken: string) =>
        accounts.post('/api/auth/refresh', { refreshToken }, { headers: { 'X-Lectern-Keep-Session': 'true' } });
      const second = signedInBy(await refresh(user.refreshToken));
      expect((await repeat(user.refreshToken)).status).toBe(401);
      // One that had the header allows no repetition of the next one, which had none.
      const third = signedInBy(await repeat(second.refreshToken));
      expect((await refresh(third.refreshToken)).status).toBe(200);
      expect((await repeat(third.refreshToken)).status).toBe(401);
      const { data } = (await accounts.as(user.jwt, 'GET', '/api/auth/sessions')).json() as { data: object[] };
      expect(data).toEqual([expect.objectContaining({ loginAt: expect.any(String) })]);
      expect(data[0]).not.toHaveProperty('isRepeatable');
    });

    it('users can list and end their own sessions one by one, and no others', async () => {
      const [user, stranger] = [await newUser(accounts), await newUser(accounts)];
      const second = await accounts.signIn(user);
      const list = async () =>
        (await accounts.as(user.jwt, 'GET', '/api/auth/sessions')).json() as { data: { id: string; current: boolean }[] };
      const { data } = await list();
      expect(data.map(({ current }) => current)).toEqual([true, false]);
      const other = data[1]?.id ?? '';
      expect((await accounts.as(stranger.jwt, 'DELETE', `/api/auth/sessions/${other}`)).status).toBe(404);
      expect((await list()).data).toHaveLength(2);
      expect((await accounts.as(user.jwt, 'DELETE', `/api/auth/sessions/${other}`)).json()).toEqual({ data: {} });
      expect((await list()).data).toHaveLength(1);
      expect((await me(accounts, second.jwt)).status).toBe(ended);
      expect((await refresh(second.refreshToken)).status).toBe(401);
    });

    it('a blocked user is refused at once, and gets no further tokens', async () => {
      const { jwt, refreshToken, id } = await newUser(accounts);
      expect((await me(accounts, jwt)).status).toBe(200);
      await manage('PUT', id, { blocked: true });
      expect((await me(accounts, jwt)).status).toBe(401);
      expect((await refresh(refreshToken)).status).toBe(401);
      await manage('PUT', id, { blocked: false });
      expect((await me(accounts, jwt)).status).toBe(ended);
    });

    it('a deleted user is refused at once', async () => {
      const { jwt, refreshToken, id } = await newUser(accounts);
      expect((await me(accounts, jwt)).status).toBe(200);
      await manage('DELETE', id);
      expect((await me(accounts, jwt)).status).toBe(401);
      expect((await refresh(refreshToken)).status).toBe(401);
      expect(await accounts.query(`SELECT 1 FROM strapi_sessions WHERE user_id = '${id}'`)).toEqual([]);
    });

    it('another role counts at once, and a change of another attribute ends no session', async () => {
      const { jwt, id } = await newUser(accounts);
      await manage('PUT', id, { username: `renamed${id}`, role: await accounts.roleId('authenticated') });
      expect((await me(accounts, jwt)).status).toBe(200);
      await manage('PUT', id, { role: await accounts.roleId('public') });
      // The public may not see who they are; with the policy the session is over as well.
      expect((await me(accounts, jwt)).status).toBe(profile === 'specification' ? 401 : 403);
    });

    it('a password that the user changes ends all other sessions', async () => {
      const user = await newUser(accounts);
      const second = await accounts.signIn(user);
      const change = { currentPassword: user.password, password: 'Guest-Pass-2', passwordConfirmation: 'Guest-Pass-2' };
      const response = await accounts.post('/api/auth/change-password', change, { jwt: user.jwt });
      expect(response.status).toBe(200);
      expect((await me(accounts, second.jwt)).status).toBe(ended);
      expect((await me(accounts, user.jwt)).status).toBe(ended);
      expect((await refresh(second.refreshToken)).status).toBe(401);
      expect((await me(accounts, signedInBy(response).jwt)).status).toBe(200);
    });

    it('with the policy, a password that another user changes ends all sessions', async () => {
      const { jwt, id } = await newUser(accounts);
      await manage('PUT', id, { password: 'Guest-Pass-3' });
      expect((await me(accounts, jwt)).status).toBe(ended);
    });
  });

  // What does not depend on the database.
  describe.runIf(anyEngine.includes(engine))('with the defaults', () => {
    const accounts = useAccounts(engine);

    it('an API token has no sessions', async () => {
      expect((await accounts.send('full', { path: '/api/auth/sessions' })).status).toBe(401);
      expect((await accounts.send('full', { method: 'POST', path: '/api/auth/logout', body: {} })).status).toBe(401);
    });

    it.each([[undefined], [{}], [[]], [{ refreshToken: 5 }], [{ refreshToken: { $ne: null } }], [{ refreshToken: [] }]])(
      'a refresh with the body %j is a 400',
      async (body) => {
        expect(errorOf(await accounts.post('/api/auth/refresh', body))).toMatchObject({ status: 400, message: 'Missing refresh token' });
      },
    );

    describe('a forged token', () => {
      const header = { alg: 'HS256', typ: 'JWT' };
      const good = async () => {
        const { jwt } = await accounts.signIn(ada);
        return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
      };
      const made: readonly (readonly [what: string, make: (payload: Record<string, unknown>) => string])[] = [
        ['has no signature', (payload) => `${tokenPart({ alg: 'none' })}.${tokenPart(payload)}.`],
        ['has no signature, in other letters', (payload) => `${tokenPart({ alg: 'nOnE', typ: 'JWT' })}.${tokenPart(payload)}.`],
        ['says none and is signed', (payload) => signedToken({ alg: 'none' }, payload)],
        ['is signed by another algorithm of the same family', (payload) => signedToken({ alg: 'HS512' }, payload, jwtSecret, 'sha512')],
        ['claims a signature by a public key', (payload) => signedToken({ alg: 'RS256' }, payload)],
        ['names a key', (payload) => signedToken({ ...header, kid: '../../dev/null' }, payload)],
        ['needs an extension that is not known', (payload) => signedToken({ ...header, crit: ['exp'] }, payload)],
        ['is signed with another secret', (payload) => signedToken(header, payload, 'another-secret')],
        ['is signed with nothing', (payload) => signedToken(header, payload, '\0')],
        ['is from the future', (payload) => signedToken(header, { ...payload, iat: seconds() + 3600, exp: seconds() + 7200 })],
        ['is not valid yet', (payload) => signedToken(header, { ...payload, nbf: seconds() + 3600 })],
        ['is over', (payload) => signedToken(header, { ...payload, exp: seconds() - 1 })],
        ['has a moment that is no number', (payload) => signedToken(header, { ...payload, iat: 'now' })],
        ['is of no type', (payload) => signedToken(header, { ...payload, type: undefined })],
        ['is a refresh token', (payload) => signedToken(header, { ...payload, type: 'refresh' })],
        ['is of another mode', (payload) => signedToken(header, { id: payload.userId, iat: seconds(), exp: seconds() + 60 })],
        ["has somebody else's session", (payload) => signedToken(header, { ...payload, userId: String(Number(payload.userId) + 1) })],
        ['has a session that never was', (payload) => signedToken(header, { ...payload, sessionId: '0'.repeat(32) })],
        ['has a user who is a condition', (payload) => signedToken(header, { ...payload, userId: '1 OR 1=1' })],
        ['has a user who is an object', (payload) => signedToken(header, { ...payload, userId: { $gt: 0 } })],
      ];
      it('is accepted if all its claims are right, so each of the others is refused for its fault', async () => {
        expect((await me(accounts, signedToken(header, await good()))).status).toBe(200);
      });
      it.each(made)('is a 401 when it %s', async (_, make) => {
        expect(errorOf(await me(accounts, make(await good())))).toMatchObject({ status: 401, message: 'Missing or invalid credentials' });
      });
      it('is a 401 if one character was changed', async () => {
        const { jwt } = await accounts.signIn(ben);
        const [head = '', payload = '', signature = ''] = jwt.split('.');
        const other = (text: string) => `${text[0] === 'A' ? 'B' : 'A'}${text.slice(1)}`;
        for (const changed of [`${head}.${other(payload)}.${signature}`, `${head}.${payload}.${other(signature)}`, `${head}.${payload}`]) {
          expect((await me(accounts, changed)).status).toBe(401);
        }
      });
      it('cannot be refreshed', async () => {
        const { refreshToken, jwt } = await accounts.signIn(ada);
        const payload = JSON.parse(Buffer.from(refreshToken.split('.')[1] ?? '', 'base64url').toString());
        const others = [
          jwt,
          signedToken(header, { ...payload, userId: '2' }),
          signedToken(header, payload, 'other'),
          `${tokenPart({ alg: 'none' })}.${tokenPart(payload)}.`,
        ];
        for (const each of others) expect((await accounts.post('/api/auth/refresh', { refreshToken: each })).status).toBe(401);
        expect((await accounts.post('/api/auth/refresh', { refreshToken })).status).toBe(200);
      });
    });

    describe('a cookie', () => {
      const cookieOf = async () => {
        const response = await accounts.post('/api/auth/local', { identifier: ada.username, password: ada.password });
        return { response, cookie: response.headers['set-cookie']?.[0] ?? '' };
      };
      it('holds the refresh token out of reach of scripts and other sites', async () => {
        const { response, cookie } = await cookieOf();
        expect(response.json()).not.toHaveProperty('refreshToken');
        expect(cookie).toMatch(/^strapi_up_refresh=[\w.-]+; path=\/; samesite=lax; httponly$/);
      });
      it('refreshes, and is replaced', async () => {
        const { cookie } = await cookieOf();
        const sent = { Cookie: `other=1; ${cookie.split(';')[0]}` };
        const response = await accounts.post('/api/auth/refresh', {}, { headers: sent, from: newAddress() });
        expect(response.json()).toEqual({ jwt: expect.any(String) });
        expect(response.headers['set-cookie']?.[0]).not.toBe(cookie);
        expect((await accounts.post('/api/auth/refresh', {}, { headers: sent })).status).toBe(401);
      });
      it('is removed by a logout, which needs more than the cookie', async () => {
        const { response, cookie } = await cookieOf();
        const headers = { Cookie: cookie.split(';')[0] ?? '' };
        expect((await accounts.post('/api/auth/logout', {}, { headers })).status).toBe(403);
        const out = await accounts.post('/api/auth/logout', {}, { headers, jwt: signedInBy(response).jwt });
        expect(out.headers['set-cookie']?.[0]).toMatch(/^strapi_up_refresh=; .*expires=Thu, 01 Jan 1970/);
        expect((await accounts.post('/api/auth/refresh', {}, { headers })).status).toBe(401);
      });
    });

    it('a database without a table for sessions, as early releases of Strapi 5 made them: signing in says what it needs', async () => {
      const login = { method: 'POST', path: '/api/auth/local', body: { identifier: ada.username, password: ada.password } };
      const dora = { username: 'dora', email: 'dora@example.org', password: 'Dora-Pass-1' };
      const register = { method: 'POST', path: '/api/auth/local/register', body: dora };
      const beside = (env = {}) => accounts.beside({ LECTERN_MIGRATE: 'never', ...env });
      const { jwt } = await accounts.signIn(ada);
      await accounts.change('DROP TABLE strapi_sessions');
      const without = await beside();
      for (const request of [login, register]) {
        const error = errorOf(await without.send({ ...request, from: newAddress() }));
        expect(error).toMatchObject({ status: 501, message: expect.stringContaining('run lectern migrate apply and start again') });
      }
      expect(await accounts.query("SELECT 1 FROM up_users WHERE username = 'dora'")).toEqual([]);
      expect((await without.get('/api/users/me', { Authorization: `Bearer ${jwt}` })).status).toBe(401);
      expect((await (await beside({ LECTERN_AUTH_JWT_MANAGEMENT: 'legacy-support' })).send(login)).status).toBe(200);
      expect((await run(['migrate', 'apply', '--dir', accounts.project.dir], accounts.project.env)).status).toBe(0);
      const server = await beside();
      for (const request of [login, register]) expect((await server.send(request)).status).toBe(200);
    });
  });

  describe.runIf(anyEngine.includes(engine)).each(profiles)('without sessions (legacy-support), in profile %s', (profile) => {
    const accounts = useAccounts(engine, { LECTERN_PROFILE: profile, LECTERN_AUTH_JWT_MANAGEMENT: 'legacy-support' });
    const ended = profile === 'specification' ? 401 : 200;

    it('a new password ends what was signed in before', async () => {
      const user = await newUser(accounts);
      expect((await me(accounts, user.jwt)).status).toBe(200);
      const change = { currentPassword: user.password, password: 'Guest-Pass-2', passwordConfirmation: 'Guest-Pass-2' };
      const response = await accounts.post('/api/auth/change-password', change, { jwt: user.jwt });
      expect((await me(accounts, user.jwt)).status).toBe(ended);
      expect((await me(accounts, signedInBy(response).jwt)).status).toBe(200);
    });

    it('a blocked user is refused at once', async () => {
      const { jwt, id } = await newUser(accounts);
      expect((await me(accounts, jwt)).status).toBe(200);
      await accounts.send('full', { method: 'PUT', path: `/api/users/${id}`, body: { blocked: true } });
      expect((await me(accounts, jwt)).status).toBe(401);
    });

    // 'is of another mode', above, is the same token in mode `refresh`. The policy of profile `specification` needs a mark that Strapi does not set.
    it('a long-lived token as Strapi makes it is accepted in this mode alone', async () => {
      const { id } = await newUser(accounts);
      const strapis = signedToken({ alg: 'HS256', typ: 'JWT' }, { id: Number(id), iat: seconds(), exp: seconds() + 60 });
      expect((await me(accounts, strapis)).status).toBe(ended);
    });

    it('there is nothing to refresh, list or end', async () => {
      const { jwt } = await accounts.signIn(ada);
      expect((await accounts.post('/api/auth/refresh', { refreshToken: jwt })).status).toBe(404);
      expect((await accounts.as(jwt, 'GET', '/api/auth/sessions')).status).toBe(404);
      expect((await accounts.as(jwt, 'POST', '/api/auth/logout', {})).status).toBe(404);
    });
  });
});
