/** The media library over HTTP: what is stored, what it is attached to, who may, and what is left behind when something fails. */
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { fixture } from '../../compatibility/scenarios.ts';
import { profiles } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import type { Answer } from '../../support/http.ts';
import { noise } from '../../support/images.ts';
import { multipart, type Part } from '../../support/multipart.ts';
import { component, schemaFiles } from '../../support/schema-files.ts';
import { errorOf, idOf, type Json, useProject } from '../../support/served-project.ts';

const media = (more: object = {}) => ({ type: 'media', multiple: false, ...more });
const files = schemaFiles(
  {
    note: {
      attributes: {
        title: { type: 'string' },
        cover: media({ allowedTypes: ['images'] }),
        papers: media({ multiple: true }),
        photo: component('photo'),
      },
    },
    article: { drafts: true, attributes: { title: { type: 'string' }, cover: media() } },
  },
  { photo: { file: media() } },
);

const right = (...names: readonly string[]) => names.map((name) => `plugin::upload.content-api.${name}`);
const images = { where: { mime: { $startsWith: 'image/' } } };

const file = (filename: string, content: string | Uint8Array<ArrayBuffer>, type: string): Part => ({
  name: 'files',
  file: content,
  filename,
  type,
});
const red = (filename = 'red.png') => file(filename, fixture('red.png'), 'image/png');
const wide = (filename = 'wide.jpg') => file(filename, fixture('wide.jpg'), 'image/jpeg');
const words = (filename = 'words.txt') => file(filename, 'some words\n', 'text/plain');
const info = (value: unknown): Part => ({ name: 'fileInfo', value: JSON.stringify(value) });
const link = (ref: string, refId: number | string, field: string): Part[] =>
  Object.entries({ ref, refId, field }).map(([name, value]) => ({ name, value: String(value) }));

const json = { 'content-type': 'application/json' };
const noteUid = 'api::note.note';
const articleUid = 'api::article.article';

