/** A document is read by a unique value in the path, with the rights and the shape of a read by its id. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { useProject } from '../../support/served-project.ts';

const files = schemaFiles({
  page: {
    drafts: true,
    localized: true,
    attributes: {
      title: { type: 'string', ...translated },
      slug: { type: 'uid', targetField: 'title', ...translated },
      code: { type: 'string', unique: true, private: true, ...translated },
      number: { type: 'integer', unique: true, ...translated },
      tags: relation('manyToMany', 'tag'),
    },
  },
  tag: { attributes: { name: { type: 'string', unique: true }, note: { type: 'string' } } },
  plain: { attributes: { title: { type: 'string' } } },
  // A type whose path is that of a look-up's beginning wins.
  by: { plural: 'bys', attributes: { slug: { type: 'uid' } } },
});

describe.each(engines)('%s: looking a document up', (engine) => {
  const api = useProject(engine, {
    files,
    locales: seedLocales('en', 'de'),
    tokens: { reader: ['api::page.page.findOne'], tags: ['api::tag.tag.findOne'], lists: ['api::page.page.find'] },
    public: ['api::tag.tag.findOne'],
    rules: { public: { 'api::tag.tag.findOne': { fields: ['note'] } } },
  });
  const get = (path: string, who = 'full') => api.ask(who, 'GET', path);

  it('returns what a read by its id returns', async () => {
    const tag = String((await api.write('POST', '/api/tags', { name: 'A/b ü?&[x]=%', note: 'n' })).documentId);
    const path = await api.make('/api/pages', { title: 'Fog', slug: 'fog', number: 7, tags: [tag] });
    for (const [attribute, value] of [
      ['slug', 'fog'],
      ['number', '7'],
    ] as const) {
      const query = '?populate=tags&fields=title';
      const [found, read] = [await get(`/api/pages/by/${attribute}/${value}${query}`), await get(`${path}${query}`)];
      expect([found.status, found.json()]).toEqual([200, read.json()]);
      expect(found.headers.etag).toBe(read.headers.etag);
    }
    const name = encodeURIComponent('A/b ü?&[x]=%');
    expect((await get(`/api/tags/by/name/${name}`)).json()).toMatchObject({ data: { documentId: tag } });
  });

  it('in the version and the locale of the request', async () => {
    const path = await api.make('/api/pages?status=draft', { title: 'Draft', slug: 'only-draft' });
    expect((await get('/api/pages/by/slug/only-draft')).status).toBe(404);
    expect((await get('/api/pages/by/slug/only-draft?status=draft')).json()).toMatchObject({ data: { title: 'Draft' } });
    await api.write('PATCH', `${path}?locale=de`, { title: 'Entwurf', slug: 'nur-deutsch' });
    expect((await get('/api/pages/by/slug/nur-deutsch')).status).toBe(404);
    expect((await get('/api/pages/by/slug/nur-deutsch?locale=de')).json()).toMatchObject({ data: { title: 'Entwurf', locale: 'de' } });
    expect((await get('/api/pages/by/slug/nur-deutsch?locale=d%')).status).toBe(400);
    expect((await get('/api/pages/by/slug/only-draft?status=x')).status).toBe(400);
  });

  it('is a 404 for what is not there, not unique, or not to be seen', async () => {
    await api.write('POST', '/api/pages', { title: 'Hidden', slug: 'hidden', code: 'secret' });
    for (const path of ['slug/nothing', 'title/Hidden', 'code/secret', 'documentId/x', 'tags/x', 'number/seven', '__proto__/x'])
      expect([path, (await get(`/api/pages/by/${path}`)).status]).toEqual([path, path === 'number/seven' ? 400 : 404]);
    for (const path of ['/api/plains/by/title/x', '/api/pages/by/slug', '/api/pages/by/slug/a/b'])
      expect((await get(path)).status).toBe(404);
    expect((await get('/api/pages/by/slug/a%00b')).status).toBe(400);
  });

  it('needs the right to read one document, with its restrictions', async () => {
    await api.write('POST', '/api/pages', { title: 'Right', slug: 'right' });
    await api.write('POST', '/api/tags', { name: 'visible', note: 'n' });
    expect((await get('/api/pages/by/slug/right', 'reader')).status).toBe(200);
    expect((await get('/api/pages/by/slug/right', 'lists')).status).toBe(403);
    expect((await get('/api/pages/by/slug/right', 'public')).status).toBe(403);
    expect((await get('/api/pages/by/slug/right?status=draft', 'reader')).status).toBe(403);
    expect((await get('/api/tags/by/name/visible', 'tags')).status).toBe(200);
    // Otherwise a visitor could guess names.
    expect((await get('/api/tags/by/name/visible', 'public')).status).toBe(404);
  });

  it('leaves the paths of other types alone', async () => {
    await api.write('POST', '/api/bys', { slug: 'one' });
    expect((await get('/api/bys/by/slug/one')).json()).toMatchObject({ data: { slug: 'one' } });
  });
});

describe('beside routes of the project', () => {
  const router = (name: string) =>
    `const { createCoreRouter } = require('@strapi/strapi').factories;\nmodule.exports = createCoreRouter('api::${name}.${name}');\n`;
  const own = (...routes: readonly string[]) =>
    `module.exports = { routes: [${routes.map((route) => `{ method: '${route.split(' ')[0]}', path: '${route.split(' ')[1]}', handler: 'tag.own' }`).join(', ')}] };\n`;
  const api = useProject('sqlite', {
    files: {
      ...files,
      'src/api/page/routes/page.js': router('page'),
      'src/api/page/routes/own.js': own('GET /pages/:id/comments/:comment'),
      'src/api/tag/routes/tag.js': router('tag'),
      'src/api/tag/routes/own.js': own('GET /tags/by/:field/:value', 'PUT /users/me'),
    },
    locales: seedLocales('en'),
  });
  const status = async (path: string, method = 'GET') => (await api.ask('full', method, path)).status;

  it('takes nothing from them, and they take nothing but their own path', async () => {
    const page = await api.make('/api/pages', { title: 'P', slug: 'p' });
    const tag = await api.make('/api/tags', { name: 't' });
    expect([await status(page), await status(tag)]).toEqual([200, 200]);
    expect(await status('/api/pages/by/slug/p')).toBe(200);
    expect(await status('/api/pages/1/comments/2')).toBe(501);
    expect(await status('/api/tags/by/name/t')).toBe(501);
    expect(await status('/api/users/me', 'PUT')).toBe(501);
    // Its right is that of the route above.
    expect(await status('/api/users/me')).not.toBe(501);
  });
});
