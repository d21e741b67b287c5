/** `rateLimit.max` and `trustProxy`: who counts as one caller, and what does not make another one of it. */
import { describe, expect, it, vi } from 'vitest';
import { ada, ben, jwtSecret, newAddress, signedInBy } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import type { HttpResponse, SentRequest } from '../../support/http.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { errorOf, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

vi.setConfig({ testTimeout: 30_000 });

const find = ['api::note.note.find', 'api::note.note.findOne'];
const project = {
  files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
  public: [...find, 'plugin::users-permissions.auth.callback'],
  authenticated: find,
  users: [ada, ben],
};
const max = 5;
/** More good tokens than that, behind one address. */
const crowd = Array.from({ length: 3 * max }, (_, index) => `crowd-${index}`);
const path = '/api/notes';
const statusesOf = (responses: readonly HttpResponse[]) => responses.map(({ status }) => status);

describe.each(anyEngine)('%s: rateLimit.max', (engine) => {
  const served = useProject(engine, {
    ...project,
    tokens: {
      ...Object.fromEntries(['one', 'two', 'three', 'four', 'five', ...crowd].map((name) => [name, find])),
      writer: ['api::note.note.create'],
      otherWriter: ['api::note.note.create'],
      ...Object.fromEntries(['bulk', 'otherBulk', 'publisher'].map((name) => [name, [...find, 'api::note.note.update']])),
    },
    env: { JWT_SECRET: jwtSecret, LECTERN_RATE_LIMIT_MAX: String(max) },
  });
  const ask = (request: Partial<SentRequest>, who = 'public') => served.send(who, { path, ...request });
  const exhaust = async (request: Partial<SentRequest>, who = 'public') => {
    for (let round = 0; round < max; round++) expect((await ask(request, who)).status).toBe(200);
  };
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const jwtOf = async (user: typeof ada) => {
    const body = { identifier: user.username, password: user.password };
    return signedInBy(await ask({ method: 'POST', path: '/api/auth/local', body, from: newAddress() })).jwt;
  };

  it('counts down in the headers, and refuses with the time to wait', async () => {
    const from = newAddress();
    for (let round = 0; round < max; round++) {
      const { status, headers } = await ask({ from });
      expect([status, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([200, String(max), String(max - round - 1)]);
    }
    const refused = await ask({ from });
    expect(errorOf(refused)).toMatchObject({ status: 429, name: 'RateLimitError' });
    const seconds = Number(refused.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(61);
    expect(Number(refused.headers['x-ratelimit-reset']) * 1000).toBeGreaterThan(Date.now());
  });

  it('does not count simultaneous lookups of valid tokens, nor lookups that fail in the database', async () => {
    const from = newAddress();
    const all = () => Promise.all(crowd.map((name) => ask({ from }, name)));
    await all();
    await served.change('ALTER TABLE strapi_api_tokens RENAME TO tokens_moved');
    // Longer than look-ups are cached.
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const failed: number[] = [];
    for (const name of crowd.slice(0, max + 1)) failed.push((await ask({ from }, name)).status);
    await served.change('ALTER TABLE tokens_moved RENAME TO strapi_api_tokens');
    expect(failed).toEqual(failed.map(() => 503));
    for (const name of crowd) expect((await ask({ from }, name)).status).toBe(200);
  });

  const evasions: readonly (readonly [string, Partial<SentRequest>])[] = [
    ['letter case', { path: '/API/Notes' }],
    ['a slash at the end', { path: '/api/notes/' }],
    ['an encoded letter', { path: '/api/n%6ftes' }],
    ['a query', { path: '/api/notes?sort=title' }],
    ['another route', { path: '/api/notes/abcdefghijklmnopqrstuvwx' }],
    ['HEAD', { method: 'HEAD' }],
    ['a body', { method: 'POST', body: { data: { title: 'x' } } }],
    ['X-Forwarded-For', { headers: { 'X-Forwarded-For': '203.0.113.9' } }],
    ['Forwarded', { headers: { Forwarded: 'for=203.0.113.9' } }],
    ['X-Real-IP', { headers: { 'X-Real-IP': '203.0.113.9' } }],
    ['credentials of another scheme', { headers: { Authorization: 'Basic YTpi' } }],
    ['Bearer without a token', { headers: { Authorization: 'Bearer ' } }],
    ['Bearer with two words', { headers: { Authorization: 'Bearer a b' } }],
    ['a token in the query', { path: '/api/notes?access_token=abc' }],
    ['another Host', { headers: { Host: 'another.example.org' } }],
    ['another User-Agent', { headers: { 'User-Agent': 'another' } }],
  ];
  it.each(evasions)('is not reset by %s', async (_, request) => {
    const from = newAddress();
    await exhaust({ from });
    expect((await ask({ ...request, from })).status).toBe(429);
    expect((await ask({ from: newAddress() })).status).toBe(200);
  });

  it('cannot be evaded by two slashes', async () => {
    const from = newAddress();
    await exhaust({ from });
    expect((await ask({ path: '/api//notes', from })).status).toBe(404);
    expect((await ask({ path: '//api/notes', from })).status).toBe(404);
  });

  it('does not count preflight requests', async () => {
    const from = newAddress();
    const headers = { Origin: 'https://example.org', 'Access-Control-Request-Method': 'GET' };
    for (let round = 0; round < 2 * max; round++) expect((await ask({ method: 'OPTIONS', headers, from })).status).toBe(204);
    expect((await ask({ from })).status).toBe(200);
  });

  it('counts an API token separately, from any IP address', async () => {
    const from = newAddress();
    await exhaust({ from });
    await exhaust({ from }, 'one');
    expect((await ask({ from: newAddress() }, 'one')).status).toBe(429);
    expect((await ask({ from }, 'two')).status).toBe(200);
  });

  it('counts each operation of a batch', async () => {
    const batch = (count: number, who: string) => {
      const operations = Array.from({ length: count }, () => ({ create: 'api::note.note', data: { title: 'x' } }));
      return ask({ method: 'POST', path: '/api/_batch', body: { operations } }, who);
    };
    const first = await batch(3, 'writer');
    expect([first.status, first.headers['x-ratelimit-remaining']]).toEqual([200, String(max - 3)]);
    expect(statusesOf([await batch(3, 'writer'), await batch(1, 'writer')])).toEqual([429, 429]);
    expect(errorOf(await batch(max + 1, 'otherWriter'))).toMatchObject({ status: 400, code: 'limit.batch' });
  });

  it('counts each document of a write by filter, and each entry of a release, at most a whole window', async () => {
    const bulk = (expected: number, who: string) =>
      ask({ method: 'PATCH', path: `${path}?filters[title]=none`, body: { data: { title: 'x' }, expected } }, who);
    const first = await bulk(3, 'bulk');
    expect([first.status, first.headers['x-ratelimit-remaining']]).toEqual([409, String(max - 3)]);
    expect((await bulk(3, 'bulk')).status).toBe(429);
    expect(statusesOf([await bulk(max + 1, 'otherBulk'), await bulk(1, 'otherBulk')])).toEqual([409, 429]);
    const entries = ['a', 'b', 'c'].map((documentId) => ({ publish: 'api::note.note', documentId }));
    const release = () => ask({ method: 'POST', path: '/api/_releases', body: { name: 'x', entries } }, 'publisher');
    expect(statusesOf([await release(), await release()])).toEqual([400, 429]);
  });

  it('counts a user, and not each token of the user', async () => {
    const [first, second, other] = [await jwtOf(ada), await jwtOf(ada), await jwtOf(ben)];
    for (let round = 0; round < max; round++) {
      expect((await ask({ headers: bearer(round % 2 === 0 ? first : second), from: newAddress() })).status).toBe(200);
    }
    for (const jwt of [first, second]) expect((await ask({ headers: bearer(jwt), from: newAddress() })).status).toBe(429);
    expect((await ask({ headers: bearer(other), from: newAddress() })).status).toBe(200);
  });

  it('limits the guessing of tokens, and does not reveal a right guess after that', async () => {
    const from = newAddress();
    const guess = (round: number) => ask({ headers: bearer(round % 2 === 0 ? 'f'.repeat(200 + round) : `a.b.${round}`), from });
    for (let round = 0; round < max; round++) expect((await guess(round)).status).toBe(401);
    expect((await guess(max)).status).toBe(429);
    expect((await ask({ from }, 'three')).status).toBe(429);
    expect((await ask({ from: newAddress() }, 'three')).status).toBe(200);
    expect((await ask({ from })).status).toBe(200);
  });

  it('does not allow more guesses at the same time', async () => {
    const from = newAddress();
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, round) => ask({ headers: bearer(`${round}`.padStart(256, 'e')), from })),
    );
    expect(statusesOf(responses).filter((status) => status === 401)).toHaveLength(max);
    expect(statusesOf(responses).filter((status) => status === 429)).toHaveLength(30 - max);
  });

  it('does not count a valid token as a guess', async () => {
    const from = newAddress();
    for (const who of ['four', 'five']) {
      for (let round = 0; round < max; round++) {
        // Forgets what was looked up, on SQLite by the change and on PostgreSQL by the time.
        await served.change(`UPDATE notes SET title = '${round}'`);
        expect((await ask({ from }, who)).status).toBe(200);
      }
    }
    for (let round = 0; round < max; round++) expect((await ask({ headers: bearer('d'.repeat(256)), from })).status).toBe(401);
  });
});

