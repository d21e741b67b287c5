import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { generatedFactory } from './generated.ts';
import { readProjectCode } from './read-project-code.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function project(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-code-'));
  folders.push(dir);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

const uid = 'api::book.book';
const routesFile = 'src/api/book/routes/book.ts';

/** The findings for each action of one route file, and for the whole API. */
function routesOf(text: string, file = routesFile) {
  const code = readProjectCode(project({ [file]: text }));
  const [router] = code.coreRouters;
  const actions = Object.fromEntries(
    [...(router?.findings ?? [])].flatMap(([action, findings]) =>
      findings.length === 0 ? [] : [[action, findings.map(({ what }) => what)]],
    ),
  );
  return { router, actions, own: code.ownRoutes, all: code.findings.get('api::book.*') };
}

describe('route files that are plain', () => {
  it.each([
    ['TypeScript', `import { factories } from '@strapi/strapi';\nexport default factories.createCoreRouter('${uid}' as any);`],
    [
      'CommonJS',
      `'use strict';\nconst { createCoreRouter } = require('@strapi/strapi').factories;\nmodule.exports = createCoreRouter('${uid}');`,
    ],
    [
      'compiled TypeScript',
      `"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\nconst strapi_1 = require("@strapi/strapi");\nexports.default = strapi_1.factories.createCoreRouter('${uid}');`,
    ],
    [
      'a named constant',
      `import strapi from '@strapi/strapi';\nconst type = '${uid}' as const;\nconst router = strapi.factories.createCoreRouter(type);\nexport { router as default };`,
    ],
    [
      'nothing in their config',
      `import { factories as f } from '@strapi/strapi';\nexport default f.createCoreRouter('${uid}', { config: { find: { policies: [], middlewares: [] }, update: {} } });`,
    ],
  ])('%s', (_, text) => {
    expect(routesOf(text)).toMatchObject({ router: { uid, prefix: '', except: [] }, actions: {}, own: [], all: undefined });
  });
});

const core = (options: string, before = '') =>
  `import { factories } from '@strapi/strapi';\n${before}\nexport default factories.createCoreRouter('${uid}', ${options});`;

it('files as Strapi generates them need no parser', () => {
  for (const text of [
    `/**\n * book router\n */\n\nimport { factories } from '@strapi/strapi';\n\nexport default factories.createCoreRouter('${uid}');\n`,
    `'use strict';\n\n/**\n * book router\n */\n\nconst { createCoreRouter } = require('@strapi/strapi').factories;\n\nmodule.exports = createCoreRouter('${uid}');\n`,
  ]) {
    expect(generatedFactory(text)).toMatchObject({ kind: 'call', path: ['factories', 'createCoreRouter'] });
    expect(generatedFactory(text.replace(/\);\s*$/, ', {});'))).toBeUndefined();
    expect(
      generatedFactory(text.replace('module.exports', 'let x; module.exports').replace('export default', 'secure(); export default')),
    ).toBeUndefined();
  }
});

