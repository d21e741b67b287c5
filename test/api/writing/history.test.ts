/** `…/history`: what documents were, and writing a former version again. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ada, jwtSecret, profilesOn, signedInBy } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import { component, relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { errorOf, type Json, useProject } from '../../support/served-project.ts';

const files = {
  ...schemaFiles(
    {
      page: {
        drafts: true,
        localized: true,
        attributes: {
          title: { type: 'string', ...translated },
          size: { type: 'biginteger', ...translated },
          secret: { type: 'string', private: true, ...translated },
          pin: { type: 'password', ...translated },
          list: { type: 'json', ...translated },
          tags: relation('manyToMany', 'tag', { inversedBy: 'pages' }),
          hidden: relation('manyToOne', 'hidden'),
          memo: relation('manyToOne', 'memo'),
          parts: component('part', { repeatable: true, ...translated }),
          head: component('head', translated),
          zone: { type: 'dynamiczone', components: ['part.part'], ...translated },
        },
      },
      tag: {
        attributes: {
          name: { type: 'string', unique: true },
          note: { type: 'string' },
          pages: relation('manyToMany', 'page', { mappedBy: 'tags' }),
        },
      },
      hidden: { attributes: { name: { type: 'string' } } },
      memo: { drafts: true, attributes: { name: { type: 'string' } } },
      log: { attributes: { text: { type: 'string' } } },
      motto: { single: true, attributes: { text: { type: 'string' } } },
    },
    {
      part: { text: { type: 'string' }, tag: relation('oneToOne', 'tag') },
      head: { text: { type: 'string' }, hush: { type: 'string', private: true }, hushTag: relation('oneToOne', 'tag', { private: true }) },
    },
  ),
  'lectern.config.json': JSON.stringify({ history: { versions: 50, types: { 'api::tag.tag': 2, 'api::log.log': 0 } } }),
};
const page = 'api::page.page';
const tag = 'api::tag.tag';

interface Version {
  readonly version: number;
  readonly locale: string | null;
  readonly status: string;
  readonly replacedBy: { readonly event: string; readonly kind: string; readonly paths: readonly string[] };
}

describe.each(engines)('%s', (engine) => {
  describe.each(profilesOn(engine))('in profile %s', (profile) => {
    const api = useProject(engine, {
      files,
      locales: seedLocales('en', 'de'),
      tokens: {
        reader: [`${page}.find`, `${page}.findOne`],
        editor: [...['find', 'findOne', 'update', 'findDraft'].map((name) => `${page}.${name}`), 'api::memo.memo.find'],
      },
      public: [`${page}.findOne`, `${page}.update`, 'plugin::users-permissions.auth.callback'],
      authenticated: ['find', 'findOne', 'update'].flatMap((name) => [`${page}.${name}`, `${tag}.${name}`]),
      users: [ada],
      rules: {
        authenticated: {
          [`${page}.findOne`]: { fields: ['title'] },
          [`${page}.find`]: { fields: ['title'] },
          [`${tag}.update`]: { where: { note: 'mine' } },
          [`${tag}.find`]: { where: { note: 'mine' } },
        },
      },
      env: { LECTERN_PROFILE: profile, JWT_SECRET: jwtSecret },
    });
    let signedIn = {};
    beforeAll(async () => {
      const { username: identifier, password } = ada;
      signedIn = {
        Authorization: `Bearer ${signedInBy(await api.send('public', { method: 'POST', path: '/api/auth/local', body: { identifier, password } })).jwt}`,
      };
    });
    const get = async (path: string, who = 'full', headers = {}) => {
      const response = await api.send(who, { path, headers });
      expect([response.status, response.text]).toEqual([200, expect.any(String)]);
      return response.json() as { data: Json; meta: Json };
    };
    const versions = async (path: string, query = '', who = 'full', headers = {}) =>
      (await get(`${path}/history${query}`, who, headers)).data as unknown as readonly Version[];
    const brief = (all: readonly Version[]) =>
      all.map(({ status, locale, replacedBy: { event, paths } }) =>
        `${event} ${status} ${locale ?? ''} ${paths.join(',')}`.trim().replace(/ +/g, ' '),
      );
    const former = async (path: string, version: Version | undefined, who = 'full', headers = {}) =>
      (await get(`${path}/history/${version?.version}`, who, headers)).data;
    const restore = async (path: string, version: Version | undefined, who = 'full') => {
      const response = await api.send(who, { method: 'POST', path: `${path}/history/${version?.version}/restore` });
      expect([response.status, response.text]).toEqual([200, expect.any(String)]);
      const { data, meta } = response.json() as { data: Json; meta: { restored: { leftOut: Json[] } } };
      return { data, leftOut: meta.restored.leftOut };
    };

    it('keeps what each write replaces, in its version and locale', async () => {
      const path = await api.make('/api/pages?status=draft', {
        title: 'One',
        size: '9007199254740993',
        list: [],
        parts: [{ text: 'a' }],
        secret: 'x',
        pin: 'p',
      });
      expect(await versions(path)).toEqual([]);
      await api.write('PATCH', `${path}?status=draft`, { title: 'Two', parts: [{ text: 'b' }] });
      await api.ask('full', 'PATCH', `${path}?status=draft`, { title: 'Two' });
      await api.write('PATCH', `${path}?status=draft&locale=de`, { title: 'Zwei' });
      await api.write('PATCH', `${path}?status=draft&locale=de`, { title: 'Drei' });
      await api.send('full', { method: 'POST', path: `${path}/actions/publish` });
      await api.write('PATCH', `${path}?status=published`, { title: 'Three' });
      await api.send('full', { method: 'POST', path: `${path}/actions/unpublish` });
      const all = await versions(path);
      expect(brief(all)).toEqual([
        'unpublish published en',
        expect.stringMatching(/^publish (draft|published) en title$/),
        expect.stringMatching(/^publish (draft|published) en title$/),
        'update draft de title',
        'update draft en title,parts',
      ]);
      expect(brief(await versions(path, '?locale=de'))).toEqual(['update draft de title']);
      expect((await versions(path, '?status=published')).map(({ status }) => status)).toEqual(['published', 'published']);
      expect((await versions(path, '?pagination[page]=2&pagination[pageSize]=2')).map(({ version }) => version)).toEqual(
        all.slice(2, 4).map(({ version }) => version),
      );
      const [unpublished, , , , first] = all;
      expect(await former(path, first)).toMatchObject({ title: 'One', size: '9007199254740993', list: [], parts: [{ text: 'a' }] });
      expect(await former(path, unpublished)).toMatchObject({ title: 'Three', parts: [{ text: 'b' }] });
      expect(JSON.stringify(await former(path, first))).not.toMatch(/secret|pin/);
      expect(first?.replacedBy.kind).toBe('token');
    });

    it('writes a former version into the draft, and nothing that is public', async () => {
      const [a, b] = [await api.write('POST', '/api/tags', { name: 'a' }), await api.write('POST', '/api/tags', { name: 'b' })];
      const content = {
        title: 'Old',
        secret: 'kept',
        tags: [a.documentId, b.documentId],
        parts: [{ text: 'x', tag: a.documentId }],
        zone: [{ __component: 'part.part', text: 'z' }],
      };
      const path = await api.make('/api/pages', content);
      await api.write('PATCH', path, { title: 'New', secret: 'other', tags: [], parts: [], zone: [] });
      await api.send('full', { method: 'DELETE', path: `/api/tags/${b.documentId}` });
      const [last] = await versions(path, '?status=draft');
      const { data, leftOut } = await restore(path, last);
      expect(data).toMatchObject({ title: 'Old' });
      expect(leftOut).toEqual([{ path: ['tags'], reason: 'gone', documentId: b.documentId }]);
      const { data: draft } = await get(`${path}?status=draft&populate[tags]=true&populate[parts][populate]=tag&populate[zone]=true`);
      expect(draft).toMatchObject({ tags: [{ name: 'a' }], parts: [{ text: 'x', tag: { name: 'a' } }], zone: [{ text: 'z' }] });
      expect((await get(path)).data).toMatchObject({ title: 'New' });
      // A restored version is a write like others.
      const [undo] = await versions(path, '?status=draft');
      await restore(path, undo);
      expect((await get(`${path}?status=draft`)).data).toMatchObject({ title: 'New' });
      // The inverse side belongs to other documents.
      const tagPath = `/api/tags/${a.documentId}`;
      await api.write('PATCH', path, { tags: [a.documentId] });
      await api.write('PATCH', tagPath, { note: 'x' });
      await api.write('PATCH', path, { tags: [] });
      await restore(tagPath, (await versions(tagPath))[0]);
      expect((await get(`${path}?populate=tags`)).data.tags).toEqual([]);
    });

    it('leaves relations alone that have targets which the caller cannot see', async () => {
      const [mine, theirs] = [
        await api.write('POST', '/api/tags', { name: 'mine', note: 'mine' }),
        await api.write('POST', '/api/tags', { name: 'not mine', note: 'theirs' }),
      ];
      const path = await api.make('/api/pages?status=draft', { title: 'Old', tags: [mine.documentId, theirs.documentId] });
      await api.write('PATCH', `${path}?status=draft`, { title: 'New', tags: [theirs.documentId] });
      const [last] = await versions(path);
      const response = await api.send('public', { method: 'POST', path: `${path}/history/${last?.version}/restore`, headers: signedIn });
      // Drafts need a right of their own, which users lack here.
      expect(response.status).toBe(profile === 'specification' ? 404 : 200);
      if (profile === 'specification') return;
      expect(response.text).not.toContain(String(theirs.documentId));
      const { data } = await get(`${path}?status=draft&populate=tags`);
      expect(data).toMatchObject({ title: 'Old', tags: [{ name: 'not mine' }] });
    });

    it('names no private attributes of components', async () => {
      const { documentId } = await api.write('POST', '/api/tags', { name: 'hush' });
      const head = { text: 'a', hush: 'x', hushTag: documentId };
      const path = await api.make('/api/pages?status=draft', { title: 'Head', head });
      const [component] = await api.query('SELECT id FROM components_part_heads ORDER BY id DESC LIMIT 1');
      await api.write('PATCH', `${path}?status=draft`, { head: { id: Number(component?.[0]), text: 'b', hush: 'y', hushTag: null } });
      await api.send('full', { method: 'DELETE', path: `/api/tags/${documentId}` });
      const [last] = await versions(path);
      expect(last?.replacedBy.paths).toEqual(['head.text']);
      expect(await former(path, last)).toMatchObject({ head: { text: 'a' } });
      expect((await restore(path, last)).leftOut).toEqual([]);
    });

    it.runIf(profile === 'specification')('does not take a draft that the caller may not see for a deleted target', async () => {
      const [before, now] = [
        await api.write('POST', '/api/memos?status=draft', { name: 'before' }),
        await api.write('POST', '/api/memos?status=draft', { name: 'now' }),
      ];
      const path = await api.make('/api/pages?status=draft', { title: 'Old', memo: before.documentId });
      await api.write('PATCH', `${path}?status=draft`, { title: 'New', memo: now.documentId });
      const { leftOut } = await restore(path, (await versions(path))[0], 'editor');
      expect(leftOut).toEqual([{ path: ['memo'], reason: 'hidden' }]);
      expect((await get(`${path}?status=draft&populate=memo`)).data).toMatchObject({ title: 'Old', memo: { name: 'now' } });
    });

    it('restores a deleted document with its documentId', async () => {
      const path = await api.make('/api/pages', { title: 'Lost' });
      await api.send('full', { method: 'DELETE', path });
      const [draft] = await versions(path, '?status=draft');
      await restore(path, draft);
      expect((await get(`${path}?status=draft`)).data).toMatchObject({ title: 'Lost', documentId: path.split('/').at(-1) });
      expect((await api.send('full', { path })).status).toBe(404);
    });

    it('restores it once, with all digits of its numbers', async () => {
      const path = await api.make('/api/pages', { title: 'Twice', list: { large: 1 } });
      const exact = '{"data":{"title":"Twice","list":{"large":12345678901234567890}}}';
      await api.send('full', { method: 'PATCH', path, body: exact });
      await api.send('full', { method: 'DELETE', path });
      const [draft] = await versions(path, '?status=draft');
      const attempt = () => api.send('full', { method: 'POST', path: `${path}/history/${draft?.version}/restore` });
      const statuses = (await Promise.all([attempt(), attempt(), attempt()])).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
      expect(statuses.filter((status) => status !== 200 && status !== 412)).toEqual([]);
      const all = await api.send('full', { path: `/api/pages?status=draft&filters[title]=Twice` });
      expect((all.json() as { data: Json[] }).data).toHaveLength(1);
      expect(all.text).toContain('12345678901234567890');
    });

    it('keeps as many versions as the setting says', async () => {
      const path = await api.make('/api/tags', { name: 'counted' });
      for (const note of ['1', '2', '3', '4']) await api.write('PATCH', path, { note });
      const all = await versions(path);
      expect(all.map(({ replacedBy }) => replacedBy.paths)).toEqual([['note'], ['note']]);
      expect(await former(path, all[0])).toMatchObject({ note: '3' });
      const log = await api.make('/api/logs', { text: 'x' });
      expect(errorOf(await api.send('full', { path: `${log}/history` })).status).toBe(404);
    });

    it('has the history of a single type', async () => {
      await api.write('PUT', '/api/motto', { text: 'a' });
      await api.write('PUT', '/api/motto', { text: 'b' });
      const [last] = await versions('/api/motto');
      await restore('/api/motto', last);
      expect((await get('/api/motto')).data).toMatchObject({ text: 'a' });
    });

    it('shows no more than today’s rights', async () => {
      const hidden = await api.write('POST', '/api/hiddens', { name: 'hush' });
      const path = await api.make('/api/pages', { title: 'Seen', size: '1', hidden: hidden.documentId, list: { a: 1 } });
      await api.write('PATCH', path, { title: 'Changed', size: '2' });
      const [published] = await versions(path, '?status=published');
      const statusOf = async (who: string, end: string, headers = {}) =>
        (await api.send(who, { path: `${path}/history${end}`, headers })).status;
      expect(await statusOf('public', '')).toBe(401);
      expect(await statusOf('reader', '')).toBe(403);
      expect(await former(path, published, 'editor')).not.toHaveProperty('hidden');
      expect(await former(path, published)).toMatchObject({ hidden: { name: 'hush' } });
      expect(Object.keys(await former(path, published, 'public', signedIn)).sort()).toEqual(
        profile === 'strapi' ? ['documentId', 'locale', 'title'] : ['documentId', 'locale', 'title'],
      );
      const [shown] = await versions(path, '?status=published', 'public', signedIn);
      expect(shown?.replacedBy.paths).toEqual(['title']);
      // A right to some documents.
      const tagPath = await api.make('/api/tags', { name: 'theirs', note: 'theirs' });
      await api.write('PATCH', tagPath, { note: 'mine' });
      expect((await api.send('public', { path: `${tagPath}/history`, headers: signedIn })).status).toBe(403);
      // The version of another document.
      const other = await api.make('/api/pages', { title: 'Other' });
      expect((await api.send('full', { path: `${other}/history/${published?.version}` })).status).toBe(404);
      for (const wrong of ['x', '-1', '0', '99999999999999999999', '%00']) {
        expect([404, 400]).toContain((await api.send('full', { path: `${path}/history/${wrong}` })).status);
      }
    });
  });
});
