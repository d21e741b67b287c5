/** Routing, methods, headers, and the shape of errors. What is refused, and how, is recorded (test/compatibility/recordings/reads/reads/errors.json). */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { bodyOf, bookPath, useLibrary } from '../../support/library/library.ts';

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
    ['/api/attic', 404],
    ['/api/book', 404],
    ['/api/books/1', 404],
    [bookPath('lanterns').toUpperCase().replace('/API/BOOKS', '/api/books'), 404],
    [`${bookPath('lanterns')}/more`, 404],
    ['//api/books', 404],
    ['/api/books?&&&=x', 200],
    ['/nothing', 404],
  ];
  it.each(paths)('GET %s: %d', async (path, status) => expect((await library.server.get(path)).status).toBe(status));

  it('OPTIONS names the methods of a path', async () => {
    const response = await library.server.send({ method: 'OPTIONS', path: '/api/books' });
    expect(response.status).toBe(200);
    expect(response.headers.allow?.split(', ')).toEqual(expect.arrayContaining(['HEAD', 'GET']));
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
      expect((await library.server.get(path)).headers).toHaveProperty('x-request-id');
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

  it('uploads are served with their media type', async () => {
    const response = await library.server.get('/uploads/lamp.png');
    expect([response.status, response.headers['content-type']]).toEqual([200, 'image/png']);
    expect(response.raw.subarray(1, 4).toString()).toBe('PNG');
  });

  describe('an error', () => {
    it('has the recorded shape', async () => {
      const response = await library.ask('public', '/api/books?filters[writer][name]=x');
      expect(response.headers).not.toHaveProperty('x-error-code');
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(bodyOf(response)).toEqual({
        data: null,
        error: {
          status: 400,
          name: 'ValidationError',
          code: 'query.invalid-key',
          message: 'Invalid key writer',
          details: { key: 'writer', path: 'writer', source: 'query', param: 'filters' },
        },
      });
    });

    it('has no path in the details when the attribute does not exist', async () => {
      expect(bodyOf(await library.ask('public', '/api/books?sort=nope'))).toMatchObject({
        error: { code: 'query.invalid-key', details: { key: 'nope', path: null, param: 'sort' } },
      });
      expect(bodyOf(await library.ask('public', '/api/books/abcdefghijklmnopqrstuvwx'))).toMatchObject({
        error: { code: 'document.not-found' },
      });
    });
  });
});

describe.each(anyEngine)('%s: codes of errors, in profile strapi', (engine) => {
  const library = useLibrary(engine, { LECTERN_PROFILE: 'strapi' });
  it.each([
    ['a query', '/api/books?sort=nope', 'query.invalid-key'],
    ['a document', '/api/books/abcdefghijklmnopqrstuvwx', 'document.not-found'],
    ['a path', '/api/nothing', 'route.not-found'],
  ])('are in a header, and the body is that of Strapi: %s', async (_, path, code) => {
    const response = await library.ask('public', path);
    expect(bodyOf(response)).toMatchObject({ error: { status: response.status } });
    expect(bodyOf(response)).not.toHaveProperty('error.code');
    expect(response.headers['x-error-code']).toBe(code);
  });
});
