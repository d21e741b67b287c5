/** What a reader may ask about documents: their versions, what links them, and how many there are. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ada, jwtSecret, profilesOn, signedInBy } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import { component, relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { sendFiles } from '../../support/send-files.ts';
import { type Json, useProject } from '../../support/served-project.ts';

const files = schemaFiles(
  {
    page: {
      drafts: true,
      localized: true,
      attributes: {
        title: { type: 'string', ...translated },
        owner: { type: 'string', ...translated },
        tag: relation('manyToOne', 'tag', { inversedBy: 'pages' }),
        others: relation('manyToMany', 'page'),
        cover: { type: 'media', ...translated },
        part: component('part', translated),
        zone: { type: 'dynamiczone', components: ['part.part', 'part.outer'], ...translated },
        secret: relation('oneToOne', 'tag', { private: true }),
      },
    },
    tag: { attributes: { name: { type: 'string' }, pages: relation('oneToMany', 'page', { mappedBy: 'tag' }) } },
    box: {
      attributes: {
        tags: relation('oneToMany', 'tag'),
        page: relation('oneToOne', 'page'),
        any: { type: 'relation', relation: 'morphToOne' },
      },
    },
    motto: { single: true, drafts: true, attributes: { text: { type: 'string' } } },
  },
  {
    part: { tag: relation('oneToOne', 'tag'), image: { type: 'media', multiple: true } },
    outer: { inner: component('part') },
  },
);
const [page, tag, box] = ['api::page.page', 'api::tag.tag', 'api::box.box'];
const open = [`${page}.findOne`, `${page}.find`, `${tag}.findOne`, `${tag}.find`, `${box}.find`];

describe.each(engines)('%s', (engine) => {
  describe.each(profilesOn(engine))('in profile %s', (profile) => {
    const isStrict = profile === 'specification';
    const api = useProject(engine, {
      files,
      locales: seedLocales('en', 'de'),
      tokens: {
        reader: [`${page}.findOne`, `${page}.find`, `${tag}.findOne`, `${tag}.find`],
        drafts: [`${page}.findOne`, `${page}.find`, `${page}.findDraft`, `${tag}.findOne`, `${tag}.find`],
        tags: [`${tag}.findOne`],
      },
      public: [...open, 'plugin::users-permissions.auth.callback', 'plugin::upload.content-api.findOne'],
      authenticated: open,
      users: [ada],
      rules: {
        public: { [`${page}.findOne`]: { where: { owner: 'me' } } },
        authenticated: {
          [`${page}.findOne`]: { where: { owner: 'me' } },
          [`${page}.find`]: { fields: ['title', 'tag'], where: { owner: 'me' } },
        },
      },
      env: { LECTERN_PROFILE: profile, JWT_SECRET: jwtSecret },
    });
    let signedIn = {};
    beforeAll(async () => {
      const { username: identifier, password } = ada;
      const login = { method: 'POST', path: '/api/auth/local', body: { identifier, password } };
      signedIn = { Authorization: `Bearer ${signedInBy(await api.send('public', login)).jwt}` };
    });
    /** As `user`, a user whose rights are restricted. */
    const ask = (who: string, path: string) =>
      who === 'user' ? api.ask('public', 'GET', path, undefined, signedIn) : api.ask(who, 'GET', path);
    const get = async (who: string, path: string) => {
      const response = await ask(who, path);
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${response.text}`);
      return response.json() as { readonly data: readonly Json[] & Json; readonly meta: Json };
    };
    const status = async (who: string, path: string) => (await ask(who, path)).status;

    describe('the versions of a document', () => {
      let both = '';
      let draftOnly = '';
      let theirs = '';
      beforeAll(async () => {
        both = await api.make('/api/pages?status=published', { title: 'Fog', owner: 'me' });
        await api.write('PATCH', `${both}?locale=de&status=draft`, { title: 'Nebel', owner: 'them' });
        draftOnly = await api.make('/api/pages?status=draft', { title: 'Draft', owner: 'me' });
        theirs = await api.make('/api/pages?status=published', { title: 'Theirs', owner: 'them' });
      });
      const versions = async (who: string, of: string) => (await get(who, `${of}/versions-of-locales`)).data;

      it('are there by locale, with their times', async () => {
        const found = await versions('full', both);
        const time = expect.stringMatching(/^\d{4}-.*Z$/);
        expect(found).toEqual([
          {
            locale: 'en',
            draft: { createdAt: time, updatedAt: time },
            published: { createdAt: time, updatedAt: time, publishedAt: time },
            isModified: false,
          },
          { locale: 'de', draft: { createdAt: time, updatedAt: time }, published: null, isModified: false },
        ]);
      });

      it('are modified once the draft has changed, and not once it is published again', async () => {
        const path = await api.make('/api/pages?status=published', { title: 'a' });
        const isModified = async () => (await versions('full', path))[0]?.isModified;
        expect(await isModified()).toBe(false);
        await api.write('PATCH', `${path}?status=draft`, { title: 'b' });
        expect(await isModified()).toBe(true);
        await api.ask('full', 'POST', `${path}/actions/publish`);
        expect(await isModified()).toBe(false);
        await api.write('PATCH', `${path}?status=draft`, { title: 'c' });
        await api.ask('full', 'POST', `${path}/actions/discard-draft`);
        expect(await isModified()).toBe(false);
      });

      it('are drafts only for those who may read them', async () => {
        if (isStrict) {
          expect(await versions('reader', both)).toEqual([expect.objectContaining({ locale: 'en', draft: null, isModified: null })]);
          expect(await status('reader', `${draftOnly}/versions-of-locales`)).toBe(404);
        }
        expect(await versions('drafts', draftOnly)).toEqual([
          expect.objectContaining({ locale: 'en', published: null, isModified: false }),
        ]);
      });

      it('are those that the right includes', async () => {
        expect((await versions('public', both)).map(({ locale }) => locale)).toEqual(['en']);
        expect(await status('public', `${theirs}/versions-of-locales`)).toBe(404);
        expect(await status('tags', `${both}/versions-of-locales`)).toBe(403);
        expect(await status('full', '/api/pages/nothing/versions-of-locales')).toBe(404);
        expect(await status('full', '/api/pages/a%00b/versions-of-locales')).toBe(400);
      });

      it('of types without drafts are published; a single type has a path without id', async () => {
        const of = await api.make('/api/tags', { name: 'a' });
        expect(await versions('full', of)).toEqual([expect.objectContaining({ locale: null, draft: null, isModified: false })]);
        expect(await status('full', '/api/motto/versions-of-locales')).toBe(404);
        await api.write('PUT', '/api/motto?status=draft', { text: 'a' });
        expect(await versions('full', '/api/motto')).toEqual([expect.objectContaining({ locale: null, published: null })]);
      });
    });

    describe('references', () => {
      let linked = '';
      let file = '';
      beforeAll(async () => {
        linked = await api.make('/api/tags', { name: 'linked' });
        const id = String(linked.split('/').at(-1));
        const sent = await sendFiles(api, [{ name: 'one.txt', type: 'text/plain', bytes: 'one' }]);
        file = String(sent.files[0]?.id);
        const data = { title: 'a', owner: 'me', tag: id, secret: id, cover: file, part: { tag: id, image: [file] } };
        const zone = [
          { __component: 'part.part', tag: id, image: [file] },
          { __component: 'part.outer', inner: { tag: id, image: [file] } },
          { __component: 'part.part', image: [file] },
        ];
        await api.make('/api/pages?status=published', { ...data, zone });
        await api.make('/api/pages?status=published', { title: 'b', owner: 'them', tag: id });
        await api.make('/api/pages?status=draft', { title: 'c', owner: 'me', tag: id });
        await api.make('/api/boxes'.replace('boxes', 'boxs'), { tags: [id] });
      });
      const of = async (who: string, path: string) =>
        (await get(who, `${path}/references`)).data.map(({ uid, attribute, count, status: counted }) => [uid, attribute, count, counted]);

      it('are counted by type and attribute, through components and zones', async () => {
        expect(await of('full', linked)).toEqual([
          [box, 'tags', 1, null],
          [page, 'tag', 3, 'draft'],
          [page, 'part.tag', 1, 'draft'],
          [page, 'zone.part.part.tag', 1, 'draft'],
          [page, 'zone.part.outer.inner.tag', 1, 'draft'],
        ]);
        expect((await get('full', `${linked}/references`)).meta).toEqual({ notCounted: [{ uid: box, attribute: 'any' }] });
      });

      it('of a file are those of media attributes', async () => {
        const expected = [
          [page, 'cover', 1, 'draft'],
          [page, 'part.image', 1, 'draft'],
          [page, 'zone.part.part.image', 1, 'draft'],
          [page, 'zone.part.outer.inner.image', 1, 'draft'],
        ];
        expect(await of('full', `/api/upload/files/${file}`)).toEqual(expected);
        const record = (await api.ask('full', 'GET', `/api/upload/files/${file}`)).json() as Json;
        expect(await of('full', `/api/upload/files/${String(record.documentId)}`)).toEqual(expected);
        expect(await status('full', '/api/upload/files/99999/references')).toBe(404);
        expect(await status('reader', `/api/upload/files/${file}/references`)).toBe(403);
      });

      it('count what the caller may read: types, attributes, rows, and drafts', async () => {
        const published = isStrict ? 2 : 3;
        expect((await of('reader', linked))[0]).toEqual([page, 'tag', published, isStrict ? 'published' : 'draft']);
        expect((await of('drafts', linked))[0]).toEqual([page, 'tag', 3, 'draft']);
        expect(await of('tags', linked)).toEqual([]);
        // Neither parts nor rows of others; boxes have no restriction.
        expect(await of('user', linked)).toEqual([
          [box, 'tags', 1, null],
          [page, 'tag', isStrict ? 1 : 2, isStrict ? 'published' : 'draft'],
        ]);
      });

      it('are not for visitors', async () => {
        for (const path of [linked, `/api/upload/files/${file}`]) {
          expect(await status('public', path)).toBe(200);
          expect(await status('public', `${path}/references`)).toBe(401);
        }
      });

      it('are asked of a document that the caller may read', async () => {
        expect(await status('full', '/api/tags/nothing/references')).toBe(404);
        const hidden = await api.make('/api/pages?status=draft', { title: 'hidden', owner: 'me' });
        expect(await status('reader', `${hidden}/references`)).toBe(isStrict ? 404 : 200);
        expect(await of('full', hidden)).toEqual([]);
        // A type without drafts may link a draft.
        await api.make('/api/boxs', { page: String(hidden.split('/').at(-1)) });
        expect(await of('full', hidden)).toEqual([[box, 'page', 1, null]]);
      });
    });

    describe('counts', () => {
      it('are those of lists, by the rights of the caller', async () => {
        const total = async (query: string, who = 'full') =>
          Number(((await get(who, `/api/pages?pagination[pageSize]=1&${query}`)).meta.pagination as Json).total);
        const of = async (who: string, query = '') => (await get(who, `/api/_counts${query}`)).data[page];
        expect(await of('full')).toEqual({
          total: await total('status=draft'),
          drafts: await total('status=draft&publicationFilter=never-published'),
          modified: await total('status=draft&publicationFilter=modified'),
        });
        expect(await of('full', '?locale=de')).toMatchObject({ total: await total('status=draft&locale=de') });
        if (isStrict) expect(await of('reader')).toEqual({ total: await total('') });
        expect(await of('user')).toMatchObject({ total: await total(isStrict ? '' : 'status=draft', 'user') });
        expect(Object.keys((await get('reader', '/api/_counts')).data)).toEqual([page, tag]);
        expect(Object.keys((await get('full', '/api/_counts')).data)).toEqual(expect.arrayContaining([page, tag, box, 'api::motto.motto']));
        expect(Object.keys((await get('full', `/api/_counts?types=${tag},api::nothing.nothing`)).data)).toEqual([tag]);
        expect((await get('tags', '/api/_counts')).data).toEqual({});
      });

      it('are not for visitors', async () => {
        expect(await status('public', '/api/_counts')).toBe(401);
      });

      it('refuse other parameters, and a malformed locale', async () => {
        expect(await status('full', '/api/_counts?filters[a]=b')).toBe(400);
        expect(await status('full', '/api/_counts?locale=e%00')).toBe(400);
        expect(await status('full', '/api/_counts?locale=xx')).toBe(isStrict ? 400 : 200);
      });
    });
  });
});