describe.each(engines)('%s: uploads', (engine) => {
  describe.each(profiles)('in profile %s', (profile) => {
    const strict = profile === 'specification';
    const served = useProject(engine, {
      files,
      types: [
        {
          type: noteUid,
          documents: ['mine', 'mine too', 'yours'].map((title) => ({
            key: title,
            status: 'published' as const,
            data: { title, photo: {} },
          })),
        },
        { type: articleUid, documents: [{ key: 'one', status: 'published', data: { title: 'one' } }] },
      ],
      public: [...right('upload', 'destroy', 'find'), `${noteUid}.update`],
      rules: {
        public: {
          'plugin::upload.content-api.upload': images,
          'plugin::upload.content-api.destroy': images,
          [`${noteUid}.update`]: { fields: ['title', 'cover'], where: { title: { $startsWith: 'mine' } } },
        },
      },
      tokens: {
        uploader: right('upload'),
        editor: [...right('upload', 'findOne'), `${noteUid}.update`, `${articleUid}.update`],
        reader: right('find', 'findOne'),
      },
      env: { LECTERN_PROFILE: profile },
    });

    const upload = async (who: string, parts: readonly Part[], query = '') =>
      served.send(who, { method: 'POST', path: `/api/upload${query}`, ...(await multipart(parts)) });
    const uploaded = async (...parts: readonly Part[]): Promise<Json> => {
      const answer = await upload('full', parts);
      expect(answer.text).toContain('"hash"');
      return (answer.json() as Json[])[0] ?? {};
    };
    const destroy = (who: string, id: unknown) => served.send(who, { method: 'DELETE', path: `/api/upload/files/${id}` });
    const folder = () => join(served.project.dir, 'public/uploads');
    /** Names in the storage. What is on its way in would be in a folder that begins with a dot. */
    const stored = () => (existsSync(folder()) ? readdirSync(folder()).filter((name) => !name.startsWith('.')) : []).sort();
    const bytesOf = ({ url }: Json) => readFileSync(join(served.project.dir, 'public', String(url)));
    const rowsOf = (table: string) => served.query(`SELECT id FROM ${table}`);
    const noteId = async (title: string) => Number((await served.query(`SELECT id FROM notes WHERE title = '${title}'`))[0]?.[0]);
    const linksTo = (type: string, id: number) =>
      served.query(
        `SELECT f.name, m.field, m."order" FROM files_related_mph m JOIN files f ON f.id = m.file_id ` +
          `WHERE m.related_type = '${type}' AND m.related_id = ${id} ORDER BY m.id`,
      );
    /** The state that a refused upload must not change. */
    const state = async () => ({
      stored: stored(),
      rows: await served.query(
        ['files', 'files_related_mph', 'files_folder_lnk'].map((table) => `SELECT '${table}', id FROM ${table}`).join(' UNION ALL '),
      ),
    });
    const changesNothing = async (work: () => Promise<Answer>): Promise<Answer> => {
      const before = await state();
      const answer = await work();
      expect(await state()).toEqual(before);
      const incoming = join(folder(), '.incoming');
      expect(existsSync(incoming) ? readdirSync(incoming) : []).toEqual([]);
      return answer;
    };

    // `runIf`: what is the same in both profiles is asked once. The recordings are played in profile `strapi`.
    describe.runIf(strict)('the first ones', () => {
      it('at the same time have one folder, places of their own, and names of their own in the storage', async () => {
        const answers = await Promise.all(Array.from({ length: 6 }, () => upload('full', [words('same.txt')])));
        expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
        expect(await served.query('SELECT name, path_id, path FROM upload_folders')).toEqual([['API Uploads', 1, '/1']]);
        const places = await served.query('SELECT file_ord FROM files_folder_lnk ORDER BY file_ord');
        expect(places.map(([place]) => Number(place))).toEqual([1, 2, 3, 4, 5, 6]);
        expect(stored().length).toBe(6);
        expect(stored().every((name) => /^same_[0-9a-f]{10}\.txt$/.test(name))).toBe(true);
      });
    });

    describe.runIf(strict)('are answered', () => {
      it('with what was stored', async () => {
        const answer = await upload('full', [
          red('Été à Paris.PNG'),
          info({ alternativeText: 'Red', caption: null, focalPoint: { x: 10, y: 20.5 } }),
        ]);
        expect(answer.status).toBe(201);
        const [entry = {}, ...others] = answer.json() as Json[];
        expect(others).toEqual([]);
        expect(entry).toMatchObject({
          name: 'Été à Paris.PNG',
          alternativeText: 'Red',
          caption: null,
          focalPoint: { x: 10, y: 20.5 },
          width: 40,
          height: 30,
          formats: null,
          ext: '.PNG',
          mime: 'image/png',
          provider: 'local',
          isUrlSigned: false,
        });
        expect(entry.url).toMatch(/^\/uploads\/Ete_a_Paris_[0-9a-f]{10}\.PNG$/);
        expect(entry).not.toHaveProperty('folderPath');
        expect(entry.size).toBe(Math.round(bytesOf(entry).length / 10) / 100);
        expect((await served.server.get(String(entry.url))).raw).toEqual(bytesOf(entry));
      });

      it('in the order in which they were sent, each with its information', async () => {
        const answer = await upload('full', [
          words('a.txt'),
          red('b.png'),
          words('c.txt'),
          info([{ caption: 'first' }, {}, { name: 'third' }]),
        ]);
        const entries = answer.json() as Json[];
        expect(entries.map(({ name, caption }) => [name, caption])).toEqual([
          ['a.txt', 'first'],
          ['b.png', null],
          ['third', null],
        ]);
        const [a, b, c] = entries.map(({ id }) => Number(id));
        expect([a, b, c]).toEqual([a, b, c].toSorted((one = 0, other = 0) => one - other));
      });

      it('with variants of an image, which are files as well', async () => {
        const entry = await uploaded(wide());
        const formats = entry.formats as Readonly<Record<string, Json>>;
        // In any order: PostgreSQL keeps none.
        expect(Object.keys(formats).sort()).toEqual(['large', 'medium', 'small', 'thumbnail']);
        for (const [name, format] of Object.entries(formats)) {
          expect(format.url).toBe(`/uploads/${name}_${entry.hash}.jpg`);
          expect(format.sizeInBytes).toBe(bytesOf(format).length);
        }
      });

      it('to a caller who may only upload, with all attributes', async () => {
        const answer = await upload('uploader', [words()]);
        expect((answer.json() as Json[])[0]).toMatchObject({ name: 'words.txt', isUrlSigned: false });
      });
    });

    it(strict ? 'a photograph is turned upright' : 'a photograph lies as it was stored', async () => {
      const photo = await noise(600, 300).withMetadata({ orientation: 6 }).jpeg({ quality: 95 }).toBuffer();
      const shape = strict ? { width: 300, height: 600 } : { width: 600, height: 300 };
      expect(await uploaded(file('photo.jpg', new Uint8Array(photo), 'image/jpeg'))).toMatchObject(shape);
    });

    it(strict ? 'an image is never made larger' : 'an image is encoded again, also where it gets larger by it', async () => {
      const small = new Uint8Array(await noise(300, 200).jpeg({ quality: 30 }).toBuffer());
      const { size } = await uploaded(file('small.jpg', small, 'image/jpeg'));
      if (strict) expect(size).toBe(Math.round(small.byteLength / 10) / 100);
      else expect(size).toBeGreaterThan(small.byteLength / 1000);
    });

    describe.runIf(strict)('are refused', () => {
      it.each<[it: string, parts: readonly Part[], status: number, message: RegExp]>([
        ['without a file', [info({ name: 'x' })], 400, /^Files are empty$/],
        ['with one empty file', [file('empty.txt', '', 'text/plain')], 400, /^Files are empty$/],
        ['with fileInfo that is no JSON', [words(), { name: 'fileInfo', value: 'nope' }], 400, /^fileInfo is not valid JSON$/],
        ['with fileInfo that is no object', [words(), { name: 'fileInfo', value: '7' }], 400, /^fileInfo must be/],
        ['with a name that is no text', [words(), info({ name: {} })], 400, /^fileInfo.name must be a text/],
        ['with a caption that is a list', [words(), info({ caption: ['a'] })], 400, /^fileInfo.caption must be/],
        ['with a NUL in a text', [words(), info({ caption: 'a\0b' })], 400, /^fileInfo.caption must not/],
        ['with a focal point outside', [words(), info({ focalPoint: { x: 101, y: 0 } })], 400, /^fileInfo.focalPoint.x/],
        ['with half a focal point', [words(), info({ focalPoint: { x: 1 } })], 400, /^fileInfo.focalPoint.y/],
        ['with one fileInfo for two files', [words(), words(), info({ caption: 'whose?' })], 400, /^fileInfo must have an entry for each/],
        ['with three fileInfo for two files', [words(), words(), info([{}, {}, {}])], 400, /^fileInfo has 3 entries for 2 files/],
        ['with a list of one for two files', [words(), words(), info([{}])], 400, /^fileInfo must have an entry for each/],
        ['with an empty list for one file', [words(), info([])], 400, /^fileInfo has no entry$/],
        ['with a path in the name', [words('../../up.txt')], 400, /^File name contains invalid characters$/],
        ['with a quote in the name, as browsers send it', [words('a"b.txt')], 400, /^File name contains invalid characters$/],
        ['with a name too long for what is added to it', [words(`${'x'.repeat(246)}.txt`)], 400, /^File name contains/],
        ['with a name too long for those of its variants', [wide(`${'x'.repeat(236)}.jpg`)], 400, /^File name contains/],
        [
          'with a good file before a broken image',
          [words(), file('b.png', fixture('red.png').slice(0, 100), 'image/png')],
          400,
          /valid image/,
        ],
      ])('%s', async (_, parts, status, message) => {
        const answer = await changesNothing(() => upload('full', parts));
        expect([answer.status, errorOf(answer).message]).toEqual([status, expect.stringMatching(message)]);
      });

      it.each<[it: string, parts: readonly Part[], paths: readonly (readonly string[])[]]>([
        ['fileInfo', [words(), info('text')], [['fileInfo']]],
        ['a text of it', [words(), info({ caption: ['a'] })], [['fileInfo', 'caption']]],
        ['both halves of the focal point', [words(), info({ focalPoint: {} })], ['x', 'y'].map((half) => ['fileInfo', 'focalPoint', half])],
        ['that of the second file', [words(), words(), info([{}, { name: {} }])], [['fileInfo', '1', 'name']]],
      ])('and tell that it is %s', async (_, parts, paths) => {
        const answer = await changesNothing(() => upload('full', parts));
        expect(errorOf(answer)).toMatchObject({ details: { errors: paths.map((path) => ({ path })) } });
      });

      it('for a body of JSON that is no object', async () => {
        const { id } = await uploaded(words());
        for (const body of [[], 'text', { fileInfo: [{}] }]) {
          const request = { method: 'POST', path: `/api/upload?id=${id}`, body: JSON.stringify(body), headers: json };
          expect((await changesNothing(() => served.send('full', request))).status).toBe(400);
        }
      });

      it('for a caller without the right, at every endpoint', async () => {
        const { id } = await uploaded(words());
        expect((await changesNothing(() => upload('reader', [words()]))).status).toBe(403);
        expect((await changesNothing(() => upload('reader', [words()], `?id=${id}`))).status).toBe(403);
        expect((await changesNothing(() => destroy('reader', id))).status).toBe(403);
        expect((await changesNothing(() => destroy('uploader', id))).status).toBe(403);
      });

      it('when the storage fails, and leave nothing', async () => {
        const aside = `${folder()}-aside`;
        await uploaded(words());
        renameSync(folder(), aside);
        writeFileSync(folder(), '');
        try {
          const before = await rowsOf('files');
          const answer = await upload('full', [words()]);
          expect([answer.status, answer.text]).toEqual([503, expect.not.stringContaining(folder())]);
          expect(await rowsOf('files')).toEqual(before);
        } finally {
          rmSync(folder());
          renameSync(aside, folder());
        }
      });

      it('when the database fails after the bytes are stored, and leave nothing', async () => {
        await served.change('ALTER TABLE files_folder_lnk RENAME TO set_aside');
        const before = { stored: stored(), files: await rowsOf('files') };
        const answer = await upload('full', [words(), wide()]);
        await served.change('ALTER TABLE set_aside RENAME TO files_folder_lnk');
        expect(answer.status).toBe(500);
        expect({ stored: stored(), files: await rowsOf('files') }).toEqual(before);
      });
    });

    describe.runIf(strict)('of other information', () => {
      it('change what they name, as a form and as JSON, and keep the rest', async () => {
        const { id, hash } = await uploaded(red(), info({ caption: 'c', alternativeText: 'a' }));
        const form = await upload('full', [info({ name: 'renamed.png', caption: null, zzz: 1 })], `?id=${id}`);
        expect([form.status, form.json()]).toMatchObject([200, { name: 'renamed.png', caption: 'c', alternativeText: 'a', hash }]);
        const json = await served.send('full', {
          method: 'POST',
          path: `/api/upload?id=${id}`,
          body: { fileInfo: { focalPoint: { x: 1, y: 2 } } },
        });
        expect([json.status, json.json()]).toMatchObject([
          200,
          { id, name: 'renamed.png', focalPoint: { x: 1, y: 2 }, isUrlSigned: false },
        ]);
        const nothing = await served.send('full', { method: 'POST', path: `/api/upload?id=${id}`, body: {} });
        expect([nothing.status, nothing.json()]).toMatchObject([200, { name: 'renamed.png', focalPoint: { x: 1, y: 2 } }]);
      });

      it.each(['99999', 'abc', '-1', '1.5', '1e3', '0x1', '99999999999', '1%00'])('are a 404 for the id %s', async (id) => {
        for (const parts of [[info({ name: 'x' })], [words()]]) {
          const answer = await changesNothing(() => upload('full', parts, `?id=${id}`));
          expect([answer.status, errorOf(answer).message]).toEqual([404, 'Entity not found']);
        }
      });

      it.each(['?id=1&id=2', '?id[]=1', '?id[a]=1'])('are a 400 for %s', async (query) => {
        expect((await changesNothing(() => upload('full', [words()], query))).status).toBe(400);
      });
    });

    describe.runIf(strict)('that replace a file', () => {
      it('keep its id, address and texts, and nothing of its old bytes', async () => {
        const old = await uploaded(wide(), info({ caption: 'c', focalPoint: { x: 1, y: 2 } }));
        const answer = await upload('full', [words('other.txt')], `?id=${old.id}`);
        expect([answer.status, answer.json()]).toMatchObject([
          200,
          // As recorded: the dimensions stay, though there is no image any more.
          {
            id: old.id,
            name: 'other.txt',
            caption: 'c',
            focalPoint: null,
            mime: 'text/plain',
            formats: {},
            width: 1200,
            ext: '.jpg',
            url: old.url,
          },
        ]);
        expect(bytesOf(old).toString()).toBe('some words\n');
        expect(stored().filter((name) => name.includes(String(old.hash)))).toEqual([`${old.hash}.jpg`]);
      });

      it('get variants of the new image, under the old names', async () => {
        const old = await uploaded(red());
        const answer = (await upload('full', [wide()], `?id=${old.id}`)).json() as Json;
        const formats = answer.formats as Readonly<Record<string, Json>>;
        expect(
          Object.values(formats)
            .map(({ url }) => String(url))
            .sort(),
        ).toEqual(['large', 'medium', 'small', 'thumbnail'].map((name) => `/uploads/${name}_${old.hash}.png`));
        for (const format of Object.values(formats)) expect(bytesOf(format).length).toBe(format.sizeInBytes);
        expect(answer).toMatchObject({ width: 1200, height: 800 });
      });

      it('are refused with more than one, or with one that is not allowed, and leave the old one', async () => {
        const old = await uploaded(wide());
        const bytes = bytesOf(old);
        const answer = await changesNothing(() => upload('full', [red(), red()], `?id=${old.id}`));
        expect([answer.status, errorOf(answer).message]).toEqual([400, 'Cannot replace a file with multiple ones']);
        const broken = file('b.png', fixture('red.png').slice(0, 100), 'image/png');
        expect((await changesNothing(() => upload('full', [broken], `?id=${old.id}`))).status).toBe(400);
        expect(bytesOf(old)).toEqual(bytes);
      });

      it('bring the old bytes back when the row cannot be written', async () => {
        const old = await uploaded(wide());
        const before = stored().map((name) => [name, readFileSync(join(folder(), name))]);
        // Within the limit before, and not any more afterwards.
        const answer = await changesNothing(() => upload('public', [words()], `?id=${old.id}`));
        expect(answer.status).toBe(403);
        expect(stored().map((name) => [name, readFileSync(join(folder(), name))])).toEqual(before);
      });

      it('at the same time leave a row and bytes of the same one, and nothing of the others', async () => {
        const old = await uploaded(words());
        const sent = Array.from({ length: 12 }, async (_, index) => {
          // Images take longer: some of the texts shall come while one is at its end.
          await pause(index * 25);
          const part = index % 3 === 0 ? wide() : file('text.txt', 'x'.repeat((index + 1) * 1000), 'text/plain');
          return upload('full', [part], `?id=${old.id}`);
        });
        expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(12).fill(200));
        const row = (await served.ask('full', 'GET', `/api/upload/files/${old.id}`)).json() as Json;
        const named = [row, ...Object.values(Object(row.formats) as Readonly<Record<string, Json>>)].map(({ url }) =>
          String(url).split('/').at(-1),
        );
        expect(stored().filter((name) => name.includes(String(old.hash)))).toEqual(named.sort());
        expect(Math.round(bytesOf(row).length / 10) / 100).toBe(row.size);
      });
    });

    describe('with a reference', () => {
      beforeEach(() => served.change('DELETE FROM files_related_mph'));

      it('are attached: a list keeps its files, a single attribute replaces its file', async () => {
        const id = await noteId('yours');
        expect((await upload('full', [red('a.png'), words('b.txt'), ...link(noteUid, id, 'papers')])).status).toBe(201);
        expect((await upload('full', [red('c.png'), ...link(noteUid, id, 'papers')])).status).toBe(201);
        expect((await upload('full', [red('d.png'), ...link(noteUid, id, 'cover')])).status).toBe(201);
        expect((await upload('full', [red('e.png'), ...link(noteUid, id, 'cover')])).status).toBe(201);
        expect((await linksTo(noteUid, id)).map(([name, field, order]) => [name, field, Number(order)])).toEqual([
          ['a.png', 'papers', 1],
          ['b.txt', 'papers', 1],
          ['c.png', 'papers', 1],
          ['e.png', 'cover', 1],
        ]);
        const note = await served.read(`/api/notes/${idOf('note', 'yours')}?populate[cover][fields][0]=name`);
        expect(note.cover).toMatchObject({ name: 'e.png' });
      });

      it('are attached to the row that is named, draft or published', async () => {
        const rows = await served.query('SELECT id FROM articles ORDER BY id');
        for (const [id] of rows) expect((await upload('full', [red(), ...link(articleUid, Number(id), 'cover')])).status).toBe(201);
        for (const [id] of rows) expect(await linksTo(articleUid, Number(id))).toHaveLength(1);
      });

      it.each<[it: string, parts: readonly Part[], message: RegExp]>([
        ['an unknown type', link('api::zzz.zzz', 1, 'cover'), /^ref: there is no type api::zzz\.zzz/],
        ['a documentId', link(noteUid, 'a'.repeat(24), 'cover'), /^refId must be/],
        ['users of the admin panel', link('admin::user', 1, 'avatar'), /^ref: there is no type/],
        ['users', link('plugin::users-permissions.user', 1, 'avatar'), /^ref: there is no type/],
        ['files', link('plugin::upload.file', 1, 'related'), /^ref: there is no type/],
        ['two types', [...link(noteUid, 1, 'cover'), { name: 'ref', value: articleUid }], /^ref is given more than once/],
        ['a field that is too long', link(noteUid, 1, 'x'.repeat(300)), /^field/],
        ['a field with a NUL', link(noteUid, 1, 'a\0'), /^field/],
      ])('are refused for %s', async (_, parts, message) => {
        const answer = await changesNothing(() => upload('full', [red(), ...parts]));
        expect([answer.status, errorOf(answer).message]).toEqual([400, expect.stringMatching(message)]);
      });

      const onlyStrict: readonly (readonly [it: string, who: string, parts: () => Promise<readonly Part[]>, status: number])[] = [
        ['without the right to update', 'uploader', async () => [red(), ...link(noteUid, await noteId('yours'), 'papers')], 403],
        ['to a row that is not there', 'full', async () => [red(), ...link(noteUid, 99_999, 'cover')], 400],
        ['to an attribute that is not there', 'full', async () => [red(), ...link(noteUid, await noteId('yours'), 'zzz')], 400],
        ['to an attribute that holds no files', 'full', async () => [red(), ...link(noteUid, await noteId('yours'), 'title')], 400],
        ['to a component', 'full', async () => [red(), ...link('part.photo', 1, 'file')], 400],
        ['to half of a place', 'full', async () => [red(), { name: 'ref', value: noteUid }], 400],
        [
          'of a kind that the attribute does not take',
          'full',
          async () => [words(), ...link(noteUid, await noteId('yours'), 'cover')],
          400,
        ],
        ['of two files to an attribute of one', 'full', async () => [red(), red(), ...link(noteUid, await noteId('yours'), 'cover')], 400],
      ];
      it.each(onlyStrict)(strict ? '%s are refused' : '%s are stored, as in Strapi', async (_, who, parts, status) => {
        const sent = await parts();
        const answer = strict ? await changesNothing(() => upload(who, sent)) : await upload(who, sent);
        expect(answer.status).toBe(strict ? status : 201);
      });

      it('hold a role to the rows and fields that it may update', async () => {
        const mine = await noteId('mine');
        expect((await upload('public', [red(), ...link(noteUid, mine, 'cover')])).status).toBe(201);
        expect(await linksTo(noteUid, mine)).toHaveLength(1);
        for (const parts of [
          link(noteUid, await noteId('yours'), 'cover'),
          link(noteUid, 99_999, 'cover'),
          link(noteUid, mine, 'papers'),
        ]) {
          expect((await changesNothing(() => upload('public', [red(), ...parts]))).status).toBe(400);
        }
        expect((await changesNothing(() => upload('public', [red(), ...link('part.photo', 1, 'file')]))).status).toBe(strict ? 400 : 403);
      });

      it('need the right to update, and no other', async () => {
        const id = await noteId('yours');
        expect((await upload('editor', [red(), ...link(noteUid, id, 'cover')])).status).toBe(201);
        expect(await linksTo(noteUid, id)).toHaveLength(1);
      });
    });

    describe.runIf(strict)('of a role with a restriction', () => {
      it('store only files that match the condition, and all of an upload or nothing', async () => {
        expect((await upload('public', [red()])).status).toBe(201);
        expect((await changesNothing(() => upload('public', [words()]))).status).toBe(403);
        expect((await changesNothing(() => upload('public', [red(), wide(), words()]))).status).toBe(403);
      });

      it('change only files that match the condition, as if there were no others', async () => {
        const [image, text] = [await uploaded(red()), await uploaded(words())];
        expect((await upload('public', [info({ caption: 'new' })], `?id=${image.id}`)).status).toBe(200);
        for (const parts of [[info({ caption: 'new' })], [red()]]) {
          const answer = await changesNothing(() => upload('public', parts, `?id=${text.id}`));
          expect([answer.status, errorOf(answer).message]).toEqual([404, 'Entity not found']);
        }
        expect(await served.query(`SELECT caption FROM files WHERE id = ${text.id}`)).toEqual([[null]]);
      });

      it('and delete only those', async () => {
        const [image, text] = [await uploaded(red()), await uploaded(words())];
        expect((await changesNothing(() => destroy('public', text.id))).status).toBe(404);
        expect((await destroy('public', image.id)).status).toBe(200);
      });
    });

    describe.runIf(strict)('are deleted', () => {
      it('with their bytes, variants, links and the link to their folder', async () => {
        const id = await noteId('mine too');
        const answer = await upload('full', [wide(), ...link(noteUid, id, 'cover')]);
        const [entry = {}] = answer.json() as Json[];
        const deleted = await destroy('full', entry.id);
        expect([deleted.status, deleted.json()]).toEqual([200, entry]);
        expect(stored().filter((name) => name.includes(String(entry.hash)))).toEqual([]);
        expect(await served.query(`SELECT id FROM files_folder_lnk WHERE file_id = ${entry.id}`)).toEqual([]);
        expect(await linksTo(noteUid, id)).toEqual([]);
        expect((await destroy('full', entry.id)).status).toBe(404);
        expect((await served.server.get(String(entry.url))).status).toBe(404);
      });

      it.each(['abc', '0', '-1', '1.5', '99999999999', '%00', '..%2f1'])('and not with the id %s', async (id) => {
        expect((await changesNothing(() => destroy('full', id))).status).toBeGreaterThanOrEqual(400);
      });

      it('without touching what another provider keeps', async () => {
        const { id, hash } = await uploaded(words());
        await served.change(`UPDATE files SET provider = 'cloudinary' WHERE id = ${id}`);
        expect((await destroy('full', id)).status).toBe(200);
        expect(stored()).toContain(`${hash}.txt`);
      });
    });

    it(strict ? 'one file honours fields' : 'one file checks fields and shows everything, as in Strapi', async () => {
      const { id } = await uploaded(words());
      const path = `/api/upload/files/${id}`;
      const some = (await served.ask('full', 'GET', `${path}?fields[0]=name`)).json() as Json;
      expect('hash' in some).toBe(!strict);
      expect((await served.ask('full', 'GET', `${path}?fields[0]=zzz`)).status).toBe(400);
    });
  });
});
