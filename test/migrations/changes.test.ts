/** Steps that take something away, and renames, on every engine that answers. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Database } from '../../src/dialects/dialect.ts';
import { openPostgresDatabase } from '../../src/dialects/postgres-connection.ts';
import { openSqliteDatabase } from '../../src/dialects/sqlite-connection.ts';
import { migrateDatabase, planDatabase, prepareDatabase } from '../../src/migrations/prepare-database.ts';
import type { ContentModel } from '../../src/model/content-model.ts';
import { loadModel } from '../../src/model/load/load-model.ts';
import { asAdministrator, doNotWaitForDisk, postgresUrl } from '../support/postgres-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

async function emptySqlite(): Promise<Database> {
  const database = openSqliteDatabase(join(temporaryFolder(), 'data.db'), { create: true });
  onTestFinished(() => database.close());
  return database;
}

/** A schema for each test, as a database takes longer to make than most tests to run. */
const postgresName = `lectern_migrations_${randomBytes(4).toString('hex')}`;
let schemas = 0;
async function emptyPostgres(): Promise<Database> {
  const url = new URL(postgresUrl);
  url.pathname = `/${postgresName}`;
  const connect = (schema?: string) =>
    openPostgresDatabase({
      connection: { connectionString: url.href, max: 3 },
      schema,
      statementTime: 60_000,
      connectionTime: 10_000,
      databaseOrder: false,
      preparedStatements: true,
    });
  const schema = `test_${++schemas}`;
  const administrator = connect();
  await run(administrator, `CREATE SCHEMA ${schema}`);
  await administrator.close();
  const database = connect(schema);
  onTestFinished(() => database.close());
  return database;
}

const postgresAnswers = await asAdministrator(async (client) => {
  await client.query(`CREATE DATABASE ${postgresName}`);
  await doNotWaitForDisk(client, postgresName);
}).then(
  () => true,
  () => false,
);
afterAll(async () => {
  if (postgresAnswers) await asAdministrator((client) => client.query(`DROP DATABASE IF EXISTS ${postgresName} WITH (FORCE)`));
});
const engines = { sqlite: emptySqlite, ...(postgresAnswers ? { postgres: emptyPostgres } : {}) };

type Attributes = Readonly<Record<string, object>>;
/** Types by singular name, components by uid. */
type Schemas = Readonly<Record<string, Attributes>>;

function modelOf(schemas: Schemas): ContentModel {
  const dir = temporaryFolder();
  mkdirSync(join(dir, 'src/api'), { recursive: true });
  for (const [name, attributes] of Object.entries(schemas)) {
    const [category, component] = name.split('.');
    const isComponent = component !== undefined;
    const file = join(
      dir,
      isComponent ? `src/components/${category}/${component}.json` : `src/api/${name}/content-types/${name}/schema.json`,
    );
    mkdirSync(dirname(file), { recursive: true });
    const schema = isComponent
      ? { collectionName: `components_${category}_${component}s`, info: { displayName: component }, attributes }
      : {
          kind: 'collectionType',
          collectionName: `${name}s`,
          info: { singularName: name, pluralName: `${name}s`, displayName: name },
          options: { draftAndPublish: true },
          attributes,
        };
    writeFileSync(file, JSON.stringify(schema));
  }
  const result = loadModel(dir, { customFields: {}, asStrapi: false });
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.model;
}

const run = (database: Database, ...texts: readonly string[]) =>
  database.write(async (connection) => {
    for (const text of texts) await connection.query(text, []);
  });
const rows = (database: Database, text: string) => database.read((connection) => connection.query(text, []));
const columnsOf = async (database: Database, table: string) => [
  ...((await database.tables()).find(({ name }) => name === table)?.columns.keys() ?? []),
];
const tableNames = async (database: Database) => (await database.tables()).map(({ name }) => name);

const now = new Date('2026-11-21T12:00:00Z');
const auto = { migrate: 'auto' } as const;
const choices = (renames: readonly string[] = [], allowDestructive = false) => ({ renames, allowDestructive });
const plan = async (database: Database, model: ContentModel, ...chosen: Parameters<typeof choices>) => {
  const changes = await planDatabase(database, model, { choices: choices(...chosen), now });
  if ('ok' in changes) throw new Error(changes.problems.join('\n'));
  return changes;
};
const apply = async (database: Database, model: ContentModel, ...chosen: Parameters<typeof choices>) => {
  const done = await migrateDatabase(database, model, choices(...chosen), now);
  if (!done.ok) throw new Error(done.problems.join('\n'));
  return done;
};

