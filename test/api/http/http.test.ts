/** Routing, methods and headers. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { bookPath, useLibrary } from '../../support/library/library.ts';
import { words } from '../../support/words.ts';

describe.each(anyEngine)('%s: HTTP', (engine) => {
  const library = useLibrary(engine);

  const paths: readonly (readonly [path: string, status: number])[] = [
    ['/_health', 204],
    ['/', 200],
    ['/api/books', 200],
    ['/api/books/', 200],
    ['/API/Books', 200],
    ['/api/books?', 200],
    [`${bookPath('lanterns')}/`, 200],
    ['/api/rules', 200],
    ['/api/rules/1', 404],
    ['/nothing', 404],
  ];
  it.each(paths)('GET %s: %d', async (path, status) => expect((await library.server.get(path)).status).toBe(status));

  describe('HEAD', () => {
    it.each(['/api/books', bookPath('lanterns'), '/api/rules', '/uploads/lamp.png'])('%s is as GET, without the body', async (path) => {
      const get = await library.server.get(path);
      const head = await library.server.send({ method: 'HEAD', path });
      expect(head.status).toBe(200);
      expect(head.raw.length).toBe(0);
      expect(head.headers['content-length']).toBe(String(get.raw.length));
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
    });
    it.each([
      ['/api/loans', 403],
      ['/api/nothing', 404],
      ['/api/books?nope=1', 400],
    ] as const)('%s: %d', async (path, status) => {
      const head = await library.server.send({ method: 'HEAD', path });
      expect(head.status).toBe(status);
      expect(head.raw.length).toBe(0);
    });
  });

  describe('OPTIONS', () => {
    it('names the methods of a path', async () => {
      const response = await library.server.send({ method: 'OPTIONS', path: '/api/books' });
      expect(response.status).toBe(200);
      expect(response.headers.allow?.split(', ')).toEqual(expect.arrayContaining(['HEAD', 'GET']));
    });
    it('responds to a preflight', async () => {
      const headers = {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization',
      };
      const response = await library.server.send({ method: 'OPTIONS', path: '/api/books', headers });
      expect(response.status).toBe(204);
      expect(response.headers['access-control-allow-methods']).toContain('GET');
      expect(response.headers['access-control-allow-headers']?.toLowerCase()).toContain('authorization');
    });
  });

  it('lets any origin read, but sends no credentials to unknown ones', async () => {
    const { headers } = await library.server.get('/api/books', { Origin: 'https://shop.example' });
    expect(['*', 'https://shop.example']).toContain(headers['access-control-allow-origin']);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  it.each(['TRACE', 'PROPFIND'])('%s is refused', async (method) => {
    const { status } = await library.server.send({ method, path: '/api/books' });
    expect([404, 405, 501]).toContain(status);
  });
  it('a method that a path does not support is a 405 that lists the others', async () => {
    const response = await library.server.send({ method: 'DELETE', path: '/api/books' });
    expect(response.status).toBe(405);
    expect(response.headers.allow).toContain('GET');
  });

  it.each([
    ['GET', '/graphql?query={books{title}}', undefined],
    ['POST', '/graphql', '{"query":"{ books { title } }"}'],
    ['POST', '/graphql/', '{}'],
  ])('%s %s says in JSON what there is instead', async (method, path, body) => {
    const sent = { method, path, headers: { 'Content-Type': 'application/json' } };
    const response = await library.server.send(body === undefined ? sent : { ...sent, body: Buffer.from(body) });
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect({ status: response.status, body: response.json() }).toMatchObject({
      status: 404,
      body: { data: null, error: { status: 404, name: 'NotFoundError', message: expect.stringMatching(/no GraphQL.*\/api/) } },
    });
  });

  it('sends security headers', async () => {
    const { headers } = await library.server.get('/api/books');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'content-type': 'application/json; charset=utf-8' });
    expect(headers['content-security-policy']).toBeDefined();
  });

  it.each(['/api/books', '/api/books?nope=1', '/api/nothing', '/api/loans'])(
    'the response of %s has an id of the request',
    async (path) => {
      const { headers } = await library.server.get(path);
      expect(Object.keys(headers).some((name) => name.includes('request-id'))).toBe(true);
    },
  );

  it('reports the time of each stage in Server-Timing', async () => {
    // A query that nothing else here asks: the plan of a known one is remembered, and not parsed again.
    const { headers } = await library.server.get(
      '/api/books?fields[0]=title&fields[1]=pages&sort=pages:desc,title:asc&filters[title]=timing',
    );
    const timing = String(headers['server-timing']);
    for (const stage of ['parse', 'execute', 'render']) expect(timing).toContain(stage);
    expect(timing).toContain('statements;desc="1"');
  });

  describe('uploads', () => {
    it('are served with their media type', async () => {
      const response = await library.server.get('/uploads/lamp.png');
      expect(response.status).toBe(200);
      expect(response.headers['content-type']).toBe('image/png');
      expect(response.raw.subarray(1, 4).toString()).toBe('PNG');
    });
    it.each(words`
      /uploads/nothing.png /uploads/ /uploads/../package.json /uploads/..%2f..%2fpackage.json /uploads/%2e%2e/%2e%2e/.tmp/data.db
      /uploads/..%5c..%5cpackage.json /uploads//etc/passwd /package.json /.env /.tmp/data.db
    `)('%s is not found', async (path) => {
      const response = await library.server.get(path);
      expect([400, 403, 404]).toContain(response.status);
      expect(response.text).not.toContain('"library"');
    });
  });
});
