/** HTTP itself as the weapon: requests inside of requests, headers that promise what is not so, keys that reach into objects, texts that keep a
 *  pattern busy. Paths that lead out are in test/api/media/serving.test.ts. */
import { afterAll, describe, expect, it } from 'vitest';
import { ada, newAddress, useAccounts } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import { type HttpResponse, said } from '../../support/http.ts';
import { sendRaw, statusesIn } from '../../support/raw-http.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { words } from '../../support/words.ts';

const files = schemaFiles({
  note: { drafts: true, localized: true, attributes: { title: { type: 'string' }, mail: { type: 'email' }, doc: { type: 'json' } } },
});
const note = {
  type: 'api::note.note',
  documents: [{ key: 'one', status: 'published' as const, data: { title: 'One' }, draft: { title: 'hush' } }],
};
const rights = ['api::note.note.find', 'api::note.note.findOne'];

const crlf = (lines: readonly string[], body = '') => `${lines.join('\r\n')}\r\n\r\n${body}`;
const inner = 'GET /_health HTTP/1.1\r\nHost: x\r\n\r\n';
const head = ['POST /api/auth/local HTTP/1.1', 'Host: x', 'Content-Type: application/json'];

const smuggled: readonly (readonly [what: string, bytes: string])[] = [
  ['a length and chunks', crlf([...head, 'Content-Length: 6', 'Transfer-Encoding: chunked'], `0\r\n\r\n${inner}`)],
  ['chunks and a length', crlf([...head, 'Transfer-Encoding: chunked', 'Content-Length: 6'], `0\r\n\r\n${inner}`)],
  ['two lengths', crlf([...head, 'Content-Length: 0', 'Content-Length: 44'], inner)],
  ['two lengths in one header', crlf([...head, 'Content-Length: 0, 44'], inner)],
  ['a length with a sign', crlf([...head, 'Content-Length: +0'], inner)],
  ['a length in another base', crlf([...head, 'Content-Length: 0x2c'], inner)],
  ['a space before the colon', crlf([...head, 'Transfer-Encoding : chunked'], `0\r\n\r\n${inner}`)],
  ['chunks by another name', crlf([...head, 'Transfer-Encoding: xchunked'], `0\r\n\r\n${inner}`)],
  ['chunked, then not', crlf([...head, 'Transfer-Encoding: chunked, identity'], `0\r\n\r\n${inner}`)],
  ['a folded header', crlf([...head, 'Transfer-Encoding:', ' chunked', 'Content-Length: 5'], `0\r\n\r\n${inner}`)],
  ['a line that ends without a return', `${head.join('\n')}\nContent-Length: 0\nTransfer-Encoding: chunked\n\n0\r\n\r\n${inner}`],
  ['a chunk with a size that is none', crlf([...head, 'Transfer-Encoding: chunked'], `-1\r\n\r\n${inner}`)],
  ['a chunk that is larger than any', crlf([...head, 'Transfer-Encoding: chunked'], `ffffffffffffffffff\r\n${inner}`)],
];

