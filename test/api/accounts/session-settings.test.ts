/** The settings of sessions: for how long they last, and on which sites their cookie can be used. */
import { describe, expect, it } from 'vitest';
import { ada, signedInBy, useAccounts } from '../../support/accounts.ts';
import { engineSql } from '../../support/engine-sql.ts';
import { anyEngine } from '../../support/engines.ts';
import { errorOf } from '../../support/served-project.ts';
import { words } from '../../support/words.ts';

const app = 'https://app.example';

describe.each(anyEngine)('%s: the cookie of a session for front ends on another site', (engine) => {
  const accounts = useAccounts(engine, {
    LECTERN_URL: 'https://api.example.org',
    LECTERN_CORS_ORIGINS: `${app},http://localhost:3000`,
    LECTERN_CORS_CREDENTIALS: 'true',
    LECTERN_AUTH_COOKIE_SAME_SITE: 'none',
    LECTERN_AUTH_COOKIE_MAX_AGE: '86400',
  });
  const signIn = async () => {
    const body = { identifier: ada.username, password: ada.password };
    const response = await accounts.post('/api/auth/local', body, { headers: { Origin: app } });
    const set = response.headers['set-cookie']?.[0] ?? '';
    return { response, set, cookie: set.split(';')[0] ?? '' };
  };
  const refresh = (headers: Readonly<Record<string, string>>) => accounts.post('/api/auth/refresh', {}, { headers });

  it('is sent from other sites, over https only, and for as long as the setting says', async () => {
    const { response, set } = await signIn();
    expect(set).toMatch(/^strapi_up_refresh=[\w.-]+; path=\/; max-age=86400; samesite=none; httponly; secure; partitioned$/);
    expect(response.headers).toMatchObject({ 'access-control-allow-origin': app, 'access-control-allow-credentials': 'true' });
  });

  it.each([app, 'http://localhost:3000', 'https://api.example.org'])('refreshes from a page of %s, and is replaced', async (origin) => {
    const { cookie } = await signIn();
    const response = await refresh({ Cookie: cookie, Origin: origin });
    expect(response.json()).toEqual({ jwt: expect.any(String) });
    expect(response.headers['set-cookie']?.[0]).toMatch(/; samesite=none; httponly; secure; partitioned$/);
  });

  it('refreshes from a page of the server itself, and for a program that is no browser', async () => {
    const { cookie } = await signIn();
    const { host } = new URL(accounts.server.base);
    const response = await refresh({ Cookie: cookie, Origin: `http://${host}` });
    const [renewed = ''] = response.headers['set-cookie']?.[0]?.split(';') ?? [];
    expect((await refresh({ Cookie: renewed })).status).toBe(200);
  });

  it.each(words`https://evil.example https://app.example.evil.example http://app.example https://app.example:8443 null file://`)(
    'is neither used nor used up by a page of %s',
    async (origin) => {
      const { cookie, response } = await signIn();
      const refused = await refresh({ Cookie: cookie, Origin: origin });
      expect({ status: refused.status, code: errorOf(refused) }).toMatchObject({ status: 403, code: { code: 'session.foreign-origin' } });
      expect(refused.headers).not.toHaveProperty('set-cookie');
      const { jwt } = signedInBy(response);
      for (const body of [{}, { scope: 'all' }])
        expect((await accounts.post('/api/auth/logout', body, { jwt, headers: { Cookie: cookie, Origin: origin } })).status).toBe(403);
      // Nothing has ended.
      expect((await accounts.as(jwt, 'GET', '/api/users/me')).status).toBe(200);
      expect((await refresh({ Cookie: cookie, Origin: app })).status).toBe(200);
    },
  );

  it('is removed with the attributes that it was set with', async () => {
    const { cookie, response } = await signIn();
    const out = await accounts.post('/api/auth/logout', {}, { jwt: signedInBy(response).jwt, headers: { Cookie: cookie, Origin: app } });
    expect(out.headers['set-cookie']?.[0]).toMatch(/^strapi_up_refresh=; .*1970.*; samesite=none; httponly; secure; partitioned$/);
  });
});

