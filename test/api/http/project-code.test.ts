/** Routes with custom code: the code is not run, so the routes are refused until the configuration decides. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { makeProject } from '../../support/project.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { errorOf, useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';
import { useMade } from '../../support/use-made.ts';

const title = { attributes: { title: { type: 'string' } } };
const factories = `import { factories } from '@strapi/strapi';\n`;
const router = (name: string, options = '') =>
  `${factories}export default factories.createCoreRouter('api::${name}.${name}' as any${options});\n`;

const files = {
  ...schemaFiles({
    article: { drafts: true, ...title },
    page: title,
    plain: title,
    few: title,
    moved: title,
    shadowed: title,
    wide: title,
    home: { single: true, ...title },
    decided: title,
    closed: title,
    legacy: title,
    other: title,
  }),
  'src/api/article/routes/article.ts': router('article', `, {\n  config: {\n    update: { policies: ['is-owner'] },\n  },\n}`),
  'src/api/page/controllers/page.js': `const { createCoreController } = require('@strapi/strapi').factories;\nmodule.exports = createCoreController('api::page.page', ({ strapi }) => ({\n  async find(ctx) {\n    return { data: [], meta: {} };\n  },\n}));\n`,
  'src/api/plain/routes/plain.ts': router('plain'),
  'src/api/plain/controllers/plain.ts': `${factories}export default factories.createCoreController('api::plain.plain' as any);\n`,
  'src/api/plain/services/plain.ts': `${factories}export default factories.createCoreService('api::plain.plain' as any);\n`,
  'src/api/few/routes/few.ts': router('few', `, { only: ['find', 'update'] }`),
  'src/api/moved/routes/moved.ts': router('moved', `, { prefix: '/v2' }`),
  'src/api/shadowed/routes/01-own.ts': `export default {\n  routes: [\n    { method: 'GET', path: '/shadoweds/:slug', handler: 'shadowed.bySlug' },\n    { method: 'GET', path: '/shadoweds/newest/ten', handler: 'shadowed.newest' },\n  ],\n};\n`,
  'src/api/shadowed/routes/shadowed.ts': router('shadowed'),
  'src/api/wide/routes/01-own.ts': `export default {\n  routes: [\n    { method: 'GET', path: '/wides/:id/references', handler: 'wide.references' },\n    { method: 'GET', path: '/plains/:id/:part', handler: 'wide.part' },\n  ],\n};\n`,
  'src/api/wide/routes/wide.ts': router('wide'),
  'src/api/home/services/home.ts': `${factories}export default factories.createCoreService('api::home.home' as any, { async createOrUpdate() {} });\n`,
  'src/api/decided/routes/decided.ts': router('decided', `, { config: { find: { middlewares: ['global::cache'] } } }`),
  'src/api/legacy/routes/legacy.json': {
    routes: [
      { method: 'GET', path: '/legacys', handler: 'legacy.find', config: { policies: [] } },
      { method: 'GET', path: '/legacys/:id', handler: 'legacy.findOne' },
    ],
  },
  'src/extensions/users-permissions/strapi-server.js': `module.exports = (plugin) => {\n  plugin.controllers.user.me = async (ctx) => {};\n  return plugin;\n};\n`,
  'config/middlewares.js': `module.exports = ['strapi::errors', 'global::audit'];\n`,
  'lectern.config.json': { routes: { 'api::decided.decided.find': 'serve', 'api::closed.closed.*': 'refuse' } },
};

const refused = 501;

describe.each(anyEngine)('%s: code of the project', (engine) => {
  const served = useProject(engine, {
    files,
    public: ['api::article.article.find', 'api::page.page.find'],
  });

  it.each<[string, string, string, number]>([
    ['a route with policies is refused', 'PUT', '/api/articles/abc', refused],
    ['so is PATCH, which is the same right', 'PATCH', '/api/articles/abc', refused],
    ['so is publishing', 'POST', '/api/articles/abc/actions/publish', refused],
    ['the other routes of the type are served', 'GET', '/api/articles', 200],
    ['an action of the project', 'GET', '/api/pages', refused],
    ['beside the others', 'GET', '/api/pages/abc', 404],
    ['plain factories', 'GET', '/api/plains', 200],
    ['`only` leaves the others out: reading', 'GET', '/api/fews/abc', 405],
    ['`only` leaves the others out: writing', 'POST', '/api/fews', 405],
    ['what `only` names is there', 'GET', '/api/fews', 200],
    ['a prefix', 'GET', '/api/v2/moveds', 200],
    ['without the prefix', 'GET', '/api/moveds', 404],
    ['a route of the same path', 'GET', '/api/shadoweds/abc', refused],
    ['a route of its own', 'GET', '/api/shadoweds/newest/ten', refused],
    ['the list beside it', 'GET', '/api/shadoweds', 200],
    ['a route of its own where Lectern adds one', 'GET', '/api/wides/abc/references', refused],
    ['what else Lectern adds', 'GET', '/api/wides/abc/versions-of-locales', 404],
    ['a wider route of its own where Lectern adds one', 'GET', '/api/plains/abc/versions-of-locales', refused],
    ['the document beside it', 'GET', '/api/plains/abc', 404],
    ['a service function', 'PUT', '/api/home', refused],
    ['what the service leaves alone', 'GET', '/api/home', 404],
    ['a decision to serve', 'GET', '/api/decideds', 200],
    ['a decision to refuse', 'GET', '/api/closeds', refused],
    ['routes that are written out', 'GET', '/api/legacys', 200],
    ['and nothing besides', 'POST', '/api/legacys', 405],
    ['a project of schema files alone', 'GET', '/api/others', 200],
    ['an action of a plugin', 'GET', '/api/users/me', refused],
    ['beside the others of the plugin', 'GET', '/api/users', 200],
  ])('%s: %s %s %i', async (_, method, path, status) => {
    const response = await served.ask('full', method, path, method === 'GET' || path.endsWith('publish') ? undefined : { title: 'x' });
    expect(response.status, response.text).toBe(status);
  });

  it('nothing is written by a refused route', async () => {
    const path = await served.make('/api/articles', { title: 'before' });
    const response = await served.ask('full', 'PUT', path, { title: 'after' });
    expect(errorOf(response)).toMatchObject({ status: 501, name: 'NotImplementedError' });
    expect(errorOf(response).message).toContain('api::article.article.update');
    expect(response.text).not.toContain('src/');
    expect(await served.read(path)).toMatchObject({ title: 'before' });
  });

  it('a caller without the right to a route gets the same response as elsewhere', async () => {
    const responses = await Promise.all(
      ['/api/articles/abc', '/api/others/abc'].map((path) => served.ask('public', 'PUT', path, { title: 'x' })),
    );
    expect(responses.map(({ status, text }) => [status, text])).toEqual([responses[0], responses[0]].map((first) => [403, first?.text]));
    expect((await served.ask('public', 'GET', '/api/pages')).status).toBe(refused);
    expect((await served.ask('public', 'GET', '/api/shadoweds/newest/ten')).status).toBe(403);
  });

  it('the start says how much is not run, and what lists it', () => {
    expect(served.server.output.stderr).toMatch(
      /code of the project is not run: \d+ actions respond with 501, 1 action is served without it, by decision, 1 middleware, hook or task is left out\. `.*lectern.* doctor .*`/,
    );
  });
});

describe('commands', () => {
  const project = useMade(() => makeProject('sqlite', files));

  // What `doctor` lists is in test/doctor and src/project-code.
  it('`check` finds no error in them, and counts its warnings', async () => {
    const { status, stdout, stderr } = await run(['check', '--dir', project().dir], project().env);
    expect(status).toBe(0);
    expect(stderr).toContain('Warning: code of the project is not run');
    expect(stdout).toMatch(/\nNo errors, 3 warnings\.\n$/);
  });
  it('`routes` says which are refused', async () => {
    const { stdout } = await run(['routes', '--dir', project().dir], project().env);
    expect(stdout).toMatch(/PUT +\/api\/articles\/:documentId .*501/);
    expect(stdout).not.toMatch(/POST +\/api\/fews/);
  });
  it('a decision about a missing route stops the start', async () => {
    writeFileSync(join(project().dir, 'lectern.config.json'), JSON.stringify({ routes: { 'api::article.article.updat': 'serve' } }));
    const { status, stderr } = await run(['start', '--dir', project().dir, '--port', '0'], project().env);
    expect(status).toBe(1);
    expect(stderr).toContain('did you mean api::article.article.update?');
    writeFileSync(join(project().dir, 'lectern.config.json'), JSON.stringify({ routes: { 'api::article.article.update': 'maybe' } }));
    expect((await run(['check', '--dir', project().dir], project().env)).stderr).toContain('serve, refuse or forward');
  });
});