describe.each(anyEngine)('%s: HTTP attacks', (engine) => {
  const api = useProject(engine, { files, types: [note], public: rights, env: { LECTERN_PROFILE: 'specification' } });
  afterAll(() => expect(api.server.output.stderr).not.toContain('unexpected error'));

  describe('many requests on one connection at once', () => {
    const request = (number: number, more = '') => `GET /api/notes?filters[id]=${number} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
    const requests = (count: number) => Array.from({ length: count }, (_, number) => request(number));
    it('are responded to', async () => {
      const received = statusesIn(await sendRaw(api.server.port, [...requests(50), request(50, 'Connection: close\r\n')].join(''), 10_000));
      expect(received).toHaveLength(51);
      expect(new Set(received)).toEqual(new Set([200]));
    });
    it('close it if they are too many', async () => {
      const received = statusesIn(await sendRaw(api.server.port, requests(5000).join(''), 10_000));
      expect(received.length).toBeLessThanOrEqual(100);
    });
  });

  describe('a request inside of a request', () => {
    it.each(smuggled)('%s: one response, a 400, and the connection is closed', async (_, bytes) => {
      expect(statusesIn(await sendRaw(api.server.port, bytes, 5000))).toEqual([400]);
    });
    it('in the body of a GET is read as a body', async () => {
      const bytes = crlf(['GET /api/notes HTTP/1.1', 'Host: x', `Content-Length: ${inner.length}`, 'Connection: close'], inner);
      expect(statusesIn(await sendRaw(api.server.port, bytes))).toHaveLength(1);
    });
  });

  it.each(['GET /_health', 'GET /api/notes', 'GET /', 'POST /api/auth/local', 'GET /uploads/a.png'])(
    'two Host headers are a 400: %s',
    async (line) => {
      const hosts = ['Host: x', 'hOST: x'];
      const received = await sendRaw(api.server.port, crlf([`${line} HTTP/1.1`, ...hosts, 'Connection: close']));
      expect(statusesIn(received)).toEqual([400]);
      expect(received).toContain('request.malformed');
    },
  );

  it.each([
    ['a good token and a bad one', (good: string) => [good, 'Bearer nonsense'], 200],
    ['a bad token and a good one', (good: string) => ['Bearer nonsense', good], 401],
    ['two in one header', (good: string) => [`${good}, Bearer nonsense`], 403],
    ['a token and more', (good: string) => [`${good} more`], 403],
    ['another scheme before it', (good: string) => [`Basic ${good}`], 403],
  ] as const)('Authorization twice: of %s the first counts', async (_, headers, status) => {
    const good = String(api.authorization('full').Authorization);
    const lines = headers(good).map((value) => `Authorization: ${value}`);
    const received = await sendRaw(
      api.server.port,
      crlf(['GET /api/notes?status=draft HTTP/1.1', 'Host: x', 'Connection: close', ...lines]),
    );
    expect(statusesIn(received)).toEqual([status]);
    if (status !== 200) expect(received).not.toContain('hush');
  });

  it.each(words`
    status=draft&status=published status=published&status=draft status[]=draft status[0]=draft status[draft]=1 status=
    status=published%00draft STATUS=draft
  `)('%s opens no drafts', async (query) => {
    const response = await api.ask('public', 'GET', `/api/notes?${query}`);
    expect([200, 400]).toContain(response.status);
    expect(response.text).not.toContain('hush');
  });

  describe('headers that proxies set', () => {
    const claims: Readonly<Record<string, string>> = {
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-For': '203.0.113.7',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Prefix': '/evil',
      'X-Forwarded-Port': '1',
      Forwarded: 'for=203.0.113.7;host=evil.example',
      'X-Original-URL': '/api/notes?status=draft',
      'X-Rewrite-URL': '/api/notes?status=draft',
      'X-HTTP-Method-Override': 'DELETE',
      'X-Host': 'evil.example',
      Via: '1.1 evil.example',
      Referer: 'https://evil.example/',
      Cookie: 'strapi_up_refresh=x; jwt=x; koa.sess=x',
      'X-User-Id': '1',
      'X-Strapi-Refresh-Cookie': 'httpOnly',
    };
    it.each(['/', '/api/notes', '/api/notes?populate=*', '/api/nothing', '/api/notes?nope=1', '/uploads/nothing.png', '/api/users/me'])(
      'change no response of %s',
      async (path) => {
        const plain = said(await api.server.get(path));
        expect(said(await api.server.get(path, { Host: 'evil.example' }))).toEqual(plain);
        for (const [name, value] of Object.entries(claims))
          expect(said(await api.server.get(path, { [name]: value })), name).toEqual(plain);
      },
    );

    it('that change a response are in Vary', async () => {
      for (const path of ['/api/notes', '/API/notes/', '/%61pi/notes', '/api/nothing', '/api/notes?nope=1', '/api/users']) {
        for (const headers of [{}, { 'Strapi-Response-Format': 'v4' }, api.authorization('full')]) {
          const { vary = '' } = (await api.server.get(path, headers)).headers;
          expect(vary.toLowerCase().split(/, */)).toEqual(expect.arrayContaining(['authorization', 'strapi-response-format']));
        }
      }
    });

    it('vary by the route, whatever the form of the address', async () => {
      const { port } = api.server;
      const host = `127.0.0.1:${port}`;
      for (const address of ['/%61pi/notes', `http://${host}/api/notes`, 'http://evil.example/api/notes']) {
        const response = await sendRaw(port, `GET ${address} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
        expect(response, address).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nvary: [^\r]*strapi-response-format/i);
      }
    });

    it.each(['a\tb', 'é', '<script>', '"', 'x'.repeat(500), 'a b', '%0d%0aSet-Cookie:a=b', '{"a":1}'])(
      'the request id %j is not repeated',
      async (id) => {
        const response = await api.server.get('/api/notes', { 'X-Request-Id': Buffer.from(id).toString('latin1') });
        expect(response.headers['x-request-id']).not.toBe(id);
        expect(response.headers['x-request-id']).toMatch(/^[\w-]+$/);
      },
    );
  });

  it.each(['/api/notes', '/api/notes?status=draft', '/api/users', '/api/nothing', '/api/notes?nope=1', '/api/notes/nothing', '/'])(
    'HEAD %s says what GET says',
    async (path) => {
      for (const who of ['public', 'full']) {
        const [get, headed] = [await api.ask(who, 'GET', path), await api.ask(who, 'HEAD', path)];
        expect(said({ ...headed, text: '' })).toEqual(said({ ...get, text: '' }));
        expect(headed.raw.length).toBe(0);
      }
    },
  );

  it.each([
    '//evil.example',
    '//evil.example/%2e%2e',
    '/\\evil.example',
    '/uploads//evil.example/..',
    '/uploads',
    '/uploads/x/..',
    '/api/notes//',
    '/%2f%2fevil.example',
    '/https://evil.example',
    '/.',
    '/api/./notes/..',
  ])('%s does not redirect', async (path) => {
    const response = await api.server.send({ path });
    expect([200, 400, 403, 404]).toContain(response.status);
    expect(response.headers.location).toBeUndefined();
    expect(response.text).not.toContain('evil');
  });

  describe('texts that make a pattern slow', () => {
    const n = 50_000;
    const hard: readonly (readonly [what: string, ask: () => Promise<HttpResponse>])[] = [
      ...[
        `${'a'.repeat(n)}@`,
        `a@${'a.'.repeat(n)}!`,
        `"${'\\a'.repeat(n)}`,
        `"${' \r\n '.repeat(n)}`,
        `${'a.'.repeat(n)}@x.y`,
        `a@${'-'.repeat(n)}.c`,
      ].map((mail) => ['an address', () => api.ask('full', 'POST', '/api/notes', { mail })] as const),
      ...[`Bearer${' '.repeat(n)}`, `Bearer ${'x '.repeat(n / 2)}`, `Bearer ${'a.'.repeat(n / 2)}`, `${'bearer '.repeat(n / 8)}`].map(
        (value) => ['a token', () => api.server.get('/api/notes', { Authorization: value })] as const,
      ),
      ...[`${'"'.repeat(n)}`, `W/${'"a'.repeat(n / 2)}`, `${'W/'.repeat(n / 2)}"`, `"${'a'.repeat(n)}`].map(
        (value) => ['a tag', () => api.ask('full', 'GET', '/api/notes', undefined, { 'If-None-Match': value })] as const,
      ),
      ...['title,'.repeat(8000), 'title:asc,'.repeat(5000), '.'.repeat(n), 'a.'.repeat(n / 2)].map(
        (value) => ['a sort', () => api.server.get(`/api/notes?sort=${value}`)] as const,
      ),
      ...['-a'.repeat(n / 2), `en${'-aaaaaaaa'.repeat(5000)}!`].map(
        (value) => ['a locale', () => api.server.get(`/api/notes?locale=${value}`)] as const,
      ),
      ...['2024-01-01T00:00:00.'.padEnd(n, '0'), '1'.repeat(n), `${' '.repeat(n)}x`].map(
        (value) => ['a time', () => api.server.get(`/api/notes?filters[createdAt]=${encodeURIComponent(value).slice(0, 60_000)}`)] as const,
      ),
      ...['%_'.repeat(4000), '\\'.repeat(8000), 'a%'.repeat(4000)].map(
        (value) => ['a search', () => api.server.get(`/api/notes?_q=${encodeURIComponent(value).slice(0, 24_000)}`)] as const,
      ),
      ...['[a'.repeat(n / 2), 'a[b]'.repeat(n / 8), 'a%5Bb'.repeat(5000)].map(
        (value) => ['a name', () => api.server.get(`/api/notes?${value}=1`)] as const,
      ),
      ['a number', () => api.send('full', { method: 'POST', path: '/api/notes', body: `{"data":{"doc":${'1'.repeat(900_000)}}}` })],
      ['an escape', () => api.send('full', { method: 'POST', path: '/api/notes', body: `{"data":{"title":"${'\\u'.repeat(400_000)}"}}` })],
      ['quotes', () => api.send('full', { method: 'POST', path: '/api/notes', body: `{"data":{"title":"${'\\"'.repeat(400_000)}` })],
      [
        'a media type',
        () =>
          api.send('full', {
            method: 'POST',
            path: '/api/notes',
            body: '{}',
            headers: { 'Content-Type': `application/json;${' '.repeat(n)}x` },
          }),
      ],
    ];
    it.each(hard)('%s (%#)', async (_, ask) => {
      const started = performance.now();
      const response = await ask();
      expect(response.status).toBeLessThan(500);
      // A pattern that backtracks takes minutes; two seconds are for a machine that has other work.
      expect(performance.now() - started).toBeLessThan(2000);
    });
  });
});

