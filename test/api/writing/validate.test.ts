/** `POST /api/_validate/:uid` says what a write would say of its body, and writes nothing. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ada, jwtSecret, profilesOn, signedInBy } from '../../support/accounts.ts';
import { engines, versionedEngines } from '../../support/engines.ts';
import { component, relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { errorOf, type Json, useProject } from '../../support/served-project.ts';

const files = schemaFiles(
  {
    page: {
      drafts: true,
      localized: true,
      attributes: {
        title: { type: 'string', required: true, maxLength: 10, ...translated },
        slug: { type: 'uid', ...translated },
        price: { type: 'integer', max: 100, ...translated },
        code: { type: 'string', unique: true, ...translated },
        pin: { type: 'password', minLength: 4, ...translated },
        tags: relation('manyToMany', 'tag'),
        part: component('part', { ...translated }),
      },
    },
    tag: { attributes: { name: { type: 'string', unique: true, required: true }, note: { type: 'string' }, size: { type: 'integer' } } },
    motto: { single: true, attributes: { text: { type: 'string', required: true } } },
    hidden: { attributes: { name: { type: 'string' } } },
  },
  { part: { text: { type: 'string', required: true, maxLength: 3 }, tag: relation('oneToOne', 'tag') } },
);
const page = 'api::page.page';
const tag = 'api::tag.tag';

interface Found {
  readonly valid: boolean;
  readonly errors: readonly { readonly path: readonly string[]; readonly message: string; readonly name: string }[];
}

describe.each(engines)('%s', (engine) => {
  describe.each(profilesOn(engine))('in profile %s', (profile) => {
    const api = useProject(engine, {
      files,
      locales: seedLocales('en', 'de'),
      tokens: {
        creator: [`${page}.create`, `${tag}.create`],
        editor: [`${tag}.update`, `${tag}.find`],
        reader: [`${page}.find`, `${tag}.find`],
      },
      public: [`${tag}.create`, 'plugin::users-permissions.auth.callback'],
      authenticated: [`${tag}.create`, `${tag}.update`, `${tag}.find`],
      users: [ada],
      rules: {
        authenticated: {
          [`${tag}.create`]: { fields: ['name', 'note'], where: { note: 'mine' } },
          [`${tag}.update`]: { where: { note: 'mine' } },
        },
      },
      env: { LECTERN_PROFILE: profile, JWT_SECRET: jwtSecret },
    });
    let signedIn = {};
    const ask = (who: string, path: string, body: Json, headers = {}) =>
      api.send(who, { method: 'POST', path: `/api/_validate/${path}`, body, headers });
    const check = async (path: string, data: Json, documentId?: string): Promise<Found> => {
      const response = await ask('full', path, { data, ...(documentId === undefined ? {} : { documentId }) });
      expect([response.status, response.text]).toEqual([200, expect.any(String)]);
      return (response.json() as { data: Found }).data;
    };
    const pathsOf = ({ errors }: Found) => errors.map(({ path }) => path.join('.'));
    let [taken, other] = ['', ''];
    beforeAll(async () => {
      const { username: identifier, password } = ada;
      const login = { method: 'POST', path: '/api/auth/local', body: { identifier, password } };
      signedIn = { Authorization: `Bearer ${signedInBy(await api.send('public', login)).jwt}` };
      taken = String((await api.write('POST', '/api/tags', { name: 'taken', note: 'mine' })).documentId);
      other = String((await api.write('POST', '/api/tags', { name: 'other', note: 'theirs' })).documentId);
    });

    it('finds nothing wrong with a body that would be written', async () => {
      expect(await check(page, { title: 'Fog', pin: 'secret', tags: [taken], part: { text: 'abc' } })).toEqual({ valid: true, errors: [] });
      expect(await check(tag, { name: 'taken' }, taken)).toEqual({ valid: true, errors: [] });
      expect(await check(tag, {}, taken)).toEqual({ valid: true, errors: [] });
      expect(await check('api::motto.motto', { text: 'Begin' })).toEqual({ valid: true, errors: [] });
    });

    it('lists the problems of values as the write would', async () => {
      const data = { title: 'Longer than ten', price: 'many', part: { text: 'abcd' } };
      const { errors, valid } = await check(`${page}?status=published`, data);
      expect(valid).toBe(false);
      const written = errorOf(await api.ask('full', 'POST', '/api/pages?status=published', data));
      const listed = written.details.errors ?? [{ path: ['price'], message: written.message }];
      expect(errors.map(({ path, message }) => ({ path, message }))).toEqual(listed.map(({ path, message }) => ({ path, message })));
      expect(Object.keys(errors[0] ?? {})).toEqual(['path', 'message', 'name']);
    });

    it('asks the version that the query names', async () => {
      expect((await check(`${page}?status=draft`, { price: 1 })).valid).toBe(true);
      expect(pathsOf(await check(`${page}?status=published`, { price: 1 }))).toEqual(['title']);
      expect((await ask('full', `${page}?status=x`, { data: {} })).status).toBe(400);
      expect((await check(`${page}?locale=de&status=published`, { title: 'Nebel' })).valid).toBe(true);
    });

    it('finds taken values, and missing targets with their place, beside wrong values', async () => {
      expect(pathsOf(await check(tag, { name: 'taken' }))).toEqual(['name']);
      expect(pathsOf(await check(tag, { name: 'taken' }, other))).toEqual(['name']);
      expect(pathsOf(await check(tag, { name: 'taken', size: 'x' }, other))).toEqual(['size', 'name']);
      const missing = await check(page, { title: 'Fog', tags: ['nothing'], part: { text: 'abc' } });
      expect(pathsOf(missing)).toEqual(['tags']);
      expect(pathsOf(await check(page, { title: 'Fog', part: { text: 'abc', tag: 'nothing' } }))).toEqual(['part.tag']);
    });

    it('names unknown keys', async () => {
      expect(pathsOf(await check(tag, { nmae: 'x', name: 'x' }))).toEqual(['nmae']);
      expect(pathsOf(await check(page, { title: 'x', part: { text: 'abc', nope: 1 } }))).toEqual(['part.nope']);
    });

    it('needs the right of the write, with its restriction', async () => {
      const status = async (who: string, path: string, body: Json) => (await ask(who, path, body)).status;
      expect(await status('reader', page, { data: {} })).toBe(403);
      expect(await status('creator', tag, { data: { name: 'new' } })).toBe(200);
      expect(await status('creator', tag, { data: { name: 'new' }, documentId: taken })).toBe(403);
      expect(await status('editor', tag, { data: { name: 'new' }, documentId: taken })).toBe(200);
      expect(await status('editor', tag, { data: { name: 'new' } })).toBe(403);
      const asUser = (body: Json) => ask('public', tag, body, signedIn);
      expect((await asUser({ data: { name: 'new', note: 'mine' } })).status).toBe(200);
      expect((await asUser({ data: { name: 'new', note: 'theirs' } })).status).toBe(403);
      // As the write itself: a document that may not be changed.
      const write = await api.ask('public', 'PATCH', `/api/tags/${other}`, { note: 'mine' }, signedIn);
      expect((await asUser({ data: { note: 'mine' }, documentId: other })).status).toBe(write.status);
      const read = await asUser({ data: { size: 1, name: 'x', note: 'mine' } });
      expect(pathsOf((read.json() as { data: Found }).data)).toEqual(['size']);
    });

    it('refuses visitors, also where they may write', async () => {
      for (const body of [{ data: { name: 'taken' } }, { data: { name: 'new' } }, {}])
        expect((await ask('public', tag, body)).status).toBe(401);
      expect((await api.ask('public', 'POST', '/api/tags', { name: 'a visitor wrote it' })).status).toBe(201);
    });

    it('tells nothing of types without rights, and of documents that are not there', async () => {
      for (const uid of ['api::hidden.hidden', 'api::nothing.nothing', 'plugin::users-permissions.user', '__proto__'])
        expect([uid, (await ask('editor', uid, { data: {} })).status]).toEqual([uid, 403]);
      for (const uid of ['api::nothing.nothing', 'plugin::users-permissions.user', 'plugin::upload.file', '__proto__'])
        expect([uid, (await ask('full', uid, { data: {} })).status]).toEqual([uid, 404]);
      expect((await ask('full', tag, { data: { name: 'x' }, documentId: 'nothing' })).status).toBe(404);
    });

    it('refuses a malformed request', async () => {
      expect((await ask('full', tag, {})).status).toBe(400);
      expect((await ask('full', tag, { data: { name: 'x' }, documentId: 7 })).status).toBe(400);
      expect((await ask('full', tag, { data: { name: 'x' }, documentId: 'a\0b' })).status).toBe(400);
      expect(
        (
          await api.send('full', {
            method: 'POST',
            path: `/api/_validate/${tag}`,
            body: '{',
            headers: { 'Content-Type': 'application/json' },
          })
        ).status,
      ).toBe(400);
    });

    it('leaves nothing: no document, no event, no changed response', async () => {
      const state = async () => {
        const counts = await api.query(
          'SELECT (SELECT count(*) FROM pages), (SELECT count(*) FROM tags), (SELECT count(*) FROM lectern_events), (SELECT count(*) FROM pages_tags_lnk), (SELECT count(*) FROM mottos)',
        );
        return [
          counts,
          (await api.ask('full', 'GET', '/api/tags?sort=id')).text,
          (await api.ask('full', 'GET', `/api/tags/${taken}`)).headers.etag,
        ];
      };
      const before = await state();
      await check(page, { title: 'Fog', tags: [taken] });
      await check(`${page}?status=published`, { title: 'Fog', tags: [taken] });
      await check(tag, { name: 'changed' }, taken);
      await check('api::motto.motto', { text: 'Begin' });
      await ask('full', tag, { data: { name: 'by key' } }, { 'Idempotency-Key': 'k' });
      expect(await state()).toEqual(before);
      // Something else may be written meanwhile, such as the last use of a token.
      const cachedAfterwards = async () => {
        await api.ask('full', 'GET', `/api/tags/${taken}`);
        await check(tag, { name: 'changed' }, taken);
        return (await api.ask('full', 'GET', `/api/tags/${taken}`)).headers['server-timing'];
      };
      if (versionedEngines.includes(engine)) await expect.poll(cachedAfterwards).toContain('cache');
      const made = await api.ask('full', 'POST', '/api/tags', { name: 'by key' }, { 'Idempotency-Key': 'k' });
      expect([made.status, made.headers['idempotent-replayed']]).toEqual([201, undefined]);
    });

    it('says that the document has changed, as the write would', async () => {
      expect((await ask('full', tag, { data: { note: 'x' }, documentId: taken }, { 'If-Match': '"old"' })).status).toBe(412);
    });
  });
});