describe.each(anyEngine)('%s: rateLimit.window', (engine) => {
  const served = useProject(engine, { ...project, env: { LECTERN_RATE_LIMIT_MAX: '2', LECTERN_RATE_LIMIT_WINDOW: '1' } });

  it('ends', async () => {
    const from = newAddress();
    const statuses = async () => statusesOf([await served.send('public', { path, from }), await served.send('public', { path, from })]);
    expect(await statuses()).toEqual([200, 200]);
    expect((await served.send('public', { path, from })).status).toBe(429);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await statuses()).toEqual([200, 200]);
  });

  it('reports a proxy that trustProxy does not name, once', async () => {
    const warnings = () => served.server.output.stderr.split('is not listed in trustProxy').length - 1;
    expect(warnings()).toBe(0);
    for (let call = 0; call < 3; call++) await served.send('public', { path, headers: { 'X-Forwarded-For': '203.0.113.1' } });
    expect(warnings()).toBe(1);
  });
});

describe.each(anyEngine)('%s: trustProxy', (engine) => {
  const proxy = '127.0.0.1';
  const served = useProject(engine, {
    ...project,
    env: { JWT_SECRET: jwtSecret, LECTERN_RATE_LIMIT_MAX: '2', LECTERN_TRUST_PROXY: `${proxy}, 127.0.0.128/25` },
  });
  const from = (address: string, forwarded: string) =>
    served.send('public', { path, from: address, headers: { 'X-Forwarded-For': forwarded } });
  const three = async (forwarded: readonly string[], address = proxy) => {
    const statuses: number[] = [];
    for (const each of forwarded) statuses.push((await from(address, each)).status);
    return statuses;
  };
  const sameCaller = [200, 200, 429];
  const threeCallers = [200, 200, 200];

  type Case = readonly [it: string, forwarded: readonly string[], statuses: readonly number[], address?: string];
  const cases: readonly Case[] = [
    ['counts who is behind the proxy', ['203.0.113.1', '203.0.113.1', '203.0.113.1'], sameCaller],
    ['tells callers behind the proxy apart', ['203.0.113.2', '203.0.113.3', '203.0.113.4'], threeCallers],
    ['counts who is behind a proxy of a network', ['203.0.113.5', '203.0.113.6', '203.0.113.7'], threeCallers, '127.0.0.200'],
    ['believes nobody else', ['203.0.113.11', '203.0.113.12', '203.0.113.13'], sameCaller, '127.0.0.2'],
    ['takes the address that the proxy has added', ['1.1.1.1, 203.0.113.20', '2.2.2.2, 203.0.113.20', '3.3.3.3,203.0.113.20'], sameCaller],
    ['goes through proxies in a row', ['203.0.113.21, 127.0.0.129', '203.0.113.22, 127.0.0.130', '203.0.113.23,127.0.0.131'], threeCallers],
    ['counts a /64 of IPv6 as one caller', ['2001:db8::1', '2001:DB8::2', '2001:db8:0:0:ffff::3'], sameCaller],
    ['tells networks of IPv6 apart', ['2001:db8:1::1', '2001:db8:1:1::1', '2001:db8:2::1'], threeCallers],
    ['counts IPv4 in IPv6 as IPv4', ['203.0.113.30', '::ffff:203.0.113.30', '::FFFF:203.0.113.30'], sameCaller],
    ['counts everything that is no address as one caller', ['nobody', 'x'.repeat(5000), '<script>'], sameCaller],
  ];
  for (const [sentence, forwarded, statuses, address] of cases) {
    it(sentence, async () => expect(await three(forwarded, address)).toEqual(statuses));
  }

  it('a cookie is for encrypted connections where the proxy says that this is one', async () => {
    const cookie = async (address: string, headers: Readonly<Record<string, string>>) => {
      const body = { identifier: ada.username, password: ada.password };
      const response = await served.send('public', {
        method: 'POST',
        path: '/api/auth/local',
        body,
        from: address,
        headers: { 'X-Strapi-Refresh-Cookie': 'httpOnly', ...headers },
      });
      return response.headers['set-cookie']?.[0] ?? `none (${response.status})`;
    };
    const https = { 'X-Forwarded-Proto': 'https' };
    expect(await cookie(proxy, { ...https, 'X-Forwarded-For': '203.0.113.40' })).toMatch(/; secure$/);
    expect(await cookie(proxy, { 'X-Forwarded-Proto': 'http', 'X-Forwarded-For': '203.0.113.41' })).toMatch(/; httponly$/);
    expect(await cookie('127.0.0.3', https)).toMatch(/; httponly$/);
  });

  it.each([
    ['true', 'would trust whoever connects'],
    ['1', 'a number of proxies, which a caller who goes round them has not passed'],
    ['0.0.0.0/0', 'a network of everybody'],
    ['10.0.0.0/33', 'no network'],
    ['proxy.example.org', 'a name'],
    ['10.0.0.1,all', 'one of several'],
  ])('refuses to start with %s: %s', async (value) => {
    const finished = await run(['check', '--dir', served.project.dir], { ...served.project.env, LECTERN_TRUST_PROXY: value });
    expect(finished.status).toBe(1);
    expect(finished.stderr).toContain(`LECTERN_TRUST_PROXY is "${value}", but must be a list`);
  });
});