describe.each(anyEngine)('%s: a cookie that the user wants to keep', (engine) => {
  const accounts = useAccounts(engine, { LECTERN_AUTH_HTTP_ONLY: 'false', LECTERN_AUTH_IDLE_REFRESH_TOKEN_LIFESPAN: '2000' });
  const inCookie = { 'X-Strapi-Refresh-Cookie': 'httpOnly' };
  const credentials = { identifier: ada.username, password: ada.password };
  const setBy = async (path: string, body: object, headers: Readonly<Record<string, string>>) =>
    (await accounts.post(path, body, { headers })).headers['set-cookie']?.[0] ?? '';

  it.each([
    ['true', '; max-age=2000'],
    ['false', ''],
    ['1', ''],
    ['', ''],
  ])('X-Lectern-Keep-Session: %j', async (keep, age) => {
    const headers = { ...inCookie, 'X-Lectern-Keep-Session': keep };
    const set = await setBy('/api/auth/local', credentials, headers);
    expect(set).toMatch(new RegExp(`^strapi_up_refresh=[\\w.-]+; path=/${age}; samesite=lax; httponly$`));
    const renewed = await setBy('/api/auth/refresh', {}, { ...headers, Cookie: set.split(';')[0] ?? '' });
    expect(renewed).toMatch(new RegExp(`^strapi_up_refresh=[\\w.-]+; path=/${age}; samesite=lax; httponly$`));
    expect(renewed.split(';')[0]).not.toBe(set.split(';')[0]);
  });

  it('the header alone puts nothing into a cookie', async () => {
    const response = await accounts.post('/api/auth/local', credentials, { headers: { 'X-Lectern-Keep-Session': 'true' } });
    expect(response.headers).not.toHaveProperty('set-cookie');
    expect(response.json()).toMatchObject({ refreshToken: expect.any(String) });
  });

  it('stays in the cookie when it is refreshed without the headers', async () => {
    const set = await setBy('/api/auth/local', credentials, inCookie);
    const response = await accounts.post('/api/auth/refresh', {}, { headers: { Cookie: set.split(';')[0] ?? '' } });
    expect(response.json()).toEqual({ jwt: expect.any(String) });
    const [cookie = ''] = response.headers['set-cookie']?.[0]?.split(';') ?? [];
    expect((await accounts.post('/api/auth/refresh', {}, { headers: { Cookie: cookie } })).status).toBe(200);
  });

  /** What a form or a script of another page can send without being asked (no preflight). */
  const withoutPreflight = ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'];
  it.each(withoutPreflight)('a page of another host of the same site cannot use it up: %s', async (contentType) => {
    const set = await setBy('/api/auth/local', credentials, { ...inCookie, 'X-Lectern-Keep-Session': 'true' });
    const cookie = set.split(';')[0] ?? '';
    const base = { Cookie: cookie, 'Content-Type': contentType };
    const foreign = { ...base, Origin: 'https://blog.example.org', 'Sec-Fetch-Site': 'same-site' };
    const refused = await accounts.server.send({ method: 'POST', path: '/api/auth/refresh', headers: foreign, body: '' });
    expect(refused.status).toBe(contentType.startsWith('application/x-www') ? 403 : refused.status);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.headers).not.toHaveProperty('set-cookie');
    const own = { Cookie: cookie, Origin: accounts.server.base, 'Sec-Fetch-Site': 'same-origin' };
    expect((await accounts.post('/api/auth/refresh', {}, { headers: own })).status).toBe(200);
  });
});

describe.each(anyEngine)('%s: a cookie that the configuration keeps', (engine) => {
  const accounts = useAccounts(engine, { LECTERN_AUTH_COOKIE_MAX_AGE: '500' });
  it('for as long as the setting says, whatever the header', async () => {
    const { headers } = await accounts.post(
      '/api/auth/local',
      { identifier: ada.username, password: ada.password },
      { headers: { 'X-Lectern-Keep-Session': 'true' } },
    );
    expect(headers['set-cookie']?.[0]).toContain('; max-age=500; ');
  });
});

describe.each(anyEngine)('%s: a cookie that no other site may send', (engine) => {
  const accounts = useAccounts(engine, { LECTERN_AUTH_COOKIE_SAME_SITE: 'strict' });
  it('says so, and lasts until the browser is closed', async () => {
    const { headers } = await accounts.post('/api/auth/local', { identifier: ada.username, password: ada.password });
    expect(headers['set-cookie']?.[0]).toMatch(/^strapi_up_refresh=[\w.-]+; path=\/; samesite=strict; httponly$/);
  });
});

describe.each(anyEngine)('%s: the length of a session', (engine) => {
  const accounts = useAccounts(engine, {
    LECTERN_AUTH_HTTP_ONLY: 'false',
    LECTERN_AUTH_ACCESS_TOKEN_LIFESPAN: '100',
    LECTERN_AUTH_IDLE_REFRESH_TOKEN_LIFESPAN: '2000',
    LECTERN_AUTH_MAX_REFRESH_TOKEN_LIFESPAN: '30000',
  });
  const { milliseconds, moment } = engineSql[engine];
  const refresh = (refreshToken: string) => accounts.post('/api/auth/refresh', { refreshToken });
  const secondsOf = (token: string) => {
    const { iat, exp } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { iat: number; exp: number };
    return exp - iat;
  };

  it('is that of the settings: of the access token, without a refresh, and in all', async () => {
    const { jwt, refreshToken } = await accounts.signIn(ada);
    const [row = []] = await accounts.query(
      `SELECT ${milliseconds('expires_at')}, ${milliseconds('absolute_expires_at')} FROM strapi_sessions`,
    );
    const left = row.map((end) => Math.round((Number(end) - Date.now()) / 10_000) * 10);
    expect([secondsOf(jwt), ...left]).toEqual([100, 2000, 30_000]);
    expect((await refresh(signedInBy(await refresh(refreshToken)).refreshToken)).status).toBe(200);
  });

  it.each(['expires_at', 'absolute_expires_at'])('ends when %s is past', async (column) => {
    const { refreshToken } = await accounts.signIn(ada);
    await accounts.change(`UPDATE strapi_sessions SET ${column} = ${moment(Date.now() - 1)}`);
    expect((await refresh(refreshToken)).status).toBe(401);
  });
});