describe('route files with code', () => {
  it.each<[string, string, Record<string, string[]>]>([
    ['policies', core(`{ config: { update: { policies: ['is-owner'] } } }`), { update: ['policies'] }],
    ['a policy that is a function', core(`{ config: { update: { policies: [() => true] } } }`), { update: ['policies'] }],
    ['middlewares', core(`{ config: { find: { middlewares: ['global::cache'] } } }`), { find: ['middlewares'] }],
    ['auth: false', core(`{ config: { find: { auth: false } } }`), { find: ['auth: false'] }],
    ['a scope', core(`{ config: { find: { auth: { scope: ['x'] } } } }`), { find: ['auth'] }],
    [
      'a list that is made elsewhere',
      core(`{ config: { find: { policies: secured } } }`, `import { secured } from './secured';`),
      { find: ['policies'] },
    ],
    ['a constant', core(`{ config: { find: secured } }`, `const secured = { policies: ['a'] };`), { find: ['policies'] }],
    [
      'a spread',
      core(`{ config: { find: { policies: [], ...more } } }`, `import { more } from './more';`),
      { find: ['a config that cannot be read'] },
    ],
    [
      'a config that is filled later',
      core(`{ config: { find: options } }`, `const options: any = {};\noptions.policies = ['a'];`),
      { find: ['a config that cannot be read'] },
    ],
    [
      'a config that is given away',
      core(`{ config: { find: options } }`, `import { secure } from './secure';\nconst options: any = {};\nsecure(options);`),
      { find: ['a config that cannot be read'] },
    ],
    [
      'a config that is filled under another name',
      core(`{ config: { find: options } }`, `const options: any = {};\nconst other = { options };\nother.options.policies = ['a'];`),
      { find: ['a config that cannot be read'] },
    ],
    [
      'a config for all',
      core(`{ config: everything }`, `import { everything } from './x';`),
      Object.fromEntries(['find', 'findOne', 'create', 'update', 'delete'].map((action) => [action, ['a config that cannot be read']])),
    ],
  ])('%s', (_, text, actions) => {
    expect(routesOf(text)).toMatchObject({ actions, all: undefined });
  });

  it.each([
    ['options that are made elsewhere', core('options', `import { options } from './options';`)],
    ['options with a spread', core('{ ...options }', `import { options } from './options';`)],
    ['another factory', `import { createCoreRouter } from './mine';\nexport default createCoreRouter('${uid}');`],
    [
      'a wrapper',
      `import { factories } from '@strapi/strapi';\nconst wrap = (inner: any) => inner;\nexport default wrap(factories.createCoreRouter('${uid}'));`,
    ],
    [
      'a router that is changed',
      `const { createCoreRouter } = require('@strapi/strapi').factories;\nconst router = createCoreRouter('${uid}');\nrouter.routes.push({});\nmodule.exports = router;`,
    ],
    ['two exports', `if (process.env.A) module.exports = {};\nelse module.exports = require('./other');`],
    ['routes that are computed', `export default { routes: [...require('./others')] };`],
    [
      'a path that is computed',
      `const p = require("./p");\nmodule.exports = { routes: [{ method: "GET", path: '/' + p, handler: "book.find" }] };`,
    ],
    ['no JavaScript', 'this is not a module {{{'],
    ['nesting without end', `module.exports = ${'['.repeat(20_000)}`],
  ])('%s: every action of the API is refused', (_, text) => {
    expect(routesOf(text).all).toMatchObject([{ what: 'routes that cannot be read', file: routesFile }]);
  });

  it('names that are defined by names are followed up to a limit', () => {
    const names = Array.from({ length: 40 }, (_, index) => `const a${index + 1} = [a${index}, a${index}];`).join('\n');
    expect(routesOf(core('{ config: { find: { policies: a40 } } }', `const a0 = [];\n${names}`)).actions).toEqual({ find: ['policies'] });
  });
});

describe('routes that are written out', () => {
  it('are read with their prefix, handler and line', () => {
    const text = `module.exports = {\n  prefix: '/v1',\n  routes: [\n    { method: 'get', path: '/books', handler: 'book.find' },\n    { method: 'POST', path: '/books/x', handler: 'api::other.other.go', config: { prefix: '', policies: ['a'] } },\n    { method: 'PUT', path: '/y', handler: (ctx) => ctx },\n  ],\n};`;
    expect(routesOf(text, 'src/api/book/routes/01-own.js').own).toMatchObject([
      { method: 'GET', path: '/v1/books', action: 'api::book.book.find', findings: [], at: { line: 4 } },
      { method: 'POST', path: '/books/x', action: 'api::other.other.go', findings: [{ what: 'policies', line: 5 }] },
      { method: 'PUT', path: '/v1/y', action: undefined },
    ]);
  });
  it('may be JSON, or a function', () => {
    expect(routesOf('{"routes":[{"method":"GET","path":"/a","handler":"book.find"}]}', 'src/api/book/routes/a.json').own).toHaveLength(1);
    expect(routesOf(`export default () => ({ routes: [{ method: 'GET', path: '/a', handler: 'book.find' }] });`).own).toHaveLength(1);
  });
  it('only, except and prefix are read', () => {
    expect(routesOf(core(`{ only: ['find'], except: ['find', 'delete'], prefix: '/v2' }`)).router).toMatchObject({
      only: ['find'],
      except: ['find', 'delete'],
      prefix: '/v2',
    });
  });
});

