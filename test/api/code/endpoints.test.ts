/** Endpoints of a project: the rights that they need, what they get and return, and what of their code reaches a caller. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../client/src/index.ts';
import { anyEngine } from '../../support/engines.ts';
import { projectOfTest } from '../../support/project.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { errorOf, type Json, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';
import { useSmtpServer } from '../../support/smtp-server.ts';

const files = {
  ...schemaFiles({
    order: {
      attributes: { name: { type: 'string', unique: true }, total: { type: 'integer', min: 0 }, secret: { type: 'string', private: true } },
    },
    home: { single: true, attributes: { title: { type: 'string' } } },
  }),
  // What Strapi would run, and Lectern answers with 501.
  'src/api/refund/routes/refund.js': `module.exports = { routes: [{ method: 'POST', path: '/orders/:id/refund', handler: 'order.refund' }] };`,
  'lectern/endpoints/orders.ts': `
    import { defineEndpoint, DocumentError, fail, increment } from 'lectern';
    import { z } from 'zod';

    export default [
      defineEndpoint({
        method: 'POST',
        path: '/orders/:id/refund',
        right: 'orders.refund',
        description: 'Refund an order',
        body: z.object({ amount: z.number().positive(), reason: z.string().default('none') }),
        async handler({ params, body, documents, caller }) {
          if (body.amount > 1000) fail('amount', 'is too much');
          const order = await documents('api::order.order').update(params.id, { total: increment(-body.amount) });
          return { order, reason: body.reason, caller };
        },
      }),
      defineEndpoint({
        method: 'GET',
        path: '/orders/search',
        right: 'public',
        query: { type: 'object', properties: { q: { type: 'string' }, limit: { type: 'integer', maximum: 10, default: 2 } }, required: ['q'], additionalProperties: false },
        handler: async ({ query, documents, asSystem }) => {
          const params = { filters: { name: { $containsi: query.q } }, pagination: { limit: query.limit }, fields: ['name'], sort: 'name' } as const;
          const own = await documents('api::order.order').find(params).catch((error) => ({ refused: error instanceof DocumentError && error.status }));
          const all = await asSystem.documents('api::order.order').find(params);
          return { own, names: all.data.map(({ name }) => name), count: await asSystem.documents('api::order.order').count() };
        },
      }),
    ];
  `,
  'lectern/endpoints/others.js': `
    import { createReadStream } from 'node:fs';
    import { Readable } from 'node:stream';
    import { gzipSync } from 'node:zlib';
    import { defineEndpoint } from 'lectern';

    const get = (path, handler, more = {}) => defineEndpoint({ method: 'GET', path, right: 'public', handler, ...more });
    let left = 'nobody';
    export default [
      get('/made', () => new Response('<p>made</p>', { status: 201, headers: { 'content-type': 'text/html', 'x-own': 'yes', vary: 'x-mine', 'set-cookie': 'a=1', connection: 'close' } })),
      get('/nothing', () => undefined),
      get('/throws', () => { throw new Error('a secret'); }),
      get('/refused', ({ documents }) => documents('api::order.order').find({ filters: { nope: 1 } })),
      get('/unknown', ({ asSystem }) => asSystem.documents('api::ordr.order').find()),
      get('/private', ({ asSystem }) => asSystem.documents('api::order.order').find()),
      get('/homes', ({ asSystem }) => asSystem.documents('api::home.home').findOne()),
      get('/missing', async ({ asSystem }) => ({ found: (await asSystem.documents('api::order.order').findOne('missing')) ?? null })),
      get('/file', () => new Response(Readable.toWeb(createReadStream(new URL('../../package.json', import.meta.url))), { headers: { 'content-type': 'application/json' } })),
      get('/long', ({ signal }) => new Response(new ReadableStream({
        pull: (controller) => { controller.enqueue(new Uint8Array(100_000)); },
        cancel: () => { left = 'the client'; },
      }))),
      get('/waiting', ({ signal }) => {
        signal.addEventListener('abort', () => { left = 'whom the signal tells'; });
        return new Response(new ReadableStream({
          start: (controller) => { controller.enqueue(new Uint8Array(10)); },
          cancel: () => { left += ', and who waits'; },
        }));
      }),
      get('/left', () => ({ left })),
      get('/zipped', () => new Response(gzipSync('zipped'), { headers: { 'content-encoding': 'gzip', 'content-type': 'text/plain' } })),
      get('/passed', ({ fetch, headers }) => fetch('http://' + headers.host + '/api/zipped')),
      get('/late', () => new Promise(() => {}), { timeLimit: 100 }),
      get('/broken', () => new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('a secret')) }))),
      get('/mail', async ({ mail, headers }) => { await mail({ to: 'ada@example.com', subject: headers['x-subject'] ?? 'Hello', text: 'Fog' }); return 'sent'; }),
      get('/params/:one/:two', ({ params, url, method }) => ({ params, url, method })),
    ];
  `,
};

/** The package that the project has installed. */
const withZod = ({ dir }: { readonly dir: string }) => {
  mkdirSync(join(dir, 'node_modules'));
  symlinkSync(fileURLToPath(new URL('../../../node_modules/zod', import.meta.url)), join(dir, 'node_modules/zod'));
};