const string = { type: 'string' };
const text = { type: 'text' };
const toMany = (target: string) => ({ type: 'relation', relation: 'manyToMany', target: `api::${target}.${target}` });
const ownColumn = { type: 'relation', relation: 'oneToOne', target: 'plugin::users-permissions.user', useJoinTable: false };

describe.each(Object.entries(engines))('%s', (_engine, emptyDatabase) => {
  /** A database that Lectern made for these schemas. */
  async function made(schemas: Schemas, ...statements: readonly string[]): Promise<Database> {
    const database = await emptyDatabase();
    await prepareDatabase(database, modelOf(schemas), auto);
    await run(database, ...statements);
    return database;
  }

  describe('a column that no attribute needs', () => {
    const before = { note: { title: string, body: text, owner: ownColumn } };
    const after = { note: { title: string } };
    const insert = "INSERT INTO notes (title, body) VALUES ('a', 'b')";

    it('is set aside only with --allow-destructive', async () => {
      const database = await made(before, insert);
      expect((await plan(database, modelOf(after))).destructive).toMatchObject([
        { kind: 'column', table: 'notes', column: 'body', keptAs: 'body_old_20261121', reason: expect.stringContaining('"body"') },
        { kind: 'column', table: 'notes', column: 'owner_id', keptAs: 'owner_id_old_20261121' },
      ]);
      expect(await apply(database, modelOf(after))).toMatchObject({ outcome: 'unchanged' });
      expect(await columnsOf(database, 'notes')).toContain('body');
    });

    it('is set aside under another name with --allow-destructive, once', async () => {
      const database = await made(before, insert);
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

    it.each([
      ['boolean', 'true', "'true'"],
      ['datetime', '2026-02-28T10:00:00.000Z', "'2026-02-28T10:00:00.000Z'"],
      ['date', '2026-02-28', "'2026-02-28'"],
      ['json', '[1]', "'[1]'"],
      ['decimal', '12.5', "'12.5'"],
      ['biginteger', '9007199254740993', "'9007199254740993'"],
    ])('becomes %s and text again', async (type, value, written) => {
      const database = await made({ note: { it: string } }, `INSERT INTO notes (it) VALUES (${written})`);
      await apply(database, modelOf({ note: { it: { type } } }), [], true);
      const back = await apply(database, modelOf({ note: { it: string } }), [], true);
      expect(back.converted).toMatchObject([{ copied: 1, left: 0 }]);
      expect(await rows(database, 'SELECT it FROM notes')).toEqual([[value]]);
    });

    it('is not set aside if the same column can store the new type', async () => {
      const database = await made({ note: { a: text, b: { type: 'biginteger' } } });
      expect((await plan(database, modelOf({ note: { a: { type: 'email' }, b: { type: 'integer' } } }))).destructive).toEqual([]);
    });
  });

  describe('a renamed attribute', () => {
    const before = { note: { title: string, pages: { type: 'integer' } } };
    const after = { note: { headline: { type: 'email' }, pages: { type: 'integer' } } };
    const name = 'api::note.note.title=headline';
    const insert = "INSERT INTO notes (title) VALUES ('a')";

    it('is offered, and not carried out unasked', async () => {
      const database = await made(before, insert);
      expect((await plan(database, modelOf(after))).offers).toMatchObject([{ name }]);
      await apply(database, modelOf(after));
      expect(await columnsOf(database, 'notes')).toEqual(expect.arrayContaining(['title', 'headline']));
    });

    it('keeps its column when the rename is requested', async () => {
      const database = await made(before, insert);
      const done = await apply(database, modelOf(after), [name]);
      expect(done.changes.work).toEqual([
        'ALTER TABLE "notes" RENAME COLUMN "title" TO "headline"',
        expect.stringMatching(/^UPDATE "lectern_role_rules" SET "fields"/),
      ]);
      expect(await rows(database, 'SELECT headline FROM notes')).toEqual([['a']]);
      expect(await plan(database, modelOf(after))).toMatchObject({ work: [], destructive: [], offers: [] });
    });

    it('is renamed in rights that are restricted to it, and in no others', async () => {
      const rule = (type: string) =>
        `INSERT INTO lectern_role_rules (role_id, action, fields) SELECT id, 'api::${type}.${type}.find', '["title","titles"]' FROM up_roles WHERE type = 'public'`;
      const database = await made(before, rule('note'), rule('notebook'));
      await apply(database, modelOf(after), [name]);
      expect(await rows(database, 'SELECT fields FROM lectern_role_rules ORDER BY id')).toEqual([
        ['["headline","titles"]'],
        ['["title","titles"]'],
      ]);
    });

    it('is still offered when the server was started in between', async () => {
      const database = await made(before, insert, "INSERT INTO notes (title) VALUES ('b')");
      await prepareDatabase(database, modelOf(after), auto);
      await run(database, "UPDATE notes SET headline = 'new' WHERE title = 'b'");
      expect((await plan(database, modelOf(after))).offers).toMatchObject([{ name }]);
      await apply(database, modelOf(after), [name]);
      expect(await rows(database, 'SELECT headline, title_old_20261121 FROM notes ORDER BY id')).toEqual([
        ['a', 'a'],
        ['new', 'b'],
      ]);
      expect(await plan(database, modelOf(after))).toMatchObject({ work: [], destructive: [], offers: [] });
    });

    it.each([
      ['api::note.note.titel=headline', 'Did you mean api::note.note.title=headline?'],
      ['api::note.note.pages=headline', 'nothing recorded under the old name'],
    ])('is refused as %s', async (rename, says) => {
      const database = await made(before);
      const refused = await migrateDatabase(database, modelOf(after), choices([rename]), now);
      expect(refused).toMatchObject({ ok: false, problems: [expect.stringContaining(says)] });
      expect(await columnsOf(database, 'notes')).not.toContain('headline');
    });

    it('renames its foreign key and index', async () => {
      const database = await made(
        { note: { owner: ownColumn } },
        "INSERT INTO up_users (id, username) VALUES (5, 'u')",
        'INSERT INTO notes (owner_id) VALUES (5)',
      );
      const renamed = modelOf({ note: { holder: ownColumn } });
      await apply(database, renamed, ['api::note.note.owner=holder']);
      expect(await rows(database, 'SELECT holder_id FROM notes')).toEqual([[5]]);
      const notes = (await database.tables()).find((table) => table.name === 'notes');
      expect(notes?.indexes).toContain('notes_holder_id_fk');
      expect(notes?.constraints).not.toContain('notes_owner_id_fk');
      expect(await plan(database, renamed)).toMatchObject({ work: [], destructive: [], offers: [] });
    });

    it('is offered for a component and media, whose rows store its name', async () => {
      const parts = { 'part.block': { body: text } };
      const block = { type: 'component', component: 'part.block' };
      const media = { type: 'media', multiple: false };
      const database = await made(
        { ...parts, note: { intro: block, cover: media } },
        'INSERT INTO notes (id) VALUES (1)',
        `INSERT INTO notes_cmps (entity_id, cmp_id, component_type, field) VALUES (1, 1, 'part.block', 'intro')`,
        `INSERT INTO files (id) VALUES (1)`,
        `INSERT INTO files_related_mph (file_id, related_id, related_type, field) VALUES (1, 1, 'api::note.note', 'cover')`,
      );
      const after = modelOf({ ...parts, note: { opening: block, picture: media } });
      const names = (await plan(database, after)).offers.map((offer) => offer.name);
      expect(names).toEqual(['api::note.note.intro=opening', 'api::note.note.cover=picture']);
      await apply(database, after, names);
      expect(await rows(database, 'SELECT field FROM notes_cmps')).toEqual([['opening']]);
      expect(await rows(database, 'SELECT field FROM files_related_mph')).toEqual([['picture']]);
      expect((await plan(database, after)).offers).toEqual([]);
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
    ];

    it('keeps its links', async () => {
      const database = await made(before, ...link);
      expect((await plan(database, modelOf(after))).offers).toMatchObject([{ name: rename }]);
      await apply(database, modelOf(after), [rename]);
      expect(await rows(database, 'SELECT note_id, tag_id FROM notes_labels_lnk')).toEqual([[1, 3]]);
      expect(await plan(database, modelOf(after))).toMatchObject({ work: [], destructive: [], offers: [] });
      await apply(database, modelOf(before));
      expect(await tableNames(database)).toContain('notes_tags_lnk');
    });

    it('gets its links when the server was started in between', async () => {
      const database = await made(before, ...link);
      await prepareDatabase(database, modelOf(after), auto);
      await apply(database, modelOf(after), [rename]);
      expect(await rows(database, 'SELECT note_id, tag_id FROM notes_labels_lnk')).toEqual([[1, 3]]);
      expect(await plan(database, modelOf(after))).toMatchObject({ work: [], destructive: [], offers: [] });
    });

    it('is not offered with another target or kind', async () => {
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
    ];
    async function expectMoved(database: Database) {
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
      expect(await plan(database, modelOf(after))).toMatchObject({ work: [], destructive: [], offers: [] });
    }

    it('keeps its entries, links, components, files and rights', async () => {
      const database = await made(before, ...content);
      expect((await plan(database, modelOf(after))).offers).toMatchObject([{ name: rename }]);
      await apply(database, modelOf(after), [rename]);
      await expectMoved(database);
      await run(
        database,
        "INSERT INTO memos (id, title) VALUES (100, 'c')",
        'INSERT INTO tags_favourite_lnk (tag_id, memo_id) VALUES (3, 1)',
      );
    });

    it('keeps them when the server was started in between', async () => {
      const database = await made(before, ...content);
      await prepareDatabase(database, modelOf(after), auto);
      expect((await plan(database, modelOf(after))).offers).toMatchObject([{ name: rename }]);
      await apply(database, modelOf(after), [rename]);
      await expectMoved(database);
    });

    it('is refused when the new type has entries of its own', async () => {
      const database = await made(before, ...content);
      await prepareDatabase(database, modelOf(after), auto);
      await run(database, "INSERT INTO memos (title) VALUES ('mine')");
      expect(await migrateDatabase(database, modelOf(after), choices([rename]), now)).toMatchObject({ ok: false });
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

  it('changes nothing when a step in the middle fails', async () => {
    const database = await made({ note: { title: string, tags: toMany('tag') }, tag: {} }, "INSERT INTO notes (title) VALUES ('a')");
    const before = await database.tables();
    await run(database, 'CREATE VIEW notes_labels_lnk AS SELECT 1 AS one');
    const after = modelOf({ note: { labels: toMany('tag'), pages: string }, tag: {} });
    await expect(migrateDatabase(database, after, choices([], true), now)).rejects.toThrow(/notes_labels_lnk[\s\S]*Nothing was changed/);
    expect(await database.tables()).toEqual(before);
    expect(await rows(database, 'SELECT title FROM notes')).toEqual([['a']]);
  });

  it('only adds at the start', async () => {
    const database = await made({ note: { title: string, gone: text, pages: string }, tag: {} });
    const changed = modelOf({ note: { headline: string, pages: { type: 'integer' } } });
    const done = await prepareDatabase(database, changed, auto);
    expect(done).toMatchObject({ ok: true, outcome: 'extended', statements: ['ALTER TABLE "notes" ADD COLUMN "headline" varchar(255)'] });
    expect(await columnsOf(database, 'notes')).toEqual(expect.arrayContaining(['title', 'gone', 'pages', 'headline']));
    expect(await tableNames(database)).toContain('tags');
  });

  it('has a table for idempotency keys, each of them once', async () => {
    const database = await made({});
    expect(await columnsOf(database, 'lectern_idempotency_keys')).toEqual([
      'id',
      'key_hash',
      'request_hash',
      'status',
      'body',
      'created_at',
    ]);
    const insert = "INSERT INTO lectern_idempotency_keys (key_hash) VALUES ('k')";
    await run(database, insert);
    await expect(run(database, insert)).rejects.toThrow(/unique/i);
  });

  it('recognises a database that was created before there was a record', async () => {
    const before = { note: { title: string, body: text } };
    const database = await made(before, 'DROP TABLE lectern_schema', 'DROP TABLE lectern_idempotency_keys');
    expect(await prepareDatabase(database, modelOf(before), auto)).toMatchObject({ outcome: 'extended' });
    expect((await plan(database, modelOf({ note: { title: string } }))).destructive).toMatchObject([{ column: 'body' }]);
  });
});
