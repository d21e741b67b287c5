/** Uploads to the media library: what is stored, what is refused, other information about files, and rights with a restriction. Lists of files, ids that are
 *  not there and callers without rights are recorded. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fixture } from '../../compatibility/scenarios.ts';
import { profilesOn } from '../../support/accounts.ts';
import { anyEngine, engines } from '../../support/engines.ts';
import type { Part } from '../../support/multipart.ts';
import { errorOf, type Json } from '../../support/served-project.ts';
import { file, info, red, useUploads, wide, words } from '../../support/uploads.ts';

const json = { 'content-type': 'application/json' };

describe.each(engines)('%s: uploads', (engine) => {
  describe.each(profilesOn(engine))('in profile %s', (profile) => {
    const strict = profile === 'specification';
    // What is the same in both profiles and depends on no database. The recordings are played in profile `strapi`.
    const once = describe.runIf(strict && anyEngine.includes(engine));
    const { served, upload, uploaded, destroy, folder, stored, bytesOf, rowsOf, changesNothing } = useUploads(engine, profile);

    describe.runIf(strict)('the first ones', () => {
      it('at the same time have one folder, places of their own, and names of their own in the storage', async () => {
        const responses = await Promise.all(Array.from({ length: 6 }, () => upload('full', [words('same.txt')])));
        expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(201));
        expect(await served.query('SELECT name, path_id, path FROM upload_folders')).toEqual([['API Uploads', 1, '/1']]);
        const places = await served.query('SELECT file_ord FROM files_folder_lnk ORDER BY file_ord');
        expect(places.map(([place]) => Number(place))).toEqual([1, 2, 3, 4, 5, 6]);
        expect(stored().length).toBe(6);
        expect(stored().every((name) => /^same_[0-9a-f]{10}\.txt$/.test(name))).toBe(true);
      });
    });

    describe.runIf(strict)('are answered', () => {
      it('with what was stored', async () => {
        const response = await upload('full', [
          red('Été à Paris.PNG'),
          info({ alternativeText: 'Red', caption: null, focalPoint: { x: 10, y: 20.5 } }),
        ]);
        expect(response.status).toBe(201);
        const [entry = {}, ...others] = response.json() as Json[];
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
    });

    once('of SVG', () => {
      it.each([
        ['width="100%" height="100%" viewBox="0 0 300 150"', { width: 300, height: 150 }],
        ['width="100%" viewBox="0 0 300 150"', { width: 300, height: 150 }],
        ['width="50%" height="50%" viewBox="0 0 300 150"', { width: 300, height: 150 }],
        ['viewBox="0 0 300 150"', { width: 300, height: 150 }],
        ['width="30" height="15" viewBox="0 0 300 150"', { width: 30, height: 15 }],
      ])('have the size that they show: %s', async (attributes, size) => {
        const drawing = `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="10" height="10"/></svg>`;
        expect(await uploaded(file('drawing.svg', drawing, 'image/svg+xml'))).toMatchObject(size);
      });
    });

    once('are refused', () => {
      it.each<[it: string, parts: readonly Part[], message: RegExp]>([
        ['without a file', [info({ name: 'x' })], /^No part with the name files holds a file; send/],
        ['with one empty file', [file('empty.txt', '', 'text/plain')], /^No part with the name files holds a file; send/],
        ['with fileInfo that is no JSON', [words(), { name: 'fileInfo', value: 'nope' }], /^fileInfo is not valid JSON$/],
        ['with a name that is no text', [words(), info({ name: {} })], /^fileInfo.name must be a text/],
        ['with a NUL in a text', [words(), info({ caption: 'a\0b' })], /^fileInfo.caption must not/],
        ['with a focal point outside', [words(), info({ focalPoint: { x: 101, y: 0 } })], /^fileInfo.focalPoint.x/],
        ['with half a focal point', [words(), info({ focalPoint: { x: 1 } })], /^fileInfo.focalPoint.y/],
        ['with one fileInfo for two files', [words(), words(), info({ caption: 'whose?' })], /^fileInfo must have an entry for each/],
        ['with three fileInfo for two files', [words(), words(), info([{}, {}, {}])], /^fileInfo has 3 entries for 2 files/],
        ['with an empty list for one file', [words(), info([])], /^fileInfo has no entry$/],
        ['with a quote in the name, as browsers send it', [words('a"b.txt')], /^File name contains invalid characters$/],
        ['with a name too long for what is added to it', [words(`${'x'.repeat(246)}.txt`)], /^File name contains/],
        ['with a name too long for those of its variants', [wide(`${'x'.repeat(236)}.jpg`)], /^File name contains/],
        ['with a good file before a broken image', [words(), file('b.png', fixture('red.png').slice(0, 100), 'image/png')], /valid image/],
      ])('%s', async (_, parts, message) => {
        const response = await changesNothing(() => upload('full', parts));
        expect([response.status, errorOf(response).message]).toEqual([400, expect.stringMatching(message)]);
      });

      it.each<[it: string, parts: readonly Part[], paths: readonly (readonly string[])[]]>([
        ['fileInfo', [words(), info('text')], [['fileInfo']]],
        ['a text of it', [words(), info({ caption: ['a'] })], [['fileInfo', 'caption']]],
        ['both halves of the focal point', [words(), info({ focalPoint: {} })], ['x', 'y'].map((half) => ['fileInfo', 'focalPoint', half])],
        ['that of the second file', [words(), words(), info([{}, { name: {} }])], [['fileInfo', '1', 'name']]],
      ])('and tell that it is %s', async (_, parts, paths) => {
        const response = await changesNothing(() => upload('full', parts));
        expect(errorOf(response)).toMatchObject({ details: { errors: paths.map((path) => ({ path })) } });
      });

      it('for a body of JSON that is no object', async () => {
        const { id } = await uploaded(words());
        for (const body of [[], 'text', { fileInfo: [{}] }]) {
          const request = { method: 'POST', path: `/api/upload?id=${id}`, body: JSON.stringify(body), headers: json };
          expect((await changesNothing(() => served.send('full', request))).status).toBe(400);
        }
      });

      it('when the storage fails, and leave nothing', async () => {
        const aside = `${folder()}-aside`;
        await uploaded(words());
        renameSync(folder(), aside);
        writeFileSync(folder(), '');
        try {
          const before = await rowsOf('files');
          const response = await upload('full', [words()]);
          expect([response.status, response.text]).toEqual([503, expect.not.stringContaining(folder())]);
          expect(await rowsOf('files')).toEqual(before);
        } finally {
          rmSync(folder());
          renameSync(aside, folder());
        }
      });
    });

    describe.runIf(strict)('are refused', () => {
      it('when the database fails after the bytes are stored, and leave nothing', async () => {
        await served.change('ALTER TABLE files_folder_lnk RENAME TO set_aside');
        const before = { stored: stored(), files: await rowsOf('files') };
        const response = await upload('full', [words(), wide()]);
        await served.change('ALTER TABLE set_aside RENAME TO files_folder_lnk');
        expect(response.status).toBe(503);
        expect({ stored: stored(), files: await rowsOf('files') }).toEqual(before);
      });
    });

    once('of other information', () => {
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

      it.each(['?id=1&id=2', '?id[]=1', '?id[a]=1'])('are a 400 for %s', async (query) => {
        expect((await changesNothing(() => upload('full', [words()], query))).status).toBe(400);
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
          const response = await changesNothing(() => upload('public', parts, `?id=${text.id}`));
          expect([response.status, errorOf(response).message]).toEqual([404, 'Entity not found']);
        }
        expect(await served.query(`SELECT caption FROM files WHERE id = ${text.id}`)).toEqual([[null]]);
      });

      it('and delete only those', async () => {
        const [image, text] = [await uploaded(red()), await uploaded(words())];
        expect((await changesNothing(() => destroy('public', text.id))).status).toBe(404);
        expect((await destroy('public', image.id)).status).toBe(200);
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
