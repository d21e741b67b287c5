/** The setting `upstream`: what Lectern does not serve goes to the Strapi behind it, and nothing else does. */
import { createHash, randomBytes } from 'node:crypto';
import http from 'node:http';
import net from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { listen } from '../../support/listen.ts';
import { sendRaw, statusesIn } from '../../support/raw-http.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { errorOf, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';
import { type Received, startUpstream } from '../../support/upstream.ts';
import { words } from '../../support/words.ts';

const title = { attributes: { title: { type: 'string' } } };
const factories = `import { factories } from '@strapi/strapi';\n`;
const files = {
  ...schemaFiles({ article: title, page: title, closed: title, sent: title }),
  'src/api/article/routes/article.ts': `${factories}export default factories.createCoreRouter('api::article.article' as any, {\n  config: { update: { policies: ['is-owner'] } },\n});\n`,
  'src/api/page/routes/01-own.ts': `export default { routes: [{ method: 'GET', path: '/pages/newest/ten', handler: 'page.newest' }] };\n`,
  'src/api/page/routes/page.ts': `${factories}export default factories.createCoreRouter('api::page.page' as any);\n`,
  'public/uploads/here.txt': 'here',
};

const upstream = await startUpstream();
afterAll(() => upstream.stop());

const received = (response: HttpResponse) => response.json() as Received;
/** Strapi's headers, and none of Lectern's. */
const isForwarded = ({ headers }: HttpResponse) =>
  headers['x-powered-by'] === 'Strapi <strapi.io>' && headers['x-request-id'] === undefined;

