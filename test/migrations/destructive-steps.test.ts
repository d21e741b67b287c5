/** Steps that take something away: what no schema needs any more is set aside under another name, and only when that is allowed. */
import { describe, expect, it, vi } from 'vitest';
import { migrateDatabase, prepareDatabase } from '../../src/migrations/prepare-database.ts';
import { anyEngine, engines, speaksMysql } from '../support/engines.ts';
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
  string,
  tableNames,
  text,
  toMany,
  useMadeDatabases,
} from '../support/migrations.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const nothing = { work: [], destructive: [], offers: [] };

describe.each(engines)('%s', (engine) => {
  const made = useMadeDatabases(engine);

  it('sets a column aside that no attribute needs: only with --allow-destructive, once, and again under another name', async () => {
    const before = modelOf({ note: { title: string, body: text, owner: ownColumn } });
    const after = modelOf({ note: { title: string } });
    const database = await made(
      { note: { title: string, body: text, owner: ownColumn } },
      "INSERT INTO notes (title, body) VALUES ('a', 'b')",
    );
    expect((await plan(database, after)).destructive).toMatchObject([
      { kind: 'column', table: 'notes', column: 'body', keptAs: 'body_old_20261121', reason: expect.stringContaining('"body"') },
      { kind: 'column', table: 'notes', column: 'owner_id', keptAs: 'owner_id_old_20261121' },
    ]);
    expect(await apply(database, after)).toMatchObject({ outcome: 'unchanged' });
    expect(await columnsOf(database, 'notes')).toContain('body');
    expect(await apply(database, after, [], true)).toMatchObject({ outcome: 'changed' });
    expect(await rows(database, 'SELECT title, body_old_20261121 FROM notes')).toEqual([['a', 'b']]);
    expect(await apply(database, after, [], true)).toMatchObject({ outcome: 'unchanged', changes: { destructive: [] } });

    await apply(database, before);
    await run(database, "UPDATE notes SET body = 'c'");
    await apply(database, after, [], true);
    expect(await rows(database, 'SELECT body_old_20261121, body_old_20261121_2 FROM notes')).toEqual([['b', 'c']]);
    await apply(database, before);
    expect(await plan(database, before)).toMatchObject(nothing);
  });

  it.runIf(anyEngine.includes(engine))('gives a column that is set aside a name within the limit', async () => {
    const long = 'aVeryLongAttributeNameThatAlmostFillsTheWholeRoomItHas';
    const database = await made({ note: { [long]: string } });
    const [step] = (await plan(database, modelOf({ note: {} }))).destructive;
    expect(step?.keptAs).toMatch(/^a_very_long_\w+_old_20261121$/);
    expect(step?.keptAs.length).toBeLessThanOrEqual(55);
  });

  it('never proposes to set aside what it did not create, or has no record of', async () => {
    const before = { note: { title: string, body: text } };
    const database = await made(before, 'ALTER TABLE notes ADD COLUMN score integer', 'CREATE TABLE invoices (id integer)');
    expect(await plan(database, modelOf(before), [], true)).toMatchObject({ work: [], destructive: [] });
    expect((await plan(database, modelOf({}), [], true)).destructive.map(({ table }) => table)).toEqual(['notes']);
    await run(database, 'DROP TABLE lectern_schema');
    expect((await plan(database, modelOf({}), [], true)).destructive).toEqual([]);
    // The next start records what the schema files have.
    expect(await prepareDatabase(database, modelOf(before), auto)).toMatchObject({ outcome: 'extended' });
    expect((await plan(database, modelOf({ note: { title: string } }))).destructive).toMatchObject([{ column: 'body' }]);
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

  it('uses columns and tables again that were renamed by hand', async () => {
    const before = { note: { title: string, tags: toMany('tag') }, tag: { name: string, body: text, owner: ownColumn } };
    const after = modelOf({ tag: { name: string } });
    const database = await made(
      before,
      "INSERT INTO notes (id, title) VALUES (7, 'a')",
      "INSERT INTO tags (id, body) VALUES (3, 'b')",
      'INSERT INTO notes_tags_lnk (note_id, tag_id) VALUES (7, 3)',
    );
    await apply(database, after, [], true);
    await run(
      database,
      'ALTER TABLE notes_old_20261121 RENAME TO notes',
      'ALTER TABLE notes_tags_lnk_old_20261121 RENAME TO notes_tags_lnk',
      'ALTER TABLE tags RENAME COLUMN body_old_20261121 TO body',
      'ALTER TABLE tags RENAME COLUMN owner_id_old_20261121 TO owner_id',
    );
    await apply(database, modelOf(before));
    const found = 'SELECT n.title, t.body FROM notes n JOIN notes_tags_lnk l ON l.note_id = n.id JOIN tags t ON t.id = l.tag_id';
    expect(await rows(database, found)).toEqual([['a', 'b']]);
    expect(await plan(database, modelOf(before))).toMatchObject(nothing);
    expect((await plan(database, after)).destructive.map(({ column, table }) => column ?? table).sort()).toEqual([
      'body',
      'notes',
      'notes_tags_lnk',
      'owner_id',
    ]);
  });

  describe('a column whose type has changed', () => {
    it('is left at the start, which only adds; then gets the values that can be converted, and the others are set aside', async () => {
      const database = await made(
        { note: { pages: string, a: text, b: { type: 'biginteger' } } },
        "INSERT INTO notes (pages) VALUES ('12'), ('12'), ('007'), ('many'), (NULL)",
      );
      const integer = { type: 'integer' };
      // The same columns can store the new types of `a` and `b`.
      const after = modelOf({ note: { headline: string, pages: integer, a: { type: 'email' }, b: integer } });
      expect(await prepareDatabase(database, after, auto)).toMatchObject({
        outcome: 'extended',
        statements: [
          'ALTER TABLE "notes" ADD COLUMN "headline" varchar(255)',
          // MariaDB and MySQL have no indexes of published rows alone.
          ...(speaksMysql(engine) ? [] : [expect.stringMatching(/^CREATE INDEX "lectern_notes_headline_searched"/)]),
        ],
      });
      const { destructive } = await plan(database, after);
      expect(destructive).toMatchObject([{ kind: 'type', column: 'pages', keptAs: 'pages_old_20261121' }]);
      const done = await apply(database, after, [], true);
      expect(done.converted).toEqual([{ table: 'notes', column: 'pages', keptAs: 'pages_old_20261121', copied: 2, left: 2 }]);
      expect(await rows(database, 'SELECT pages, pages_old_20261121 FROM notes ORDER BY id')).toEqual([
        [12, '12'],
        [12, '12'],
        [null, '007'],
        [null, 'many'],
        [null, null],
      ]);
      expect(await plan(database, after)).toMatchObject(nothing);
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