describe('controllers, services and extensions', () => {
  const found = (files: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      [...readProjectCode(project(files)).findings].map(([action, findings]) => [
        action,
        findings.map(({ file, line }) => `${file}:${line}`),
      ]),
    );
  const controller = 'src/api/book/controllers/book.ts';
  const service = 'src/api/book/services/book.js';

  it.each<[string, Record<string, string>, string[]]>([
    [
      'a plain controller',
      { [controller]: `import { factories } from '@strapi/strapi';\nexport default factories.createCoreController('${uid}' as any);` },
      [],
    ],
    ['a plain service', { [service]: `module.exports = require('@strapi/strapi').factories.createCoreService('${uid}');` }, []],
    [
      'an action that is added',
      {
        [controller]: `import { factories } from '@strapi/strapi';\nexport default factories.createCoreController('${uid}', () => ({ async search(ctx) {} }));`,
      },
      [],
    ],
    [
      'an action that is replaced',
      {
        [controller]: `import { factories } from '@strapi/strapi';\nexport default factories.createCoreController('${uid}', ({ strapi }) => ({\n  async update(ctx) {\n    return super.update(ctx);\n  },\n}));`,
      },
      [`${uid}.update`],
    ],
    [
      'a block that returns them',
      {
        [controller]: `const { createCoreController } = require('@strapi/strapi').factories;\nmodule.exports = createCoreController('${uid}', ({ strapi }) => {\n  const limit = 3;\n  return { find: async (ctx) => limit };\n});`,
      },
      [`${uid}.find`],
    ],
    [
      'what cannot be read',
      {
        [controller]: `const { createCoreController } = require('@strapi/strapi').factories;\nmodule.exports = createCoreController('${uid}', ({ strapi }) => {\n  if (strapi) return {};\n  return require('./other');\n});`,
      },
      [`${uid}.*`],
    ],
    [
      'a spread',
      {
        [controller]: `import { factories } from '@strapi/strapi';\nimport { shared } from './shared';\nexport default factories.createCoreController('${uid}', () => ({ ...shared }));`,
      },
      [`${uid}.*`],
    ],
    ['an object', { [controller]: 'export default { async find(ctx) {} };' }, [`${uid}.find`]],
    ['named exports', { 'src/api/book/controllers/book.js': 'exports.find = async (ctx) => {};\nexports.other = 1;' }, [`${uid}.find`]],
    [
      'a service function that core actions call',
      {
        [service]: `const { createCoreService } = require('@strapi/strapi').factories;\nmodule.exports = createCoreService('${uid}', { async createOrUpdate() {}, helper() {} });`,
      },
      [`${uid}.update`],
    ],
    [
      'a helper of the controller',
      {
        [controller]: `import { factories } from '@strapi/strapi';\nexport default factories.createCoreController('${uid}', { sanitizeInput: async (data) => data });`,
      },
      [`${uid}.create`, `${uid}.update`],
    ],
    ['a file of another name', { 'src/api/book/controllers/other.ts': 'export default { find() {} };' }, ['api::book.other.find']],
    ['an empty extension', { 'src/extensions/users-permissions/strapi-server.ts': 'export default (plugin: any) => plugin;' }, []],
    [
      'an extension of one action',
      {
        'src/extensions/users-permissions/strapi-server.js': `module.exports = (plugin) => {\n  const me = plugin.controllers.user.me;\n  plugin.controllers.user.me = async (ctx) => { await me(ctx); };\n  return plugin;\n};`,
      },
      ['plugin::users-permissions.user.me'],
    ],
    [
      'an extension of a controller',
      {
        'src/extensions/upload/strapi-server.js': `module.exports = (plugin) => {\n  plugin.controllers['content-api'] = {};\n  return plugin;\n};`,
      },
      ['plugin::upload.content-api.*'],
    ],
    [
      'an extension that cannot be read',
      { 'src/extensions/upload/strapi-server.js': `module.exports = (plugin) => require('./more')(plugin);` },
      ['plugin::upload.*'],
    ],
    [
      'an extension with aliases',
      {
        'src/extensions/upload/strapi-server.js': `module.exports = (plugin) => {\n  const { controllers } = plugin;\n  controllers.file.find = 1;\n  return plugin;\n};`,
      },
      ['plugin::upload.*'],
    ],
  ])('%s', (_, files, actions) => {
    expect(Object.keys(found(files)).sort()).toEqual(actions);
  });

  it('a route that an extension adds', () => {
    const text = `module.exports = (plugin) => {\n  plugin.routes['content-api'].routes.unshift({ method: 'GET', path: '/users/me', handler: 'user.mine', config: { prefix: '' } });\n  return plugin;\n};`;
    const code = readProjectCode(project({ 'src/extensions/users-permissions/strapi-server.js': text }));
    expect(code.ownRoutes).toMatchObject([{ method: 'GET', path: '/users/me', action: 'plugin::users-permissions.user.mine' }]);
    expect(code.findings.size).toBe(0);
  });

  it('code that affects all routes is listed', () => {
    const { everywhere } = readProjectCode(
      project({
        'config/middlewares.ts': `const all: any = [\n  'strapi::errors',\n  'global::audit',\n  { name: 'strapi::body', config: {} },\n  { resolve: './src/middlewares/x' },\n];\nexport default all;`,
        'src/index.ts': `export default {\n  register({ strapi }) {\n    strapi.documents.use(async (context, next) => next());\n  },\n};`,
        'src/api/book/content-types/book/lifecycles.ts': 'export default {};',
      }),
    );
    expect(everywhere.map(({ file, line }) => `${file}:${line}`)).toEqual([
      'config/middlewares.ts:3',
      'config/middlewares.ts:5',
      'src/index.ts:3',
      'src/api/book/content-types/book/lifecycles.ts:1',
    ]);
  });

  it.each([
    `strapi.controllers['${uid}'].find = () => 1`,
    `strapi.controller('${uid}').find = () => 1`,
    `strapi.plugin('users-permissions').controllers.user.find = () => 1`,
    `strapi.get('controllers').extend('${uid}', (each) => each)`,
    `strapi.get('controllers').set('${uid}', factories.createCoreController('${uid}', { find() {} }))`,
    `strapi.get('controllers').set('${uid}', createCoreController('${uid}'))`,
    `Object.assign(strapi.service('${uid}'), { find() {} })`,
    `strapi.server.app.use((context, next) => next())`,
    `strapi.server.router.get('/api/books', (context) => context)`,
    `strapi?.['documents']['use'](() => 1)`,
  ])('changes by the index are listed: %s', (statement) => {
    const text = `export default {\n  register({ strapi }) {\n    ${statement};\n  },\n};`;
    expect(readProjectCode(project({ 'src/index.ts': text })).everywhere).toMatchObject([{ file: 'src/index.ts', line: 3 }]);
  });

  it('an index that registers core controllers is not listed', () => {
    const text = `const { factories } = require('@strapi/strapi');\nmodule.exports = {\n  register({ strapi }) {\n    for (const uid of Object.keys(strapi.contentTypes)) strapi.get('controllers').set(uid, factories.createCoreController(uid));\n  },\n};`;
    expect(readProjectCode(project({ 'src/index.js': text })).everywhere).toEqual([]);
  });

  it('an index that only reads is not listed', () => {
    const text = `export default {\n  async bootstrap({ strapi }) {\n    const found = await strapi.service('${uid}').find({});\n    strapi.log.info(found.length);\n  },\n};`;
    expect(readProjectCode(project({ 'src/index.ts': text })).everywhere).toEqual([]);
  });

  it.each([
    ['white space', ' '.repeat(300_000)],
    ['a chain of names', `module.exports = a${'.b'.repeat(20_000)};`],
    ['a chain of names that is assigned to', `exports.a${'.b'.repeat(20_000)} = 1;`],
    ['a chain of calls', `module.exports = a${'()'.repeat(20_000)};`],
    ['names that stand for each other', 'const a = b, b = a;\nmodule.exports = { find: a };'],
  ])('a file that cannot be read refuses its actions: %s', (_, text) => {
    expect(readProjectCode(project({ 'src/api/book/controllers/book.js': text })).findings.size).toBeGreaterThan(0);
  });

  it('a link out of the project is not followed, and its actions are refused', () => {
    const outside = project({
      'book.ts': `import { factories } from '@strapi/strapi';\nexport default factories.createCoreRouter('${uid}');`,
    });
    const dir = project({ 'src/api/book/routes/x.json': '{}' });
    symlinkSync(join(outside, 'book.ts'), join(dir, 'src/api/book/routes/book.ts'));
    const code = readProjectCode(dir);
    expect(code.coreRouters).toEqual([]);
    expect(code.findings.get('api::book.*')).toHaveLength(1);
  });
});