describe.each(anyEngine)('%s: forwarding', (engine) => {
  const served = useProject(engine, {
    files,
    public: ['api::article.article.find', 'api::article.article.findOne', 'api::page.page.findOne', 'api::closed.closed.find'],
    env: {
      LECTERN_UPSTREAM: upstream.base,
      LECTERN_ROUTES: 'api::closed.closed.*=refuse,api::sent.sent.find=forward',
      LECTERN_LIMITS_UPSTREAM_TIME: '1000',
      LECTERN_LIMITS_UPSTREAM_CONNECTIONS: '20',
      LECTERN_LOG_LEVEL: 'info',
    },
  });
  const get = (path: string, headers = {}) => served.server.get(path, headers);
  const raw = (target: string, more = '') =>
    sendRaw(served.server.port, `GET ${target} HTTP/1.1\r\nHost: x\r\n${more}Connection: close\r\n\r\n`);

  describe('which requests', () => {
    it.each<[string, string, string]>([
      ['the panel', 'GET', '/admin'],
      ['the panel’s files', 'GET', '/admin/main.js'],
      ['the panel’s API', 'POST', '/content-manager/collection-types/api::article.article'],
      ['the front door', 'GET', '/'],
      ['the icon', 'GET', '/favicon.ico'],
      ['robots', 'GET', '/robots.txt'],
      ['GraphQL', 'POST', '/graphql'],
      ['an unknown path of the API', 'GET', '/api/nothing'],
      ['an unknown method of a known path', 'POST', '/api/articles/abc'],
      ['a route of the project', 'GET', '/api/pages/newest/ten'],
      ['a route with a policy', 'PUT', '/api/articles/abc'],
      ['so PATCH, which is the same right', 'PATCH', '/api/articles/abc'],
      ['in another spelling of ours', 'PUT', '/API/Articles/abc/'],
      ['a decision to forward', 'GET', '/api/sents'],
      ['the content-type builder', 'GET', '/api/content-type-builder/content-types'],
      ['signing in with a provider of the panel', 'GET', '/api/connect/google'],
      ['a file that is not on this disk', 'GET', '/uploads/there.txt'],
      ['its head', 'HEAD', '/uploads/there.txt'],
      ['an encoded slash', 'GET', '/api/own/a%2Fb'],
    ])('%s: %s %s', async (_, method, path) => {
      const response = await served.server.send({ method, path, headers: { Authorization: 'Bearer some-token' } });
      expect([response.status, isForwarded(response)]).toEqual([200, true]);
      if (method !== 'HEAD')
        expect(received(response)).toMatchObject({ method, url: path, headers: { authorization: 'Bearer some-token' } });
    });

    it.each<[string, string, string, number]>([
      ['a list', 'GET', '/api/articles', 200],
      ['encoded, as our routes read it', 'GET', '/api/%61rticles', 200],
      ['a document that is not there', 'GET', '/api/articles/nothing', 404],
      ['a path beside a route of the project', 'GET', '/api/pages/newest', 404],
      ['without the right', 'POST', '/api/articles', 403],
      ['a refused route', 'GET', '/api/closeds', 501],
      ['a refused route, encoded', 'GET', '/api/%63loseds', 501],
      ['a refused route with a slash', 'GET', '/api/closeds/', 501],
      ['a file', 'GET', '/uploads/here.txt', 200],
      ['a variant of a missing file', 'GET', '/uploads/there.png?width=100', 403],
      ['health', 'GET', '/_health', 204],
      ['the description', 'GET', '/api/openapi.json', 200],
      ['a page', 'GET', '/explore', 200],
      ['TRACE', 'TRACE', '/admin', 501],
    ])('%s is ours: %s %s %i', async (_, method, path, status) => {
      const response = await served.server.send({ method, path });
      expect([response.status, response.headers['x-powered-by']]).toEqual([status, 'Lectern']);
    });

    it.each([
      ...words`
        //api/closeds /api//closeds /api/./closeds /admin/../api/closeds /admin/%2e%2e/api/closeds /admin/..%2fapi/closeds /api%2fcloseds
        /%2fapi/closeds /api/closeds/a%2factions%2fpublish/%2e
      `,
      '/api\\closeds',
      '/api/x%5C..%5Ccloseds',
      '/api/closeds\xa0',
      '/admin%00',
      '/admin%0d%0aX-A:1',
      '/%zz',
      '//evil.example/admin',
      '/admin#/api/closeds',
      '/admin/<x>',
    ])('no other spelling gets past: %s', async (path) => {
      const before = upstream.targets.length;
      const [status = 0] = statusesIn(await raw(path));
      expect(status).toBeGreaterThanOrEqual(400);
      expect(upstream.targets.slice(before)).toEqual([]);
    });

    it('nor do two Host headers', async () => {
      const before = upstream.targets.length;
      expect(statusesIn(await raw('/admin', 'Host: y\r\n'))).toEqual([400]);
      expect(upstream.targets.slice(before)).toEqual([]);
    });

    it('a target with a host is never another host', async () => {
      const before = upstream.targets.length;
      for (const target of ['http://evil.example/admin', `${upstream.base}/admin`, 'ftp://evil.example/', '*', 'evil.example:443'])
        await raw(target);
      await sendRaw(served.server.port, 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n');
      expect(upstream.targets.slice(before)).toEqual([]);
    });
  });

  describe('other origins', () => {
    const preflight = (path: string, method: string) =>
      served.server.send({ method: 'OPTIONS', path, headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': method } });
    it('the preflight goes where the request will go', async () => {
      for (const [path, method, allowed] of [
        ['/admin/login', 'POST', 'https://strapi.example'],
        ['/api/articles/abc', 'PUT', 'https://strapi.example'],
        ['/api/nothing', 'GET', 'https://strapi.example'],
        ['/api/articles/abc', 'DELETE', '*'],
        ['/api/%61rticles', 'GET', '*'],
        ['/uploads/here.txt', 'GET', '*'],
      ] as const)
        expect((await preflight(path, method)).headers['access-control-allow-origin'], path).toBe(allowed);
    });
    it('no header is there twice', async () => {
      const [head = ''] = (await raw('/admin', 'Origin: https://a.example\r\n')).split('\r\n\r\n');
      const names = [...head.matchAll(/\r\n([^:]+)/g)].map(([, name = '']) => name.toLowerCase());
      expect(names.length).toBe(new Set(names).size);
      expect(head).toContain("Content-Security-Policy: default-src 'self'");
      expect(head).not.toMatch(/strict-transport|lectern/i);
    });
  });

  describe('headers', () => {
    it('nobody can say who they are', async () => {
      const { headers } = received(
        await get('/admin', {
          Host: 'cms.example.org',
          'X-Forwarded-For': '6.6.6.6',
          'X-Forwarded-Proto': 'https',
          'X-Forwarded-Host': 'evil.example',
          'X-Forwarded-Port': '1',
          Forwarded: 'for=6.6.6.6',
          'X-Real-IP': '6.6.6.6',
          Connection: 'X-Forwarded-For, X-Inner, Authorization',
          'X-Inner': '1',
          'Proxy-Authorization': 'Basic x',
          TE: 'trailers',
        }),
      );
      expect(headers).toMatchObject({
        host: 'cms.example.org',
        'x-forwarded-host': 'cms.example.org',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
        via: expect.stringMatching(/^1\.1 lectern-/),
      });
      for (const name of ['forwarded', 'x-real-ip', 'x-forwarded-port', 'x-inner', 'proxy-authorization', 'te'])
        expect(headers).not.toHaveProperty(name);
    });
    it('what belongs to a connection stays on it', async () => {
      const { headers } = await get('/connection');
      expect(headers['x-outer']).toBe('2');
      expect(headers['x-inner']).toBeUndefined();
      expect(headers['keep-alive']).not.toBe('timeout=9');
    });
    it('cookies, compression, redirects and 304 come as they are', async () => {
      expect((await get('/cookies')).headers['set-cookie']).toEqual(['a=1', 'b=2; HttpOnly']);
      const pressed = await get('/gzip', { 'Accept-Encoding': 'gzip' });
      expect([pressed.headers['content-encoding'], gunzipSync(pressed.raw).toString()]).toEqual(['gzip', 'pressed']);
      expect((await get('/redirect/admin/login')).headers.location).toBe('/admin/login');
      expect((await get('/redirect//evil.example')).status).toBe(400);
      const notModified = await get('/not-modified', { 'If-None-Match': '"a"' });
      expect([notModified.status, notModified.headers.etag, notModified.text]).toEqual([304, '"a"', '']);
    });
  });

  describe('bodies', () => {
    it('are streamed, however long, with and without a length', async () => {
      const body = randomBytes(24 * 1024 * 1024);
      const digest = createHash('sha256').update(body).digest('hex');
      const headers = { 'Content-Type': 'multipart/form-data; boundary=x', Expect: '100-continue' };
      const known = received(await served.server.send({ method: 'POST', path: '/upload', body, headers }));
      expect(known).toMatchObject({ bytes: body.length, digest, headers: { 'content-length': String(body.length) } });
      expect(known.headers).not.toHaveProperty('expect');
      const unknown = await new Promise<Received>((resolve, reject) => {
        const sent = http.request({ port: served.server.port, method: 'PUT', path: '/upload' }, async (response) => {
          let text = '';
          for await (const chunk of response) text += String(chunk);
          resolve(JSON.parse(text) as Received);
        });
        sent.on('error', reject);
        for (let at = 0; at < body.length; at += 1024 * 1024) sent.write(body.subarray(at, at + 1024 * 1024));
        sent.end();
      });
      expect(unknown).toMatchObject({ bytes: body.length, digest, headers: { 'transfer-encoding': 'chunked' } });
    });
    it('no JSON, broken JSON, and a body of DELETE', async () => {
      for (const [method, type, body] of [
        ['POST', 'application/json', '{"a":'],
        ['POST', 'text/odd', 'x'],
        ['DELETE', 'application/json', '{}'],
      ] as const) {
        const seen = received(await served.server.send({ method, path: '/admin/x', body, headers: { 'Content-Type': type } }));
        expect([seen.bytes, seen.headers['content-type']]).toEqual([body.length, type]);
      }
    });
  });

  describe('failures', () => {
    it.each([
      ['/fails/reset', 'closed the connection'],
      ['/fails/switch', 'closed the connection'],
      ['/fails/no-http', 'not valid HTTP'],
      ['/fails/silent', 'made no progress for 1000 ms'],
    ])('%s', async (path, problem) => {
      const response = await get(path);
      expect(errorOf(response)).toMatchObject({ status: 502, name: 'BadGatewayError', code: 'upstream.unavailable' });
      expect(errorOf(response).message).toContain(problem);
      expect(response.text).not.toContain(String(upstream.port));
    });
    it.each(['/fails/cut', '/fails/stuck'])('%s: the response ends incomplete', async (path) => {
      await expect(get(path)).rejects.toThrow(/aborted|hang up/);
    });
    it('Strapi is away, and comes back', async () => {
      await upstream.stop();
      const response = await get('/admin');
      expect([response.status, errorOf(response).message]).toEqual([502, expect.stringContaining('cannot be reached')]);
      const posted = await served.server.send({ method: 'POST', path: '/admin', body: Buffer.alloc(1_000_000) });
      expect(posted.status).toBe(502);
      expect((await get('/api/articles')).status).toBe(200);
      expect((await get('/_health')).status).toBe(204);
      await upstream.start();
      expect((await get('/admin')).status).toBe(200);
    });
    it('a client that leaves ends the request to Strapi', async () => {
      const leave = (path: string, head = '') => {
        const socket = net.connect(served.server.port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${head}\r\n`));
        setTimeout(() => socket.destroy(), 100);
      };
      leave('/fails/silent');
      leave('/events');
      const before = upstream.left.length;
      await expect.poll(() => upstream.left.slice(before).toSorted(), { timeout: 800 }).toEqual(['/events', '/fails/silent']);
    });
    it('a body that is refused early', async () => {
      const response = await served.server.send({ method: 'POST', path: '/early', body: Buffer.alloc(1000) });
      expect([response.status, response.text]).toEqual([413, 'too large']);
    });
    it('no more requests at a time than the limit', async () => {
      const silent = Array.from({ length: 21 }, () => get('/fails/silent'));
      const first = await Promise.race(silent);
      expect(errorOf(first)).toMatchObject({ status: 503, code: 'upstream.busy' });
      expect((await get('/api/articles')).status).toBe(200);
      await Promise.all(silent);
      expect((await get('/admin')).status).toBe(200);
    });
  });

  it('clients that leave early or pipeline their requests use up no place for good', async () => {
    const leave = (text: string, after: number) =>
      new Promise<void>((resolve) => {
        const socket = net.connect(served.server.port, '127.0.0.1', () => {
          socket.write(text);
          setTimeout(() => socket.resetAndDestroy(), after);
        });
        socket.on('error', () => undefined).on('close', () => resolve());
      });
    const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    // The file is looked for while they leave.
    for (let count = 0; count < 10; count++) await Promise.all(Array.from({ length: 30 }, () => leave(request('/uploads/there.txt'), 0)));
    // The responses to the others wait for the first.
    for (let count = 0; count < 3; count++) await leave(request('/fails/silent') + request('/admin').repeat(15), 100);
    await expect.poll(async () => (await get('/admin')).status).toBe(200);
  });

  it('streams of events come as they are sent, and outlast the limit on silence', async () => {
    const texts: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const request = http.get(`${served.server.base}/events`, (response) => {
        response.on('data', (data) => {
          texts.push(String(data));
          if (texts.length === 2) request.destroy();
        });
        response.on('close', resolve);
      });
      request.on('error', reject);
    });
    expect(texts).toEqual(['data: first\n\n', 'data: second\n\n']);
  });

  describe('WebSockets', () => {
    const upgrade = (path: string, more = '') =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nCookie: a=1\r\n${more}\r\n`;

    it('pass bytes both ways', async () => {
      const raw = await sendRaw(served.server.port, `${upgrade('/socket')}early`, 500);
      expect(raw).toMatch(/^HTTP\/1\.1 101 /);
      expect(raw).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
      expect(raw).toContain('X-Seen: a=1');
      expect(raw.endsWith('\r\n\r\nearly')).toBe(true);
      await expect.poll(() => upstream.left.includes('/socket')).toBe(true);
    });
    it('what Strapi refuses, and what is ours, never becomes a tunnel', async () => {
      const before = upstream.targets.length;
      for (const [path, status] of [
        ['/no-socket', 404],
        ['/api/articles', 200],
        ['/api/closeds', 501],
        ['//api/closeds', 400],
      ] as const) {
        const raw = await sendRaw(served.server.port, `${upgrade(path)}GET /api/closeds HTTP/1.1\r\nHost: x\r\n\r\n`);
        expect(statusesIn(raw)).toEqual([status]);
      }
      expect(upstream.targets.slice(before)).toEqual(['/no-socket']);
      expect(statusesIn(await sendRaw(served.server.port, upgrade('/socket', 'Content-Length: 3\r\n')))).toEqual([400]);
    });
    it('another protocol is not offered', async () => {
      const raw = await sendRaw(
        served.server.port,
        'GET /admin HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n',
      );
      expect(statusesIn(raw)).toEqual([200]);
      expect(raw).not.toMatch(/h2c|http2-settings/i);
    });
  });

  it('the start and the log say what is forwarded', async () => {
    const { output } = served.server;
    expect(output.stderr).toMatch(new RegExp(`^Forwarding to ${upstream.base}: \\d+ routes of the API`, 'm'));
    await get('/admin/log?token=secret');
    await expect.poll(() => output.stderr).toMatch(/"url":"\/admin\/log","status":200,"milliseconds":[\d.]+,"forwarded":true/);
    expect(output.stderr).not.toContain('token=secret');
    const { stdout } = await run(['routes', '--dir', served.project.dir], served.environment);
    expect(stdout).toMatch(/PUT +\/api\/articles\/:documentId .*\(forwarded\)/);
    expect(stdout).toMatch(/GET +\/api\/closeds .*501/);
    const { paths } = (await served.ask('full', 'GET', '/api/openapi.json')).json() as { paths: Record<string, object> };
    expect(Object.keys(paths['/api/articles/{documentId}'] ?? {})).not.toContain('put');
    expect(Object.keys(paths['/api/sents'] ?? {})).toEqual(['post']);
  });

  describe('mistakes', () => {
    it('an upstream that leads back', async () => {
      let target = 0;
      const relay = net.createServer((socket) => {
        const next = net.connect(target, '127.0.0.1');
        for (const each of [socket, next]) each.on('error', () => undefined);
        socket.pipe(next).pipe(socket);
      });
      const base = `http://127.0.0.1:${await listen(relay)}`;
      const server = await served.beside({ LECTERN_UPSTREAM: base });
      target = server.port;
      expect(errorOf(await server.get('/admin'))).toMatchObject({ status: 508, code: 'upstream.loop' });
      relay.close();
    });
    it.each<[string, string, RegExp]>([
      ['a route to forward without upstream', '', /"api::sent\.sent\.find" is "forward", which needs upstream/],
      ['its own address', 'http://localhost:1999', /LECTERN_UPSTREAM is http:\/\/localhost:1999, which is the address of Lectern itself/],
      ['a path', 'http://127.0.0.1:1338/admin', /LECTERN_UPSTREAM .*must be a URL such as/],
      ['another protocol', 'file:///etc', /LECTERN_UPSTREAM .*must be a URL such as/],
    ])('%s stops the start', async (_, url, text) => {
      const { LECTERN_UPSTREAM: __, ...environment } = served.environment;
      const env = url === '' ? environment : { ...environment, LECTERN_UPSTREAM: url };
      const { status, stderr } = await run(['start', '--dir', served.project.dir, '--port', '1999'], env);
      expect([status, stderr]).toEqual([1, expect.stringMatching(text)]);
    });
  });
});

describe.each(anyEngine)('%s: proxies in front', (engine) => {
  const served = useProject(engine, {
    files,
    env: { LECTERN_UPSTREAM: upstream.base, LECTERN_TRUST_PROXY: '127.0.0.1', LECTERN_RATE_LIMIT_MAX: '3' },
  });
  it('a trusted one says who calls', async () => {
    const headers = { 'X-Forwarded-For': '6.6.6.6, 203.0.113.9', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'cms.example.org' };
    expect(received(await served.server.get('/admin', headers)).headers).toMatchObject({
      'x-forwarded-for': '203.0.113.9, 127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'cms.example.org',
    });
  });
  it('the rate limit counts what is forwarded below /api by address, and not the panel', async () => {
    const ask = (path: string, times: number) =>
      Promise.all(Array.from({ length: times }, async () => (await served.server.get(path, { 'X-Forwarded-For': '203.0.113.10' })).status));
    expect((await ask('/api/nothing', 4)).toSorted()).toEqual([200, 200, 200, 429]);
    expect(new Set(await ask('/admin', 6))).toEqual(new Set([200]));
  });
});

describe.each(engines)('%s: what Strapi writes', (engine) => {
  const served = useProject(engine, {
    files,
    public: ['api::article.article.find'],
    ownProcess: engine !== 'sqlite',
    env: { LECTERN_UPSTREAM: upstream.base, ...(engine === 'sqlite' ? {} : { LECTERN_WORKERS: '2' }) },
  });
  it('is seen by the next request', async () => {
    await served.write('POST', '/api/articles', { title: 'first' });
    const titles = async () => {
      const { data } = (await served.server.get('/api/articles?fields=title')).json() as { data: readonly { title: string }[] };
      return data.map(({ title }) => title);
    };
    for (const text of ['second', 'third']) {
      // Twice, so that the response is cached.
      await titles();
      await titles();
      upstream.onWrite = () => served.change(`UPDATE articles SET title = '${text}'`);
      expect((await served.server.send({ method: 'POST', path: '/api/written', body: {} })).status).toBe(200);
      expect(await titles()).toEqual([text]);
    }
  });
});
