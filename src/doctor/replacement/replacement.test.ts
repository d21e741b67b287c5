/** What `lectern doctor` names in place of code, by examples of such code. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { examineProject } from '../examine-project.ts';

const schema = (name: string, attributes: object) => ({
  [`src/api/${name}/content-types/${name}/schema.json`]: JSON.stringify({
    kind: 'collectionType',
    collectionName: `${name}s`,
    info: { singularName: name, pluralName: `${name}s`, displayName: name },
    options: { draftAndPublish: false },
    attributes,
  }),
});
const string = { type: 'string' };
const schemas = {
  ...schema('article', {
    ...{ title: string, slug: { type: 'uid' }, body: { type: 'richtext' }, excerpt: { type: 'text' }, minutes: { type: 'integer' } },
    author: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
  }),
  ...schema('comment', { text: string }),
  'package.json': '{"dependencies": {"@strapi/strapi": "5.0.0"}}',
  '.env': 'DATABASE_FILENAME=.tmp/data.db',
};

const lifecycles = 'src/api/article/content-types/article/lifecycles.ts';
const hooks = (text: string) => ({ [lifecycles]: `export default { ${text} };` });
const policy = (text: string) => ({
  'src/api/article/routes/article.ts':
    "import { factories } from '@strapi/strapi';\nexport default factories.createCoreRouter('api::article.article', { config: { update: { policies: ['global::p'] } } });",
  'src/policies/p.ts': text,
});
const controller = (text: string) => ({
  'src/api/article/controllers/article.ts': `import { factories } from '@strapi/strapi';
export default factories.createCoreController('api::article.article', ({ strapi }) => ({ ${text} }));`,
});
const own = (route: string, handler: string) => ({
  'src/api/article/routes/own.ts': `export default { routes: [${route}] };`,
  'src/api/article/routes/article.ts':
    "import { factories } from '@strapi/strapi';\nexport default factories.createCoreRouter('api::article.article');",
  ...controller(handler),
});

const owner = 'the preset owner in permissions.json, with the attribute author, since it seems to compare an owner with the caller';
const lookup = 'GET /api/articles/by/slug/:value, since it seems to look up documents by slug';

const cases: readonly {
  readonly it: string;
  readonly files: Readonly<Record<string, string>>;
  readonly kind: string;
  readonly what: string | undefined;
  readonly code: boolean;
}[] = [
  {
    it: 'a slug that follows its title',
    files: {
      [lifecycles]:
        "import slugify from 'slugify';\nconst set = ({ params: { data } }) => { data.slug = slugify(data.title, { lower: true }); };\nexport default { beforeCreate: set, beforeUpdate: set };",
    },
    ...{ kind: 'lifecycles', what: "compute slug with slug({ from: 'title', follow: true })", code: false },
  },
  {
    it: 'a slug of a variable, of a title in a variable',
    files: hooks(
      'async beforeCreate(event) { const { title } = event.params.data; if (title) { const made = await makeSlug(title); event.params.data.slug = made; } }',
    ),
    ...{ kind: 'lifecycles', what: "compute slug with slug({ from: 'title' })", code: false },
  },
  {
    it: 'a slug with an id before it',
    files: hooks("beforeUpdate(event) { event.params.data.slug = event.params.where.id + '-' + slugify(event.params.data.title); }"),
    ...{ kind: 'lifecycles', what: 'before.update', code: true },
  },
  {
    it: 'hooks that another file defines',
    files: { [lifecycles]: "import { made } from '../../../../made';\nexport default made();" },
    ...{ kind: 'lifecycles', what: 'hooks, which `lectern make hook` begins', code: true },
  },
  {
    it: 'an excerpt and a reading time',
    files: hooks(
      'beforeCreate(event) { event.params.data = { ...event.params.data, excerpt: event.params.data.body.slice(0, 100), minutes: Math.ceil(event.params.data.body.split(" ").length / 200) }; }',
    ),
    ...{
      kind: 'lifecycles',
      what: "compute excerpt with excerpt({ from: 'body' }) and compute minutes with readingTime({ from: 'body' })",
      code: false,
    },
  },
  {
    it: 'a rule and a mail',
    files: hooks(
      'async beforeUpdate({ params }) { if (!params.data.title) throw new Error(); }, async afterDelete() { await strapi.plugins.email.services.email.send({}); }',
    ),
    ...{ kind: 'lifecycles', what: 'before.update and committed.delete', code: true },
  },
  {
    it: 'requests alone',
    files: hooks(
      "async afterCreate({ result }) { await fetch('https://site.example', { method: 'POST', body: JSON.stringify(result) }); }",
    ),
    ...{ kind: 'lifecycles', what: 'committed.create; or a webhook, without code, since it seems only to send requests', code: true },
  },
  {
    it: 'hooks of reads',
    files: hooks('afterFindOne(event) { event.result.views = 1; }'),
    ...{
      kind: 'lifecycles',
      what: 'hooks of reads have no counterpart: compute the value when it is written (`compute`), or restrict the right',
      code: false,
    },
  },
  {
    it: 'a subscriber',
    files: {
      'src/index.ts':
        "export default { bootstrap({ strapi }) { strapi.db.lifecycles.subscribe({ models: ['api::comment.comment'], async beforeDelete() { throw new Error(); } }); } };",
    },
    ...{ kind: 'subscriber', what: 'before.delete', code: true },
  },
  {
    it: 'hooks of users before the write',
    files: {
      'src/index.ts':
        "export default { bootstrap({ strapi }) { strapi.db.lifecycles.subscribe({ models: ['plugin::users-permissions.user'], beforeCreate(event) { event.params.data.x = 1; } }); } };",
    },
    ...{
      kind: 'subscriber',
      what: 'nothing runs before the writes of users and files; rights and `auth.ownFields` restrict them',
      code: false,
    },
  },
  {
    it: 'a document middleware that refuses to publish, and reports',
    files: {
      'src/index.ts':
        "export default { register({ strapi }) { strapi.documents.use(async (context, next) => { if (context.uid === 'api::article.article' && context.action === 'publish') { if (!context.params.data) throw new Error(); await next(); await fetch('https://x.example'); } }); } };",
    },
    ...{ kind: 'documentMiddleware', what: 'before.publish and committed.publish', code: true },
  },
  {
    it: 'users of the panel',
    files: {
      'src/index.ts':
        "export default { bootstrap({ strapi }) { strapi.db.lifecycles.subscribe({ models: ['admin::user'], afterCreate() { notify(); } }); } };",
    },
    ...{ kind: 'subscriber', what: 'Strapi, whose panel alone changes these documents', code: false },
  },
  {
    it: 'a function of another file',
    files: {
      [lifecycles]:
        "import { setSlug } from '../../../../set-slug';\nexport default { beforeUpdate: (event) => setSlug(event.params.data) };",
      'src/set-slug.ts': "import slugify from 'slugify';\nexport const setSlug = (data) => { data.slug = slugify(data.title); };",
    },
    ...{ kind: 'lifecycles', what: "compute slug with slug({ from: 'title', follow: true })", code: false },
  },
  {
    it: 'a route that checks a secret',
    files: own(
      "{ method: 'POST', path: '/jobs/run', handler: 'article.run', config: { auth: false } }",
      "async run(ctx) { if (ctx.request.headers['x-secret'] !== process.env.SECRET) return ctx.unauthorized(); }",
    ),
    ...{
      kind: 'ownRoute',
      what: 'an endpoint for POST /jobs/run; an API token with its right, since it seems to check a header',
      code: true,
    },
  },
  {
    it: 'a policy that compares the caller',
    files: policy(
      'export default async (ctx, config, { strapi }) => { const { user } = ctx.state; const found = await strapi.documents("api::article.article").findOne({}); return found.author.id === user.id || false; };',
    ),
    kind: 'route',
    what: owner,
    code: false,
  },
  {
    it: 'a policy that asks for a role',
    files: policy("export default (ctx) => { if (ctx.state.user.role.type !== 'editor') return false; return true; };"),
    kind: 'route',
    what: 'rights of roles, since it seems to read the role of the caller',
    code: false,
  },
  {
    it: 'a policy that asks for a caller',
    files: policy('export default (ctx) => { if (!ctx.state.user) return false; return true; };'),
    kind: 'route',
    what: 'a right of signed-in users, since it seems to ask whether there is a caller',
    code: false,
  },
  {
    it: 'a policy that responds whether there is a caller',
    files: policy('export default (ctx) => !!ctx.state.user;'),
    kind: 'route',
    what: 'a right of signed-in users, since it seems to ask whether there is a caller',
    code: false,
  },
  {
    it: 'a policy that compares the role, in a variable',
    files: policy(
      'export default (ctx, { roles }) => { const user = ctx.state.user; const role = user?.role?.type; return roles.includes(role); };',
    ),
    kind: 'route',
    what: 'rights of roles, since it seems to read the role of the caller',
    code: false,
  },
  {
    it: 'a policy that checks a key',
    files: policy("export default (ctx) => { if (ctx.request.headers['x-key'] !== process.env.KEY) return false; return true; };"),
    kind: 'route',
    what: 'API tokens, since it seems to check a header',
    code: false,
  },
  {
    it: 'a policy that seems to do nothing known',
    files: policy('export default (ctx) => check(ctx);'),
    kind: 'route',
    what: 'rights with presets or restrictions if they suffice, otherwise an endpoint with the method and path of the route',
    code: true,
  },
  {
    it: 'an extension with which users change themselves',
    files: {
      'src/extensions/users-permissions/strapi-server.ts':
        'export default (plugin) => { plugin.controllers.user.update = async (ctx) => { if (ctx.state.user.id !== Number(ctx.params.id)) return ctx.forbidden(); }; return plugin; };',
    },
    kind: 'route',
    what: "PUT /api/users/me with the setting auth.ownFields, if it changes the caller's own profile",
    code: false,
  },
  {
    it: 'a list of own documents',
    files: controller('async find(ctx) { ctx.query.filters = { author: { id: ctx.state.user.id } }; return super.find(ctx); }'),
    kind: 'route',
    what: owner,
    code: false,
  },
  {
    it: 'a default populate',
    files: controller('async findOne(ctx) { ctx.query.populate = ["author"]; return super.findOne(ctx); }'),
    kind: 'route',
    what: 'the setting `populate`',
    code: false,
  },
  {
    it: 'an update that does much itself',
    files: controller(
      'async update(ctx) { if (!ctx.state.user) return ctx.unauthorized(); const found = await strapi.documents("api::article.article").findOne({ populate: ["author"] }); await strapi.documents("api::comment.comment").create({ data: {} }); return strapi.documents("api::article.article").update({}); }',
    ),
    kind: 'route',
    what: 'a right of signed-in users, since it seems to ask whether there is a caller; committed.update; if it does more, an endpoint with the method and path of the route',
    code: true,
  },
  {
    it: 'findOne by slug',
    files: controller(
      'async findOne(ctx) { const { id } = ctx.params; return strapi.documents("api::article.article").findFirst({ filters: { slug: { $eq: id } } }); }',
    ),
    kind: 'route',
    what: lookup,
    code: false,
  },
  {
    it: 'create with the author',
    files: controller('async create(ctx) { ctx.request.body.data.author = ctx.state.user.id; return super.create(ctx); }'),
    kind: 'route',
    what: 'before.create',
    code: true,
  },
  {
    it: 'any other code of a route',
    files: controller('async find(ctx) { return other(ctx); }'),
    kind: 'route',
    what: 'an endpoint with the method and path of the route, which it replaces',
    code: true,
  },
  {
    it: 'a route by slug',
    files: own(
      "{ method: 'GET', path: '/articles/slug/:slug', handler: 'article.bySlug' }",
      'async bySlug(ctx) { return strapi.db.query("api::article.article").findOne({ where: { slug: ctx.params.slug } }); }',
    ),
    kind: 'ownRoute',
    what: lookup,
    code: false,
  },
  {
    it: 'a route of its own',
    files: own("{ method: 'POST', path: '/articles/:id/like', handler: 'article.like' }", 'async like(ctx) { return 1; }'),
    kind: 'ownRoute',
    what: 'an endpoint for POST /articles/:id/like',
    code: true,
  },
  {
    it: 'a cron task',
    files: {
      'config/server.ts': 'export default { cron: { enabled: true } };',
      'config/cron-tasks.ts': "export default { nightly: { task() {}, options: { rule: '0 1 * * *' } } };",
    },
    kind: 'cron',
    what: 'Lectern has no scheduler: let another one (cron, systemd, Kubernetes) call an endpoint with an API token, or run the task in Strapi',
    code: true,
  },
];

it.each(cases)('$it', async ({ files, kind, what, code }) => {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const [file, text] of Object.entries({ ...schemas, ...files })) {
    mkdirSync(dirname(join(dir, file)), { recursive: true });
    writeFileSync(join(dir, file), text);
  }
  const { findings, sketches } = await examineProject(dir, {}, String);
  const found = findings.filter((each) => each.kind === kind && each.instead !== undefined);
  expect([...new Set(found.map(({ instead }) => instead?.what))]).toEqual([what]);
  expect(found[0]?.instead?.needsCode).toBe(code);
  for (const file of found.flatMap(({ instead }) => instead?.files ?? [])) expect(sketches.map((each) => each.file)).toContain(file);
});
