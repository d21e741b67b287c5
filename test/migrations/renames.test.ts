/** Attributes, relations and types that are renamed: offered by the plan, carried out when they are requested. */
import { describe, expect, it, vi } from 'vitest';
import { migrateDatabase, prepareDatabase } from '../../src/migrations/prepare-database.ts';
import { anyEngine, engines } from '../support/engines.ts';
import {
  apply,
  auto,
  choices,
  columnsOf,
  modelOf,
  now,
  ownColumn,
  plan,
  rows,
  run,
  type Schemas,
  string,
  text,
  toMany,
  useMadeDatabases,
} from '../support/migrations.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const nothing = { work: [], destructive: [], offers: [] };

/** A note that awaits a link. */
const awaited = (field: string, type: string) =>
  `INSERT INTO lectern_awaited_links (source_table, source_id, field, target_type, document_id) VALUES ('notes', 1, '${field}', '${type}', 'a')`;
const allAwaited = 'SELECT source_table, field, target_type FROM lectern_awaited_links';

describe.each(engines)('%s', (engine) => {
  const made = useMadeDatabases(engine);

  describe('a renamed attribute', () => {
    const before = { note: { title: string, pages: { type: 'integer' } } };
    const after = { note: { headline: { type: 'email' }, pages: { type: 'integer' } } };
    const name = 'api::note.note.title=headline';
    const insert = "INSERT INTO notes (title) VALUES ('a')";

    const rule = (type: string) =>
      `INSERT INTO lectern_role_rules (role_id, action, fields) SELECT id, 'api::${type}.${type}.find', '["title","titles"]' FROM up_roles WHERE type = 'public'`;

    it('keeps its column, and is renamed in rights that are restricted to it, and in no others', async () => {
      const database = await made(before, insert, rule('note'), rule('notebook'));
      const done = await apply(database, modelOf(after), [name]);
      expect(done.changes.work.filter((each) => !String(each).startsWith('DROP INDEX'))).toEqual([
        'ALTER TABLE "notes" RENAME COLUMN "title" TO "headline"',
        expect.stringMatching(/^UPDATE "lectern_role_rules" SET "fields"/),
      ]);
      expect(await rows(database, 'SELECT headline FROM notes')).toEqual([['a']]);
      expect(await rows(database, 'SELECT fields FROM lectern_role_rules ORDER BY id')).toEqual([
        ['["headline","titles"]'],
        ['["title","titles"]'],
      ]);
      expect(await plan(database, modelOf(after))).toMatchObject(nothing);
    });

    it('is not carried out unasked, and offered as long as the former column is there', async () => {
      const database = await made(before, insert, "INSERT INTO notes (title) VALUES ('b')");
      expect((await plan(database, modelOf(after))).offers).toMatchObject([{ name }]);
      await prepareDatabase(database, modelOf(after), auto);
      expect(await columnsOf(database, 'notes')).toEqual(expect.arrayContaining(['title', 'headline']));
      await run(database, "UPDATE notes SET headline = 'new' WHERE title = 'b'");
      expect((await plan(database, modelOf(after))).offers).toMatchObject([{ name }]);
      await apply(database, modelOf(after), [name]);
      expect(await rows(database, 'SELECT headline, title_old_20261121 FROM notes ORDER BY id')).toEqual([
        ['a', 'a'],
        ['new', 'b'],
      ]);
      expect(await plan(database, modelOf(after))).toMatchObject(nothing);
    });

    it.runIf(anyEngine.includes(engine))('is refused under a wrong name', async () => {
      const database = await made(before);
      for (const [rename, says] of [
        ['api::note.note.titel=headline', 'Did you mean api::note.note.title=headline?'],
        ['api::note.note.pages=headline', 'nothing recorded under the old name'],
      ] as const) {
        const refused = await migrateDatabase(database, modelOf(after), choices([rename]), now);
        expect(refused).toMatchObject({ ok: false, problems: [expect.stringContaining(says)] });
      }
      expect(await columnsOf(database, 'notes')).not.toContain('headline');
    });

    it('renames its foreign key and index, and its name in the rows of components and media', async () => {
      const parts = { 'part.block': { body: text } };
      const block = { type: 'component', component: 'part.block' };
      const media = { type: 'media', multiple: false };
      const database = await made(
        { ...parts, note: { intro: block, cover: media, owner: ownColumn } },
        "INSERT INTO up_users (id, username) VALUES (5, 'u')",
        'INSERT INTO notes (id, owner_id) VALUES (1, 5)',
        `INSERT INTO notes_cmps (entity_id, cmp_id, component_type, field) VALUES (1, 1, 'part.block', 'intro')`,
        `INSERT INTO files (id) VALUES (1)`,
        `INSERT INTO files_related_mph (file_id, related_id, related_type, field) VALUES (1, 1, 'api::note.note', 'cover')`,
      );
      const after = modelOf({ ...parts, note: { opening: block, picture: media, holder: ownColumn } });
      const names = (await plan(database, after)).offers.map((offer) => offer.name);
      expect([...names].sort()).toEqual(['cover=picture', 'intro=opening', 'owner=holder'].map((each) => `api::note.note.${each}`));
      await apply(database, after, names);
      expect(await rows(database, 'SELECT holder_id FROM notes')).toEqual([[5]]);
      const notes = (await database.tables()).find((table) => table.name === 'notes');
      expect(notes?.indexes).toContain('notes_holder_id_fk');
      expect(notes?.constraints).not.toContain('notes_owner_id_fk');
      expect(await rows(database, 'SELECT field FROM notes_cmps')).toEqual([['opening']]);
      expect(await rows(database, 'SELECT field FROM files_related_mph')).toEqual([['picture']]);
      expect(await plan(database, after)).toMatchObject(nothing);
    });
  });

  describe('a renamed relation', () => {
    const before = { note: { tags: toMany('tag') }, tag: { name: string } };
    const after = { note: { labels: toMany('tag') }, tag: { name: string } };
    const rename = 'api::note.note.tags=labels';
    const link = [
      'INSERT INTO notes (id) VALUES (1), (2)',
      'INSERT INTO tags (id) VALUES (3)',
      'INSERT INTO notes_tags_lnk (note_id, tag_id) VALUES (1, 3)',
      awaited('tags', 'api::tag.tag'),
    ];

    it.each([false, true])('keeps its links (the server was started in between: %s)', async (isStarted) => {
      const database = await made(before, ...link);
      if (isStarted) await prepareDatabase(database, modelOf(after), auto);
      expect((await plan(database, modelOf(after))).offers).toMatchObject([{ name: rename }]);
      await apply(database, modelOf(after), [rename]);
      expect(await rows(database, 'SELECT note_id, tag_id FROM notes_labels_lnk')).toEqual([[1, 3]]);
      expect(await rows(database, allAwaited)).toEqual([['notes', 'labels', 'api::tag.tag']]);
      expect(await plan(database, modelOf(after))).toMatchObject(nothing);
    });

    it.runIf(anyEngine.includes(engine))('is not offered with another target or kind', async () => {
      const database = await made(before);
      const other = {
        note: {
          labels: { ...toMany('tag'), relation: 'oneToOne' },
          users: { type: 'relation', relation: 'manyToMany', target: 'plugin::users-permissions.user' },
        },
        tag: { name: string },
      };
      expect((await plan(database, modelOf(other))).offers).toEqual([]);
    });
  });

  describe('a renamed type', () => {
    const block = { type: 'component', component: 'part.block' };
    const cover = { type: 'media', multiple: false };
    const withNote = (name: string): Schemas => ({
      [name]: { title: string, block, cover, tags: toMany('tag'), similar: toMany(name) },
      tag: { name: string, favourite: toMany(name) },
      'part.block': { body: text },
    });
    const before = withNote('note');
    const after = withNote('memo');
    const rename = 'api::note.note=api::memo.memo';
    const content = [
      "INSERT INTO notes (id, title) VALUES (1, 'a'), (2, 'b')",
      'INSERT INTO tags (id) VALUES (3)',
      'INSERT INTO notes_tags_lnk (note_id, tag_id) VALUES (1, 3)',
      'INSERT INTO notes_similar_lnk (note_id, inv_note_id) VALUES (1, 2)',
      'INSERT INTO tags_favourite_lnk (tag_id, note_id) VALUES (3, 2)',
      "INSERT INTO notes_cmps (entity_id, cmp_id, component_type, field) VALUES (1, 1, 'part.block', 'block')",
      'INSERT INTO files (id) VALUES (1)',
      "INSERT INTO files_related_mph (file_id, related_id, related_type, field) VALUES (1, 1, 'api::note.note', 'cover')",
      "INSERT INTO up_permissions (action) VALUES ('api::note.note.find'), ('api::notebook.notebook.find')",
      "INSERT INTO lectern_role_rules (role_id, action) SELECT id, 'api::note.note.findDraft' FROM up_roles WHERE type = 'public'",
      awaited('similar', 'api::note.note'),
    ];
    it.each([false, true])('keeps what belongs to it (the server was started in between: %s)', async (isStarted) => {
      const database = await made(before, ...content);
      if (isStarted) await prepareDatabase(database, modelOf(after), auto);
      expect((await plan(database, modelOf(after))).offers).toMatchObject([{ name: rename }]);
      if (isStarted) {
        await run(database, "INSERT INTO memos (title) VALUES ('mine')");
        expect(await migrateDatabase(database, modelOf(after), choices([rename]), now)).toMatchObject({ ok: false });
        await run(database, 'DELETE FROM memos');
      }
      await apply(database, modelOf(after), [rename]);
      expect(await rows(database, 'SELECT title FROM memos ORDER BY id')).toEqual([['a'], ['b']]);
      expect(await rows(database, 'SELECT memo_id, tag_id FROM memos_tags_lnk')).toEqual([[1, 3]]);
      expect(await rows(database, 'SELECT memo_id, inv_memo_id FROM memos_similar_lnk')).toEqual([[1, 2]]);
      expect(await rows(database, 'SELECT tag_id, memo_id FROM tags_favourite_lnk')).toEqual([[3, 2]]);
      expect(await rows(database, 'SELECT entity_id FROM memos_cmps')).toEqual([[1]]);
      expect(await rows(database, 'SELECT related_type FROM files_related_mph')).toEqual([['api::memo.memo']]);
      expect(await rows(database, "SELECT action FROM up_permissions WHERE action LIKE 'api::%' ORDER BY id")).toEqual([
        ['api::memo.memo.find'],
        ['api::notebook.notebook.find'],
      ]);
      expect(await rows(database, 'SELECT action FROM lectern_role_rules')).toEqual([['api::memo.memo.findDraft']]);
      expect(await rows(database, allAwaited)).toEqual([['memos', 'similar', 'api::memo.memo']]);
      expect(await plan(database, modelOf(after))).toMatchObject(nothing);
      await run(
        database,
        "INSERT INTO memos (id, title) VALUES (100, 'c')",
        'INSERT INTO tags_favourite_lnk (tag_id, memo_id) VALUES (3, 1)',
      );
    });

    it('may be a component', async () => {
      const parts = (name: string): Schemas => ({
        note: { block: { type: 'component', component: `part.${name}` } },
        [`part.${name}`]: { body: text },
      });
      const database = await made(
        parts('block'),
        'INSERT INTO notes (id) VALUES (1)',
        "INSERT INTO components_part_blocks (id, body) VALUES (1, 'b')",
        "INSERT INTO notes_cmps (entity_id, cmp_id, component_type, field) VALUES (1, 1, 'part.block', 'block')",
      );
      await apply(database, modelOf(parts('slab')), ['part.block=part.slab']);
      expect(
        await rows(database, 'SELECT c.component_type, s.body FROM notes_cmps c JOIN components_part_slabs s ON s.id = c.cmp_id'),
      ).toEqual([['part.slab', 'b']]);
    });
  });
});
