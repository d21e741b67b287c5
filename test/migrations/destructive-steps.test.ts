/** Steps that take something away: what no schema needs any more is set aside under another name, and only when that is allowed. */
import { describe, expect, it, vi } from 'vitest';
import { migrateDatabase } from '../../src/migrations/prepare-database.ts';
import { engines, speaksMysql } from '../support/engines.ts';
import {
  apply,
  choices,
  columnsOf,
  modelOf,
  now,
  ownColumn,
  plan,
  rows,
  run,
  string,
  tableNames,
  text,
  toMany,
  useMadeDatabases,
} from '../support/migrations.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

describe.each(engines)('%s', (engine) => {
  const made = useMadeDatabases(engine);

  describe('a column that no attribute needs', () => {
    const before = { note: { title: string, body: text, owner: ownColumn } };
    const after = { note: { title: string } };
    const insert = "INSERT INTO notes (title, body) VALUES ('a', 'b')";

    it('is set aside under another name only with --allow-destructive, once', async () => {
      const database = await made(before, insert);
      expect((await plan(database, modelOf(after))).destructive).toMatchObject([
        { kind: 'column', table: 'notes', column: 'body', keptAs: 'body_old_20261121', reason: expect.stringContaining('"body"') },
        { kind: 'column', table: 'notes', column: 'owner_id', keptAs: 'owner_id_old_20261121' },
      ]);
      expect(await apply(database, modelOf(after))).toMatchObject({ outcome: 'unchanged' });
      expect(await columnsOf(database, 'notes')).toContain('body');
      expect(await apply(database, modelOf(after), [], true)).toMatchObject({ outcome: 'changed' });
      expect(await rows(database, 'SELECT title, body_old_20261121 FROM notes')).toEqual([['a', 'b']]);
      const again = await apply(database, modelOf(after), [], true);
      expect(again).toMatchObject({ outcome: 'unchanged', changes: { destructive: [] } });
    });

    it('may be added and removed again on the same day', async () => {
      const database = await made(before, insert);
      await apply(database, modelOf(after), [], true);
      await apply(database, modelOf(before));
      await run(database, "UPDATE notes SET body = 'c'");
      await apply(database, modelOf(after), [], true);
      expect(await rows(database, 'SELECT body_old_20261121, body_old_20261121_2 FROM notes')).toEqual([['b', 'c']]);
      await apply(database, modelOf(before));
      expect(await plan(database, modelOf(before))).toMatchObject({ work: [], destructive: [], offers: [] });
    });

    it('is used again after it was renamed by hand', async () => {
      const database = await made(before, insert);
      await apply(database, modelOf(after), [], true);
      await run(database, 'ALTER TABLE notes RENAME COLUMN body_old_20261121 TO body');
      await run(database, 'ALTER TABLE notes RENAME COLUMN owner_id_old_20261121 TO owner_id');
      await apply(database, modelOf(before));
      expect(await rows(database, 'SELECT title, body FROM notes')).toEqual([['a', 'b']]);
      expect((await plan(database, modelOf(after))).destructive).toHaveLength(2);
    });

    it('has a name within the limit', async () => {
      const long = 'aVeryLongAttributeNameThatAlmostFillsTheWholeRoomItHas';
      const database = await made({ note: { [long]: string } });
      const [step] = (await plan(database, modelOf({ note: {} }))).destructive;
      expect(step?.keptAs).toMatch(/^a_very_long_\w+_old_20261121$/);
      expect(step?.keptAs.length).toBeLessThanOrEqual(55);
    });
  });

  it('never proposes to set aside tables and columns that it did not create', async () => {
    const database = await made(
      { note: { title: string } },
      'ALTER TABLE notes ADD COLUMN score integer',
      'CREATE TABLE invoices (id integer)',
    );
    expect(await plan(database, modelOf({ note: { title: string } }), [], true)).toMatchObject({ work: [], destructive: [] });
    expect((await plan(database, modelOf({}), [], true)).destructive.map(({ table }) => table)).toEqual(['notes']);
  });

  it('proposes nothing where there is no record', async () => {
    const database = await made({ note: { title: string } }, 'DROP TABLE lectern_schema');
    expect((await plan(database, modelOf({}), [], true)).destructive).toEqual([]);
  });

  describe('tables that no schema needs', () => {
    const before = {
      note: { title: string, tags: toMany('tag'), block: { type: 'component', component: 'part.block' } },
      tag: { name: string },
      'part.block': { body: text },
    };
    const tables = ['notes', 'notes_cmps', 'notes_tags_lnk'];

    it('are set aside under other names, and can be created again', async () => {
      const database = await made(
        before,
        "INSERT INTO notes (id, title) VALUES (7, 'a')",
        "INSERT INTO tags (id, name) VALUES (3, 't')",
        'INSERT INTO notes_tags_lnk (note_id, tag_id) VALUES (7, 3)',
      );
      const { note: _, ...after } = before;
      expect((await plan(database, modelOf(after))).destructive.map(({ table }) => table).sort()).toEqual(tables);
      await apply(database, modelOf(after), [], true);
      expect(await tableNames(database)).toEqual(expect.arrayContaining(tables.map((name) => `${name}_old_20261121`)));
      expect(await tableNames(database)).not.toContain('notes');
      expect(
        await rows(database, 'SELECT l.tag_id FROM notes_old_20261121 n JOIN notes_tags_lnk_old_20261121 l ON l.note_id = n.id'),
      ).toEqual([[3]]);

      await apply(database, modelOf(before));
      await run(database, "INSERT INTO notes (title) VALUES ('new')");
      expect(await rows(database, 'SELECT title FROM notes')).toEqual([['new']]);
      await apply(database, modelOf(after), [], true);
      expect(await tableNames(database)).toEqual(expect.arrayContaining(tables.map((name) => `${name}_old_20261121_2`)));
    });
  });

  it('uses a type’s tables again that were renamed by hand', async () => {
    const before = { note: { title: string, tags: toMany('tag') }, tag: { name: string } };
    const database = await made(
      before,
      "INSERT INTO notes (id, title) VALUES (7, 'a')",
      'INSERT INTO tags (id) VALUES (3)',
      'INSERT INTO notes_tags_lnk (note_id, tag_id) VALUES (7, 3)',
    );
    await apply(database, modelOf({ tag: { name: string } }), [], true);
    await run(
      database,
      'ALTER TABLE notes_old_20261121 RENAME TO notes',
      'ALTER TABLE notes_tags_lnk_old_20261121 RENAME TO notes_tags_lnk',
    );
    await apply(database, modelOf(before));
    expect(await rows(database, 'SELECT n.title, l.tag_id FROM notes n JOIN notes_tags_lnk l ON l.note_id = n.id')).toEqual([['a', 3]]);
    expect(await plan(database, modelOf(before))).toMatchObject({ work: [], destructive: [], offers: [] });
    expect((await plan(database, modelOf({ tag: { name: string } }))).destructive.map(({ table }) => table)).toEqual([
      'notes',
      'notes_tags_lnk',
    ]);
  });

  describe('a column whose type has changed', () => {
    it('gets the values that can be converted, and the others are set aside', async () => {
      const database = await made(
        { note: { pages: string } },
        "INSERT INTO notes (pages) VALUES ('12'), ('12'), ('007'), ('many'), (NULL)",
      );
      const after = modelOf({ note: { pages: { type: 'integer' } } });
      expect((await plan(database, after)).destructive).toMatchObject([{ kind: 'type', column: 'pages', keptAs: 'pages_old_20261121' }]);
      const done = await apply(database, after, [], true);
      expect(done.converted).toEqual([{ table: 'notes', column: 'pages', keptAs: 'pages_old_20261121', copied: 2, left: 2 }]);
      expect(await rows(database, 'SELECT pages, pages_old_20261121 FROM notes ORDER BY id')).toEqual([
        [12, '12'],
        [12, '12'],
        [null, '007'],
        [null, 'many'],
        [null, null],
      ]);
      expect(await plan(database, after)).toMatchObject({ work: [], destructive: [], offers: [] });
    });

    it('becomes another type and text again', async () => {
      const values = {
        boolean: 'true',
        datetime: '2026-02-28T10:00:00.000Z',
        date: '2026-02-28',
        json: '[1]',
        decimal: '12.5',
        biginteger: '9007199254740993',
      };
      const types = Object.keys(values);
      const columns = types.map((type) => `a_${type}`);
      const note = (typeOf: (type: string) => string) => Object.fromEntries(types.map((type) => [`a_${type}`, { type: typeOf(type) }]));
      const texts = { note: note(() => 'string') };
      const written = Object.values(values).map((value) => `'${value}'`);
      const database = await made(texts, `INSERT INTO notes (${columns.join()}) VALUES (${written.join()})`);
      await apply(database, modelOf({ note: note((type) => type) }), [], true);
      const back = await apply(database, modelOf(texts), [], true);
      const converted = back.converted.map(({ column, copied, left }) => ({ column, copied, left }));
      expect(converted).toEqual(expect.arrayContaining(columns.map((column) => ({ column, copied: 1, left: 0 }))));
      expect(await rows(database, `SELECT ${columns.join()} FROM notes`)).toEqual([Object.values(values)]);
    });

    it('is not set aside if the same column can store the new type', async () => {
      const database = await made({ note: { a: text, b: { type: 'biginteger' } } });
      expect((await plan(database, modelOf({ note: { a: { type: 'email' }, b: { type: 'integer' } } }))).destructive).toEqual([]);
    });
  });

  // What other engines do then is in `interrupted.test.ts`.
  it.skipIf(speaksMysql(engine))('changes nothing when a step in the middle fails', async () => {
    const database = await made({ note: { title: string, tags: toMany('tag') }, tag: {} }, "INSERT INTO notes (title) VALUES ('a')");
    const before = await database.tables();
    await run(database, 'CREATE VIEW notes_labels_lnk AS SELECT 1 AS one');
    const after = modelOf({ note: { labels: toMany('tag'), pages: string }, tag: {} });
    await expect(migrateDatabase(database, after, choices([], true), now)).rejects.toThrow(/notes_labels_lnk[\s\S]*Nothing was changed/);
    expect(await database.tables()).toEqual(before);
    expect(await rows(database, 'SELECT title FROM notes')).toEqual([['a']]);
  });
});