describe.each(anyEngine)('%s: prototypes', (engine) => {
  describe.each(['specification', 'strapi'])('in profile %s', (profile) => {
    const accounts = useAccounts(engine, { LECTERN_PROFILE: profile });
    // A profile changes what is read of a body, and no name of a key.
    const names = ['__proto__', 'constructor.prototype', ...(profile === 'strapi' ? [] : ['constructor', 'prototype'])];
    const nested = (name: string, inside: object) =>
      name.split('.').reduceRight<object>((value, key) => Object.defineProperty({}, key, { value, enumerable: true }), inside);

    it.each(names)('%s reaches no other object', async (name) => {
      const inside = { title: 'polluted', role: 1, blocked: true, confirmed: true, isAdmin: true, status: 'draft', allows: true, limit: 1 };
      const bracketed = name
        .split('.')
        .map((key, at) => (at === 0 ? key : `[${key}]`))
        .join('');
      const form = Object.entries(inside)
        .map(([key, value]) => `${bracketed}[${key}]=${String(value)}&data[${name.split('.').join('][')}][${key}]=${String(value)}`)
        .join('&');
      const body = JSON.stringify(nested(name, inside));
      const urlencoded = { 'Content-Type': 'application/x-www-form-urlencoded' };
      for (const path of words`
        /api/notes /api/auth/local /api/auth/local/register /api/auth/forgot-password /api/users /api/auth/refresh
        /api/users-permissions/roles
      `) {
        for (const request of [
          { body: `{"data":${body}}` },
          { body },
          { body: form, headers: urlencoded },
          { body: `{"data":{"title":${body}}}` },
        ]) {
          expect((await accounts.send('full', { method: 'POST', path, from: newAddress(), ...request })).status).toBeLessThan(500);
        }
        expect((await accounts.send('full', { path: `${path}?${form}`, from: newAddress() })).status).toBeLessThan(500);
      }
      // Whatever was sent, objects made later have nothing of it.
      expect(await accounts.write('POST', '/api/notes', {})).toMatchObject({ title: null });
      expect((await accounts.send('public', { path: '/api/notes' })).status).toBe(403);
      const login = await accounts.post('/api/auth/local', { identifier: ada.username, password: ada.password });
      expect(login.json()).toMatchObject({ user: { username: 'ada', blocked: false } });
      expect(login.text).not.toContain('polluted');
      expect(await accounts.query("SELECT 1 FROM notes WHERE title = 'polluted'")).toEqual([]);
    });

    it('rights with the names of functions change none of them', async () => {
      const ofObject = { entries: { enabled: true }, keys: { enabled: true }, hasOwn: { enabled: true } };
      const permissions = {
        'api::hostile': { controllers: { constructor: ofObject, toString: { call: { enabled: true } } } },
        constructor: { controllers: { prototype: { a: { enabled: true } } } },
      };
      const path = '/api/users-permissions/roles';
      expect((await accounts.send('full', { method: 'POST', path, body: { name: 'hostile', permissions } })).status).toBe(200);
      const shown = await accounts.send('full', { path: `${path}/${await accounts.roleId('hostile')}` });
      expect([shown.status, (shown.json() as { role: { permissions: object } }).role.permissions]).toMatchObject([200, permissions]);
      for (const each of ['/api/notes', path]) expect((await accounts.send('full', { path: each })).status).toBe(200);
    });
  });
});