describe.each(anyEngine)('%s: endpoints of a project', (engine) => {
  const smtp = useSmtpServer();
  const api = useProject(engine, {
    files,
    public: ['api::order.order.create'],
    tokens: { refunds: ['endpoint::orders.refund', 'api::order.order.update', 'api::order.order.find'] },
    env: smtp.env,
    prepare: withZod,
  });
  const get = (path: string) => api.ask('public', 'GET', `/api${path}`);
  const post = (who: string, path: string, body: object) => api.send(who, { method: 'POST', path: `/api${path}`, body });

  it('check the right, then the body, and write with the rights of the caller', async () => {
    const id = String((await api.write('POST', '/api/orders', { name: 'Fog horn', total: 50 })).documentId);
    const refund = (who: string, amount: unknown) => post(who, `/orders/${id}/refund`, { amount });
    expect((await refund('public', 5)).status).toBe(403);
    const done = await refund('refunds', 5);
    expect(done.json()).toMatchObject({ order: { documentId: id, total: 45 }, reason: 'none', caller: { kind: 'token' } });
    expect(errorOf(await refund('refunds', -5))).toMatchObject({
      status: 400,
      code: 'endpoint.invalid',
      details: { errors: [{ path: ['amount'] }] },
    });
    expect(errorOf(await refund('refunds', 5000)).message).toBe('amount: is too much');
    expect(errorOf(await refund('refunds', 500))).toMatchObject({ status: 400, code: 'body.values' });
    expect(errorOf(await post('refunds', '/orders/missing/refund', { amount: 1 }))).toMatchObject({
      status: 404,
      code: 'document.not-found',
    });
  });

  it('read queries by their schema, and documents with the rights of the caller or all', async () => {
    await api.write('POST', '/api/orders', { name: 'Lamp', total: 1, secret: 'hidden' });
    await api.write('POST', '/api/orders', { name: 'Lantern', total: 1 });
    const found = await get('/orders/search?q=la');
    expect(found.json()).toEqual({ own: { refused: 403 }, names: ['Lamp', 'Lantern'], count: 3 });
    expect((await get('/orders/search?q=la&limit=1')).json()).toMatchObject({ names: ['Lamp'] });
    expect(errorOf(await get('/orders/search?limit=11&x=1')).details.errors?.map(({ path }) => path)).toEqual([['q'], ['x'], ['limit']]);
    expect((await get('/private')).text).not.toContain('hidden');
    expect((await get('/missing')).json()).toEqual({ found: null });
    await api.write('PUT', '/api/home', { title: 'Home' });
    expect((await get('/homes')).json()).toMatchObject({ title: 'Home' });
    expect((await get('/params/a%20b/c?d=e')).json()).toEqual({
      params: { one: 'a b', two: 'c' },
      url: '/api/params/a%20b/c?d=e',
      method: 'GET',
    });
  });

  it('return values, or responses with headers and streams', async () => {
    const made = await get('/made');
    expect([made.status, made.text, made.headers['content-type'], made.headers['x-own'], made.headers['set-cookie']]).toEqual([
      201,
      '<p>made</p>',
      'text/html',
      'yes',
      ['a=1'],
    ]);
    expect(made.headers.connection).toBe('keep-alive');
    expect([(await get('/nothing')).status, (await get('/nothing')).text]).toEqual([204, '']);
    expect((await get('/file')).json()).toEqual({ name: 'small', private: true });
    const head = await api.ask('public', 'HEAD', '/api/made');
    expect([head.status, head.text, head.headers['content-type']]).toEqual([201, '', 'text/html']);
    for (const path of ['zipped', 'passed'])
      expect([path, await (await fetch(`${api.server.base}/api/${path}`)).text()]).toEqual([path, 'zipped']);
  });

  it.each([
    { it: 'sends', path: 'long', left: 'the client' },
    { it: 'waits for its next chunk', path: 'waiting', left: 'whom the signal tells, and who waits' },
  ])('stop a stream that $it when the client leaves', async ({ path, left }) => {
    const response = await fetch(`${api.server.base}/api/${path}`);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await expect.poll(async () => (await get('/left')).json()).toEqual({ left });
  });

  it('send no stream in response to HEAD', async () => {
    expect((await api.ask('public', 'HEAD', '/api/long')).status).toBe(200);
    await expect.poll(async () => (await get('/left')).json()).toEqual({ left: 'the client' });
  });

  it('keep in Vary what all responses vary by', async () => {
    expect((await get('/made')).headers.vary).toMatch(/Authorization.*, x-mine/);
  });

  it('tell the caller nothing about their code', async () => {
    for (const path of ['/throws', '/unknown']) {
      const response = await get(path);
      expect([path, response.status]).toEqual([path, 500]);
      expect(response.text).not.toMatch(/secret|lectern\//);
    }
    expect(errorOf(await api.ask('full', 'GET', '/api/refused'))).toMatchObject({ status: 400, code: 'query.invalid-key' });
    expect(errorOf(await get('/late'))).toMatchObject({ status: 503, code: 'code.time' });
    expect(errorOf(await get('/broken')).status).toBe(500);
  });

  it('send mails', async () => {
    expect((await get('/mail')).json()).toBe('sent');
    expect(await smtp.last(1)).toMatchObject({ to: '<ada@example.com>', text: expect.stringContaining('Fog') });
  });

  it('are called by the client', async () => {
    const client = createClient({
      baseURL: `${api.server.base}/api`,
      token: api.authorization('full').Authorization?.slice('Bearer '.length),
    });
    const { data } = await client.endpoint('GET /params/:one/:two', { params: { one: 'a/b', two: 'é' }, query: { d: ['e'] } }).orThrow();
    expect(data).toEqual({ params: { one: 'a/b', two: 'é' }, url: '/api/params/a%2Fb/%C3%A9?d[0]=e', method: 'GET' });
    const { error } = await client.endpoint('POST /orders/:id/refund', { params: { id: 'missing' }, body: { amount: -1 } });
    expect(error?.status).toBe(400);
  });

  it('stand in OpenAPI for callers that may use them', async () => {
    const paths = async (who: string) => ((await api.ask(who, 'GET', '/api/openapi.json')).json() as { paths: Record<string, Json> }).paths;
    const ofVisitor = await paths('public');
    expect(ofVisitor['/api/orders/search']).toMatchObject({ get: { parameters: [{ name: 'q', required: true }, { name: 'limit' }] } });
    expect(ofVisitor['/api/orders/{id}/refund']).toBeUndefined();
    const all = await paths('full');
    expect(all['/api/orders/{id}/refund']).toMatchObject({
      post: { summary: 'Refund an order', requestBody: { content: { 'application/json': { schema: { required: ['amount'] } } } } },
    });
  });

  it('have rights that roles are granted', async () => {
    const { stdout, status } = await run(
      ['role', 'allow', 'authenticated', 'endpoint::orders', 'refund', '--dir', api.project.dir],
      api.environment,
    );
    expect([status, stdout]).toEqual([0, expect.stringContaining('endpoint::orders.refund')]);
  });
});

describe.each(anyEngine)('%s: mistakes in code', (engine) => {
  const hooks = (body: string) => `import { defineHooks } from 'lectern';\nexport default defineHooks(${body});\n`;
  const endpoint = (body: string) => `import { defineEndpoint } from 'lectern';\nexport default defineEndpoint(${body});\n`;
  type Mistake = readonly [text: string, problem: string | RegExp];
  const inHooks: readonly Mistake[] = [
    ['const x = ;', ':1:10: ParseError: Unexpected token'],
    ['export default 5;', ': has no hooks as its default export'],
    [hooks("'api::ordr.order', { before: {} }"), ': there is no content type api::ordr.order; did you mean api::order.order'],
    [hooks("'api::order.order', { befor: {} }"), ': befor is an unknown key'],
    [hooks("'api::order.order', { compute: { nam: () => 1 } }"), ': compute: api::order.order has no attribute "nam"; did you mean name'],
    ["import 'left-pad-of-nobody';", ': the package left-pad-of-nobody is not installed'],
    ["throw new Error('at the start');", /:1:\d+: at the start/],
  ];
  const inEndpoints: readonly Mistake[] = [
    [endpoint("{ method: 'GET', path: '/x', handler: () => 1 }"), ': right is missing'],
    [endpoint("{ method: 'GET', path: '/y', right: 'public', query: { type: 'objekt' }, handler: () => 1 }"), ': query: schema is invalid'],
    [
      endpoint("{ method: 'GET', path: '/made', right: 'public', handler: () => 1 }"),
      ': GET /made is in lectern/endpoints/others.js as well',
    ],
  ];
  // Compared with the schemas once all files are loaded without a mistake.
  const besideSchemas: readonly Mistake[] = [
    [
      endpoint("{ method: 'GET', path: '/orders', right: 'public', handler: () => 1 }"),
      ': GET /api/orders would hide the route of api::order.order.find',
    ],
    [
      endpoint("{ method: 'GET', path: '/x', right: 'api::order.order.fnd', handler: () => 1 }"),
      ': there is no right api::order.order.fnd',
    ],
    [
      endpoint("{ method: 'GET', path: '/api/x', right: 'public', handler: () => 1 }"),
      ': GET /api/x would be at /api/api/x: paths are below /api, write /x',
    ],
  ];

  it.each([
    { of: 'hooks and endpoints', hooks: inHooks, endpoints: inEndpoints },
    { of: 'endpoints beside the schemas', hooks: [], endpoints: besideSchemas },
  ])('of $of are all reported with file and line, and prevent a start', async ({ of: _, ...cases }) => {
    const wrong = Object.entries(cases).flatMap(([folder, all]) =>
      all.map(([text, problem], at) => ({ file: `lectern/${folder}/wrong-${at}.ts`, text, problem })),
    );
    const project = await projectOfTest(engine, { ...files, ...Object.fromEntries(wrong.map(({ file, text }) => [file, text])) });
    withZod(project);
    const { stderr, status } = await run(['start', '--dir', project.dir], { ...project.env, PORT: '0' });
    expect(status).toBe(1);
    for (const { file, problem } of wrong) {
      const line = stderr.split('\n').find((each) => each.includes(file));
      expect(line).toEqual(expect.stringContaining(file));
      expect(line?.split(file)[1]).toMatch(problem);
    }
  });
});
