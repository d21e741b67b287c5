/** Uploads that replace a file, and files that are deleted: nothing of the old bytes is left, and nothing else is touched. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fixture } from '../../compatibility/scenarios.ts';
import { anyEngine } from '../../support/engines.ts';
import { errorOf, type Json } from '../../support/served-project.ts';
import { file, info, link, noteUid, red, useUploads, wide, words } from '../../support/uploads.ts';

describe.each(anyEngine)('%s: files of the library', (engine) => {
  const { served, upload, uploaded, destroy, folder, stored, bytesOf, noteId, linksTo, changesNothing } = useUploads(
    engine,
    'specification',
  );

  describe('that replace a file', () => {
    it('keep its id, address and texts, and nothing of its old bytes', async () => {
      const old = await uploaded(wide(), info({ caption: 'c', focalPoint: { x: 1, y: 2 } }));
      const response = await upload('full', [words('other.txt')], `?id=${old.id}`);
      expect(response.status).toBe(200);
      expect(response.json()).toMatchObject({
        ...{ id: old.id, name: 'other.txt', caption: 'c', focalPoint: null, mime: 'text/plain', formats: {}, ext: '.jpg', url: old.url },
        // As recorded: the dimensions stay, though there is no image any more.
        width: 1200,
      });
      expect(bytesOf(old).toString()).toBe('some words\n');
      expect(stored().filter((name) => name.includes(String(old.hash)))).toEqual([`${old.hash}.jpg`]);
    });

    it('get variants of the new image, under the old names', async () => {
      const old = await uploaded(red());
      const response = (await upload('full', [wide()], `?id=${old.id}`)).json() as Json;
      const formats = response.formats as Readonly<Record<string, Json>>;
      expect(Object.keys(formats).sort()).toEqual(['large', 'medium', 'small', 'thumbnail']);
      for (const [name, format] of Object.entries(formats)) {
        expect(format.url).toBe(`/uploads/${name}_${old.hash}.png`);
        expect(bytesOf(format).length).toBe(format.sizeInBytes);
      }
      expect(response).toMatchObject({ width: 1200, height: 800 });
    });

    it('are refused with more than one, or with one that is not allowed, and leave the old one', async () => {
      const old = await uploaded(wide());
      const bytes = bytesOf(old);
      const response = await changesNothing(() => upload('full', [red(), red()], `?id=${old.id}`));
      expect([response.status, errorOf(response).message]).toEqual([400, 'Cannot replace a file with multiple ones']);
      const broken = file('b.png', fixture('red.png').slice(0, 100), 'image/png');
      expect((await changesNothing(() => upload('full', [broken], `?id=${old.id}`))).status).toBe(400);
      expect(bytesOf(old)).toEqual(bytes);
    });

    it('bring the old bytes back when the row cannot be written', async () => {
      const old = await uploaded(wide());
      const before = stored().map((name) => [name, readFileSync(join(folder(), name))]);
      // Within the limit before, and not any more afterwards.
      const response = await changesNothing(() => upload('public', [words()], `?id=${old.id}`));
      expect(response.status).toBe(403);
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

  describe('are deleted', () => {
    it('with their bytes, variants, links and the link to their folder', async () => {
      const id = await noteId('mine too');
      const response = await upload('full', [wide(), ...link(noteUid, id, 'cover')]);
      const [entry = {}] = response.json() as Json[];
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
});
