/** Uploads that name a document: the files are attached to it, or refused; profile `strapi` stores what it cannot attach. */
import { beforeEach, describe, expect, it } from 'vitest';
import { profiles } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import type { Part } from '../../support/multipart.ts';
import { errorOf, idOf } from '../../support/served-project.ts';
import { articleUid, link, noteUid, red, useUploads, words } from '../../support/uploads.ts';

describe.each(anyEngine)('%s: uploads with a reference', (engine) => {
  describe.each(profiles)('in profile %s', (profile) => {
    const strict = profile === 'specification';
    const { served, upload, noteId, linksTo, changesNothing } = useUploads(engine, profile);

    beforeEach(() => served.change('DELETE FROM files_related_mph'));

    it('are attached: a list keeps its files, a single attribute replaces its file', async () => {
      const id = await noteId('yours');
      expect((await upload('full', [red('a.png'), words('b.txt'), ...link(noteUid, id, 'papers')])).status).toBe(201);
      expect((await upload('full', [red('c.png'), ...link(noteUid, id, 'papers')])).status).toBe(201);
      expect((await upload('full', [red('d.png'), ...link(noteUid, id, 'cover')])).status).toBe(201);
      // The right to update is all that it needs.
      expect((await upload('editor', [red('e.png'), ...link(noteUid, id, 'cover')])).status).toBe(201);
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
      [
        'a documentId that is not there',
        link(noteUid, 'a'.repeat(24), 'cover'),
        /^refId: there is no api::note\.note with the documentId a+$/,
      ],
      [
        'a documentId of a component',
        link('part.photo', 'a'.repeat(24), 'file'),
        strict ? /is a component/ : /^refId must be the id of a row: components/,
      ],
      ['users of the admin panel', link('admin::user', 1, 'avatar'), /^ref: there is no type/],
      ['users', link('plugin::users-permissions.user', 1, 'avatar'), /^ref: there is no type/],
      ['two types', [...link(noteUid, 1, 'cover'), { name: 'ref', value: articleUid }], /^ref is given more than once/],
      ['a field that is too long', link(noteUid, 1, 'x'.repeat(300)), /^field/],
      ['a field with a NUL', link(noteUid, 1, 'a\0'), /^field/],
    ])('are refused for %s', async (_, parts, message) => {
      const response = await changesNothing(() => upload('full', [red(), ...parts]));
      expect([response.status, errorOf(response).message]).toEqual([400, expect.stringMatching(message)]);
    });

    const onlyStrict: readonly (readonly [it: string, who: string, parts: () => Promise<readonly Part[]>, status: number])[] = [
      ['without the right to update', 'uploader', async () => [red(), ...link(noteUid, await noteId('yours'), 'papers')], 403],
      ['to a row that is not there', 'full', async () => [red(), ...link(noteUid, 99_999, 'cover')], 400],
      ['to an attribute that is not there', 'full', async () => [red(), ...link(noteUid, await noteId('yours'), 'zzz')], 400],
      ['to an attribute that holds no files', 'full', async () => [red(), ...link(noteUid, await noteId('yours'), 'title')], 400],
      ['to a component', 'full', async () => [red(), ...link('part.photo', 1, 'file')], 400],
      ['to half of a place', 'full', async () => [red(), { name: 'ref', value: noteUid }], 400],
      ['of a kind that the attribute does not take', 'full', async () => [words(), ...link(noteUid, await noteId('yours'), 'cover')], 400],
      ['of two files to an attribute of one', 'full', async () => [red(), red(), ...link(noteUid, await noteId('yours'), 'cover')], 400],
    ];
    it.each(onlyStrict)(strict ? '%s are refused' : '%s are stored, as in Strapi', async (_, who, parts, status) => {
      const sent = await parts();
      const response = strict ? await changesNothing(() => upload(who, sent)) : await upload(who, sent);
      expect(response.status).toBe(strict ? status : 201);
    });

    it('hold a role to the rows and fields that it may update', async () => {
      const mine = await noteId('mine');
      expect((await upload('public', [red(), ...link(noteUid, mine, 'cover')])).status).toBe(201);
      expect(await linksTo(noteUid, mine)).toHaveLength(1);
      for (const parts of [link(noteUid, await noteId('yours'), 'cover'), link(noteUid, 99_999, 'cover'), link(noteUid, mine, 'papers')]) {
        expect((await changesNothing(() => upload('public', [red(), ...parts]))).status).toBe(400);
      }
      expect((await changesNothing(() => upload('public', [red(), ...link('part.photo', 1, 'file')]))).status).toBe(strict ? 400 : 403);
    });
  });
});
