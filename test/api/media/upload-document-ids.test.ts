/** A documentId wherever an upload takes the id of a row: of the entry that files are attached to, and of a file. */
import { describe, expect, it } from 'vitest';
import { profilesOn } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { multipart, type Part } from '../../support/multipart.ts';
import { schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { errorOf, idOf, type Json, useProject } from '../../support/served-project.ts';
import { info, link, red, words } from '../../support/uploads.ts';

const cover = { type: 'media', multiple: false, allowedTypes: ['images'] };
const files = schemaFiles({
  page: {
    drafts: true,
    localized: true,
    attributes: { title: { type: 'string', ...translated }, cover: { ...cover, ...translated } },
  },
  note: { attributes: { title: { type: 'string' }, cover } },
});
const pageUid = 'api::page.page';
const noteUid = 'api::note.note';
const missing = 'a'.repeat(24);
const right = (...names: readonly string[]) => names.map((name) => `plugin::upload.content-api.${name}`);
const version = (values: Readonly<Record<string, string>>): Part[] => Object.entries(values).map(([name, value]) => ({ name, value }));

describe.each(engines)('%s: uploads by documentId', (engine) => {
  describe.each(profilesOn(engine))('in profile %s', (profile) => {
    const served = useProject(engine, {
      files,
      locales: seedLocales('en', 'de'),
      types: [
        {
          type: pageUid,
          documents: ['one', 'draft'].map((key) => ({
            key,
            status: key === 'one' ? ('published' as const) : ('draft' as const),
            data: { title: `${key} en` },
            translations: key === 'one' ? [{ locale: 'de', status: 'published' as const, data: { title: 'one de' } }] : [],
          })),
        },
        { type: noteUid, documents: ['mine', 'yours'].map((key) => ({ key, status: 'published' as const, data: { title: key } })) },
      ],
      public: [...right('upload', 'destroy', 'find', 'findOne'), `${noteUid}.update`, `${pageUid}.update`, `${pageUid}.publish`],
      rules: {
        public: {
          ...Object.fromEntries(
            right('upload', 'destroy', 'findOne').map((name) => [name, { where: { mime: { $startsWith: 'image/' } } }]),
          ),
          [`${noteUid}.update`]: { where: { title: 'mine' } },
          [`${pageUid}.publish`]: { where: { title: 'none' } },
        },
      },
      env: { LECTERN_PROFILE: profile },
    });
    const upload = async (who: string, parts: readonly Part[], query = ''): Promise<HttpResponse> =>
      served.send(who, { method: 'POST', path: `/api/upload${query}`, ...(await multipart(parts)) });
    const uploaded = async (...parts: readonly Part[]) => ((await upload('full', parts)).json() as Json[])[0] ?? {};
    const attached = async (table: string, uid: string) =>
      (
        await served.query(
          `SELECT t.title, t.locale, t.published_at, f.name FROM files_related_mph m JOIN files f ON f.id = m.file_id ` +
            `JOIN ${table} t ON t.id = m.related_id WHERE m.related_type = '${uid}' ORDER BY m.id`,
        )
      ).map(([title, locale, publishedAt, name]) => [title, locale, publishedAt === null ? 'draft' : 'published', name]);
    const message = (response: HttpResponse) => [response.status, errorOf(response).message];

    it('attach files to the one version that they name: by default the draft in the default locale', async () => {
      const one = link(pageUid, idOf('page', 'one'), 'cover');
      const named = [{}, { status: 'published' }, { locale: 'de' }, { locale: 'de', status: 'published' }];
      for (const [index, values] of named.entries()) {
        expect((await upload('full', [red(`${index}.png`), ...one, ...version(values)])).status).toBe(201);
      }
      expect(await attached('pages', pageUid)).toEqual([
        ['one en', 'en', 'draft', '0.png'],
        ['one en', 'en', 'published', '1.png'],
        ['one de', 'de', 'draft', '2.png'],
        ['one de', 'de', 'published', '3.png'],
      ]);
      const path = `/api/pages/${idOf('page', 'one')}?populate=cover`;
      expect(await served.read(`${path}&status=draft`)).toMatchObject({ cover: { name: '0.png' } });
      expect(await served.read(`${path}&locale=de`)).toMatchObject({ cover: { name: '3.png' } });
      // A new file replaces the former one of the same version.
      await upload('full', [red('4.png'), ...one]);
      expect(await served.read(`${path}&status=draft`)).toMatchObject({ cover: { name: '4.png' } });
      expect(await served.read(path)).toMatchObject({ cover: { name: '1.png' } });
    });

    it('attach files to the one row of a document without drafts and locales', async () => {
      const parts = [red('n.png'), ...link(noteUid, idOf('note', 'yours'), 'cover'), ...version({ status: 'published', locale: 'de' })];
      expect((await upload('full', parts)).status).toBe(201);
      expect(await served.read(`/api/notes/${idOf('note', 'yours')}?populate=cover`)).toMatchObject({ cover: { name: 'n.png' } });
    });

    it.each<[it: string, parts: readonly Part[], expected: string]>([
      ['a document that is not there', link(noteUid, missing, 'cover'), `refId: there is no ${noteUid} with the documentId ${missing}`],
      ['a NUL', link(noteUid, 'a\0', 'cover'), `refId: there is no ${noteUid} with the documentId a\0`],
      [
        'a document of another type',
        link(noteUid, idOf('page', 'one'), 'cover'),
        `refId: there is no ${noteUid} with the documentId ${idOf('page', 'one')}`,
      ],
      [
        'a locale that the document lacks',
        [...link(pageUid, idOf('page', 'draft'), 'cover'), ...version({ locale: 'de' })],
        `refId: there is no ${pageUid} with the documentId ${idOf('page', 'draft')} in the locale de (draft)`,
      ],
      [
        'a version that is not published',
        [...link(pageUid, idOf('page', 'draft'), 'cover'), ...version({ status: 'published' })],
        `refId: there is no ${pageUid} with the documentId ${idOf('page', 'draft')} (published)`,
      ],
      ['an unknown status', [...link(pageUid, missing, 'cover'), ...version({ status: 'live' })], 'status must be draft or published'],
      ['digits that are no id of a row', link(noteUid, '9'.repeat(24), 'cover'), 'refId must be the id of a row, or a documentId'],
    ])('are refused for %s, and store nothing', async (_, parts, expected) => {
      const before = await served.query('SELECT count(*) FROM files');
      expect(message(await upload('full', [red(), ...parts]))).toEqual([400, expected]);
      expect(await served.query('SELECT count(*) FROM files')).toEqual(before);
    });

    it('hold a role to the rows that it may update, and to those that it may publish', async () => {
      const [mine, yours, page] = [idOf('note', 'mine'), idOf('note', 'yours'), idOf('page', 'one')];
      expect((await upload('public', [red(), ...link(noteUid, mine, 'cover')])).status).toBe(201);
      expect((await upload('public', [red(), ...link(pageUid, page, 'cover')])).status).toBe(201);
      expect(message(await upload('public', [red(), ...link(noteUid, yours, 'cover')]))).toEqual([
        400,
        `refId: there is no ${noteUid} with the documentId ${yours}`,
      ]);
      expect(message(await upload('public', [red(), ...link(pageUid, page, 'cover'), ...version({ status: 'published' })]))).toEqual([
        400,
        `refId: there is no ${pageUid} with the documentId ${page} (published)`,
      ]);
    });

    it('read, change, replace and delete a file', async () => {
      const { id, documentId } = await uploaded(red('old.png'));
      const path = `/api/upload/files/${documentId}`;
      expect((await served.ask('full', 'GET', path)).json()).toMatchObject({ id, name: 'old.png' });
      const changed = await upload('full', [info({ caption: 'new' })], `?id=${documentId}`);
      expect(changed.json()).toMatchObject({ id, caption: 'new' });
      expect((await upload('full', [red(), info({ name: 'new.png' })], `?id=${documentId}`)).json()).toMatchObject({ id, name: 'new.png' });
      expect((await served.ask('full', 'GET', path)).json()).toMatchObject({ id, name: 'new.png', caption: 'new' });
      expect((await served.ask('full', 'DELETE', path)).json()).toMatchObject({ id, documentId });
      expect((await served.ask('full', 'GET', path)).status).toBe(404);
    });

    it('hold a role to the files that it may reach, and do not tell those from missing ones', async () => {
      const { documentId } = await uploaded(words());
      for (const each of [documentId, missing, 'a%00', '9'.repeat(24)]) {
        expect((await served.ask('public', 'GET', `/api/upload/files/${each}`)).status).toBe(404);
        expect((await served.ask('public', 'DELETE', `/api/upload/files/${each}`)).status).toBe(404);
        expect(message(await upload('public', [red()], `?id=${each}`))).toEqual([404, 'Entity not found']);
      }
      expect((await served.ask('full', 'GET', `/api/upload/files/${documentId}`)).status).toBe(200);
    });
  });
});
