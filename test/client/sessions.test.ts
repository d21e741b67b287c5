/** Signing in by the client: tokens in a storage or in a cookie, refreshed once for all calls. */
import { setTimeout } from 'node:timers/promises';
import { type ClientOptions, createClient, type Tokens } from '@lectern/client';
import { describe, expect, it } from 'vitest';
import { ada, ben, useAccounts } from '../support/accounts.ts';
import { anHourLater } from '../support/an-hour-later.ts';
import { anyEngine } from '../support/engines.ts';
import { pageOf } from '../support/page.ts';
import { useMade } from '../support/use-made.ts';
import { refusal, startPlayedServer } from './played-server.ts';
import { type Exchange, recordedFetch } from './recorded-fetch.ts';

/** A storage that a test can look into. */
function openStorage(tokens?: Tokens) {
  const storage = {
    tokens,
    get: async () => storage.tokens,
    set: async (given: Tokens | undefined) => {
      storage.tokens = given;
    },
  };
  return storage;
}
const ofRefresh = (exchanges: readonly Exchange[]) => exchanges.filter(({ url }) => url.endsWith('/auth/refresh'));
const login = ({ username, password }: typeof ada) => ({ identifier: username, password });

describe.each(anyEngine)('%s: a session', (engine) => {
  const origin = 'https://app.example.org';
  const served = useAccounts(engine, {
    LECTERN_CORS_ORIGINS: origin,
    LECTERN_CORS_CREDENTIALS: 'true',
    LECTERN_AUTH_COOKIE_SAME_SITE: 'none',
    LECTERN_AUTH_HTTP_ONLY: 'false',
  });
  const open = (more: Partial<ClientOptions> = {}) =>
    createClient({ baseURL: `${served.server.base}/api`, retry: { attempts: 0 }, ...more });
  /** Makes the access token one that the server refuses. */
  const spoil = (storage: ReturnType<typeof openStorage>) => {
    storage.tokens = { ...storage.tokens, jwt: 'expired' };
  };

  it('begins with a login, whose tokens are stored', async () => {
    const storage = openStorage();
    const client = open({ auth: { storage } });
    expect((await client.auth.me()).error).toMatchObject({ kind: 'forbidden' });
    expect(await client.auth.login({ identifier: 'ada', password: 'wrong' })).toMatchObject({
      data: null,
      error: { kind: 'invalid', code: 'login.failed' },
    });
    expect(storage.tokens).toBeUndefined();
    const { data } = await client.auth.login(login(ada)).orThrow();
    expect(data).toEqual({ jwt: expect.any(String), user: expect.objectContaining({ username: 'ada' }) });
    expect(storage.tokens).toEqual({ jwt: data.jwt, refreshToken: expect.any(String) });
    expect((await client.auth.me({ fields: ['username'] })).data).toMatchObject({ username: 'ada' });
    expect(await (await client.fetch('/users/me')).json()).toMatchObject({ username: 'ada' });
  });

  it('may read users as a collection', async () => {
    const manager = open({ token: served.authorization('manager').Authorization?.slice('Bearer '.length) }).collection('users');
    const { data } = await manager.find({ sort: 'username', filters: { username: { $in: ['ada', 'ben'] } } }).orThrow();
    expect(data.map(({ username }) => username)).toEqual(['ada', 'ben']);
    const names = [];
    for await (const { username } of manager.all({ filters: { username: { $in: ['ada', 'ben'] } } })) names.push(username);
    expect(names).toEqual(['ada', 'ben']);
  });

  it('refreshes once for all calls that find the token expired', async () => {
    const storage = openStorage(await served.signIn(ada));
    const before = storage.tokens;
    const { fetch, exchanges } = recordedFetch();
    const client = open({ auth: { storage }, fetch });
    spoil(storage);
    const calls = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((each) => (each % 2 === 0 ? client.fetch('/users/me') : client.auth.me().orThrow())),
    );
    expect(calls).toHaveLength(6);
    expect(calls.map((call) => (call instanceof Response ? call.status : call.data.username))).toEqual([
      'ada',
      200,
      'ada',
      200,
      'ada',
      200,
    ]);
    expect(ofRefresh(exchanges)).toHaveLength(1);
    expect(ofRefresh(exchanges)[0]?.headers.has('authorization')).toBe(false);
    expect(exchanges).toHaveLength(13);
    expect(storage.tokens?.refreshToken).not.toBe(before?.refreshToken);
  });

  it('ends when the server has ended it; the call has the 401, and the next ones are anonymous', async () => {
    const storage = openStorage({ jwt: 'expired', refreshToken: 'unknown' });
    const { fetch, exchanges } = recordedFetch();
    const client = open({ auth: { storage }, fetch });
    const errors = await Promise.all([1, 2, 3].map(async () => (await client.auth.me()).error?.kind));
    expect(errors).toEqual(['unauthorized', 'unauthorized', 'unauthorized']);
    expect(ofRefresh(exchanges)).toHaveLength(1);
    expect(storage.tokens).toBeUndefined();
    await client.auth.me();
    expect(exchanges.at(-1)?.headers.has('authorization')).toBe(false);
  });

  it('without a refresh token ends with the access token', async () => {
    const storage = openStorage({ jwt: 'expired' });
    const { fetch, exchanges } = recordedFetch();
    const client = open({ auth: { storage }, fetch });
    expect((await client.auth.me()).error?.kind).toBe('unauthorized');
    expect(exchanges).toHaveLength(1);
    expect(storage.tokens).toBeUndefined();
  });

  it('ends with a logout, also if the access token has expired', async () => {
    const tokens = await served.signIn(ben);
    const storage = openStorage(tokens);
    const client = open({ auth: { storage } });
    spoil(storage);
    expect(await client.auth.logout()).toEqual({ data: undefined });
    expect(storage.tokens).toBeUndefined();
    expect((await served.as(tokens.jwt, 'GET', '/api/users/me')).status).toBe(401);
    expect((await served.post('/api/auth/refresh', { refreshToken: tokens.refreshToken })).status).toBe(401);
    // Nobody is signed in.
    expect(await client.auth.logout()).toEqual({ data: undefined });
    expect(await client.auth.refresh()).toEqual({ data: false });
  });

  it('ends here even if the server cannot be told', async () => {
    const storage = openStorage({ jwt: 'a', refreshToken: 'b' });
    const client = open({ baseURL: 'http://127.0.0.1:1/api', auth: { storage } });
    expect((await client.auth.logout()).error?.kind).toBe('network');
    expect(storage.tokens).toBeUndefined();
  });

  it('on all devices ends with the scope all', async () => {
    const [one, other] = [await served.signIn(ben), await served.signIn(ben)];
    const client = open({ auth: { storage: openStorage(one) } });
    expect((await client.auth.logout({ scope: 'all' })).error).toBeUndefined();
    expect((await served.as(other.jwt, 'GET', '/api/users/me')).status).toBe(401);
  });

  it('begins by registering, and by another password', async () => {
    const client = open();
    const body = { username: 'cleo', email: 'cleo@example.org', password: 'Cleo-Pass-1' };
    expect((await client.auth.register(body)).data).toMatchObject({ user: { username: 'cleo' } });
    const passwords = { currentPassword: body.password, password: 'Cleo-Pass-2', passwordConfirmation: 'Cleo-Pass-2' };
    expect((await client.auth.changePassword(passwords)).data).toMatchObject({ jwt: expect.any(String) });
    expect((await client.auth.me()).data).toMatchObject({ username: 'cleo' });
    expect((await client.auth.resetPassword({ code: 'x', password: 'Cleo-Pass-3', passwordConfirmation: 'Cleo-Pass-3' })).error?.code).toBe(
      'password.code',
    );
    expect((await client.auth.forgotPassword({ email: 'nobody@example.org' })).error).toBeUndefined();
    expect((await client.auth.exchangeCode('../x', { code: 'a' })).error?.status).toBe(400);
  });

  it('of one user uses nothing of another one', async () => {
    const { fetch, exchanges } = recordedFetch();
    const [asAda, asBen] = [await served.signIn(ada), await served.signIn(ben)];
    const storage = openStorage(asAda);
    const client = open({ auth: { storage }, fetch });
    const path = () => client.collection('notes').find();
    await path();
    await path();
    await client.auth.logout();
    storage.tokens = asBen;
    await path();
    await client.auth.login(login(ada));
    await path();
    expect(exchanges.filter(({ url }) => url.endsWith('/notes')).map(({ headers }) => headers.get('if-none-match'))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it('in a cookie: the page has the access token only, and is signed in after it was loaded again', async () => {
    const cookies = new Map();
    const openPage = () => {
      const { fetch: pageFetch } = pageOf(origin, cookies);
      const sent: string[] = [];
      const fetch: typeof globalThis.fetch = (url, init) => {
        sent.push(`${String(url).replace(/.*\/api/, '')} ${init?.credentials}`);
        return pageFetch(url, init);
      };
      const storage = openStorage();
      return { client: open({ fetch, auth: { cookie: true, storage } }), storage, sent };
    };
    const first = openPage();
    expect(await first.client.auth.refresh()).toEqual({ data: false });
    await first.client.auth.login(login(ada)).orThrow();
    expect(first.storage.tokens).toEqual({ jwt: expect.any(String) });
    expect([...cookies.keys()]).toEqual(['strapi_up_refresh']);

    const again = openPage();
    expect(await again.client.auth.refresh()).toEqual({ data: true });
    spoil(again.storage);
    const users = await Promise.all([1, 2, 3].map(async () => (await again.client.auth.me()).data?.username));
    expect(users).toEqual(['ada', 'ada', 'ada']);
    expect(again.sent.filter((each) => each === '/auth/refresh include')).toHaveLength(2);
    expect(again.sent).toContain('/users/me undefined');
    expect(await again.client.auth.logout()).toEqual({ data: undefined });
    expect(cookies.size).toBe(0);
    expect(await openPage().client.auth.refresh()).toEqual({ data: false });
  });

  it('in a cookie ends for a page that has lost its access token', async () => {
    const cookies = new Map();
    const { fetch } = pageOf(origin, cookies);
    await open({ fetch, auth: { cookie: true } })
      .auth.login(login(ada))
      .orThrow();
    expect(await open({ fetch, auth: { cookie: true } }).auth.logout()).toEqual({ data: undefined });
    expect(cookies.size).toBe(0);
  });
});

/** With `auth.httpOnly`, as by default: a program that is no page reads the cookie itself. */
describe.each(anyEngine)('%s: an access token', (engine) => {
  const served = useAccounts(engine);

  it('that expires is replaced, as often as it does', async () => {
    const client = createClient({ baseURL: `${served.server.base}/api` });
    await client.auth.login(login(ada)).orThrow();
    for (let each = 0; each < 2; each++) {
      anHourLater();
      expect(await client.auth.me()).toMatchObject({ data: { username: 'ada' } });
    }
  });
});

describe.each(anyEngine)('%s: without sessions (legacy-support)', (engine) => {
  const served = useAccounts(engine, { LECTERN_AUTH_JWT_MANAGEMENT: 'legacy-support' });

  it('signs in and out', async () => {
    const client = createClient({ baseURL: `${served.server.base}/api` });
    await client.auth.login(login(ada)).orThrow();
    expect((await client.auth.me()).data).toMatchObject({ username: 'ada' });
    expect(await client.auth.logout()).toEqual({ data: undefined });
    expect((await client.auth.me()).error?.kind).toBe('forbidden');
  });
});

describe('a refresh', () => {
  const server = useMade(startPlayedServer);
  const open = (storage: ReturnType<typeof openStorage>, more: Partial<ClientOptions> = {}) =>
    createClient({ baseURL: `${server().base}/api`, retry: { attempts: 0 }, auth: { storage }, ...more });
  const expired = { jwt: 'expired', refreshToken: 'once' };
  /** Access tokens other than `fresh` are refused. */
  const playing = (refresh: object) =>
    server().play(({ url, headers }) => {
      if (url === '/api/auth/refresh') return refresh;
      if (url === '/api/auth/local') return { body: { jwt: 'other', refreshToken: 'other', user: { id: 2 } } };
      return headers.authorization === 'Bearer expired' ? refusal(401) : { body: { data: [] } };
    });

  it.each([429, 500, 503])('that gets a %i leaves the session as it is', async (status) => {
    const storage = openStorage(expired);
    playing(refusal(status));
    expect((await open(storage).collection('a').find()).error?.status).toBe(status);
    expect(storage.tokens).toEqual(expired);
  });

  it('is not that of the call that began it: cancelling this one leaves the others', async () => {
    const storage = openStorage(expired);
    playing({ body: { jwt: 'fresh', refreshToken: 'twice' } });
    const slow: typeof fetch = async (url, init) => {
      if (String(url).endsWith('/refresh')) await setTimeout(100);
      return fetch(url, init);
    };
    const client = open(storage, { fetch: slow });
    const controller = new AbortController();
    const cancelled = client.collection('a').find({}, { signal: controller.signal });
    const other = client.collection('b').find();
    await setTimeout(50);
    controller.abort();
    expect((await cancelled).error?.kind).toBe('aborted');
    expect((await other).error).toBeUndefined();
    expect(storage.tokens).toEqual({ jwt: 'fresh', refreshToken: 'twice' });
  });

  it('that is refused a second time is not repeated', async () => {
    playing({ body: { jwt: 'expired', refreshToken: 'twice' } });
    const client = open(openStorage(expired));
    expect((await client.collection('a').find()).error?.kind).toBe('unauthorized');
    expect(server().requests).toHaveLength(2);
  });

  it('that arrives after another user has signed in changes nothing, and the call is not sent in their name', async () => {
    const storage = openStorage(expired);
    playing({ body: { jwt: 'fresh', refreshToken: 'twice' } });
    let signedIn: () => void = () => undefined;
    const login = new Promise<void>((resolve) => {
      signedIn = resolve;
    });
    const held: typeof fetch = async (url, init) => {
      const response = await fetch(url, init);
      if (init?.method === 'PATCH') await login;
      return response;
    };
    const client = open(storage, { fetch: held });
    const write = client.collection('a').update('b', { mine: true });
    await setTimeout(50);
    await client.auth.login({ identifier: 'other', password: 'x' }).orThrow();
    signedIn();
    expect((await write).error?.kind).toBe('unauthorized');
    expect(server().requests.map(({ method, headers }) => `${method} ${headers.authorization}`)).toEqual([
      'PATCH Bearer expired',
      'POST undefined',
    ]);
    expect(storage.tokens).toEqual({ jwt: 'other', refreshToken: 'other' });
  });

  it('that another process has done is used', async () => {
    const storage = openStorage(expired);
    playing(refusal(401));
    const racing: typeof fetch = async (url, init) => {
      if (String(url).endsWith('/refresh')) storage.tokens = { jwt: 'fresh', refreshToken: 'twice' };
      return fetch(url, init);
    };
    expect((await open(storage, { fetch: racing }).collection('a').find()).error).toBeUndefined();
    expect(storage.tokens).toEqual({ jwt: 'fresh', refreshToken: 'twice' });
  });

  it('is no matter of API tokens', async () => {
    server().play(refusal(401));
    const client = createClient({ baseURL: `${server().base}/api`, token: 'api-token' });
    expect((await client.collection('a').find()).error?.kind).toBe('unauthorized');
    expect(server().requests).toHaveLength(1);
  });
});
