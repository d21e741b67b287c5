/** `lectern transfer`: what it copies from SQLite to PostgreSQL. `reads.test.ts` tests that reads have the same responses afterwards. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Driver as BetterSqlite3 } from '../../src/dialects/sqlite-driver.ts';
import { TransferRefused } from '../../src/transfer/refused.ts';
import type { TransferResult } from '../../src/transfer/transfer.ts';
import { createDatabase, engines, speaksMysql, type TestDatabase } from '../support/engines.ts';
import { run } from '../support/server.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { transferBetween } from '../support/transfer.ts';
import { recordedDatabase } from './recordings.ts';

// Skipped and not left out: a file without a test fails a run on the embedded database alone.
describe.runIf(engines.includes('postgres'))('postgres: transfer', () => {
  let target: TestDatabase;
  let client: pg.Client;
  let result: TransferResult;
  const folder = useTemporaryFolder();
  const source = new BetterSqlite3(recordedDatabase, { readonly: true });

  beforeAll(async () => {
    target = await createDatabase('postgres');
    result = await transferBetween(recordedDatabase, urlOf(target));
    client = new pg.Client({ connectionString: target.url });
    await client.connect();
  });
  afterAll(async () => {
    source.close();
    await client?.end();
    await target?.drop();
  });

  const values = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows;

  it('copies every row of every table', async () => {
    const tables = source
      .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .all();
    let rows = 0;
    for (const { name } of tables) {
      const [count] = Object.values(Object(source.prepare(`SELECT count(*) FROM "${name}"`).get()));
      rows += Number(count);
      expect({ name, rows: await values(`SELECT count(*)::int FROM "${name}"`) }).toEqual({ name, rows: [[count]] });
    }
    expect(result).toMatchObject({ tables: tables.length, rows, indexes: 231 });
  });

  const linked = "FROM pg_constraint WHERE conrelid = 'articles_tags_lnk'::regclass AND contype = 'f'";
  it.each([
    [
      'gives columns the types that Strapi gives them',
      `SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'articles'::regclass AND attname IN
       ('id', 'document_id', 'summary', 'content', 'views', 'score', 'price', 'featured', 'release_date', 'air_time', 'starts_at') ORDER BY attnum`,
      [
        ['id', 'integer'],
        ['document_id', 'character varying(255)'],
        ['summary', 'text'],
        ['content', 'jsonb'],
        ['views', 'bigint'],
        ['score', 'double precision'],
        ['price', 'numeric(10,2)'],
        ['featured', 'boolean'],
        ['release_date', 'date'],
        ['air_time', 'time without time zone'],
        ['starts_at', 'timestamp(6) without time zone'],
      ],
    ],
    [
      'keeps integers that JavaScript’s numbers cannot represent',
      'SELECT big::text FROM sinks WHERE id IN (6, 7, 10) ORDER BY id',
      [['9223372036854775807'], ['-9223372036854775808'], ['9007199254740993']],
    ],
    ['keeps floats', 'SELECT flt FROM sinks WHERE id IN (6, 7, 9) ORDER BY id', [[1e21], [-1e-7], [0.30000000000000004]]],
    [
      'widens a decimal column rather than rounding',
      'SELECT "dec"::text FROM sinks WHERE id IN (10, 30) ORDER BY id',
      [['3.14159'], ['123456.789']],
    ],
    [
      'turns unquoted values in SQLite into JSON with the same meaning',
      'SELECT id, doc::text FROM sinks WHERE doc IS NOT NULL AND id < 26 ORDER BY id',
      [
        [3, '""'],
        [4, '{"a": 1, "b": [true, null]}'],
        [5, '[1, 2, 3]'],
        [6, '"just text"'],
        [7, '0'],
        [8, '1'],
        [9, '0'],
        [10, '{"emoji": "😀", "key with space": "x"}'],
        [11, '{"apos": "\'", "quote": "\\""}'],
        [19, '{"deep": {"er": {"still": ["x", {"y": 1}]}}}'],
        [22, '{"n": 10}'],
        [23, '{"n": 9}'],
        [24, '10'],
        [25, '"\\"quoted\\""'],
      ],
    ],
    [
      'copies indexes under their names',
      "SELECT indexname FROM pg_indexes WHERE tablename = 'articles_tags_lnk' ORDER BY 1",
      ['fk', 'ifk', 'ofk', 'oifk', 'pkey', 'uq'].map((end) => [`articles_tags_lnk_${end}`]),
    ],
    [
      'copies foreign keys under their names',
      `SELECT conname, confdeltype::text ${linked} ORDER BY 1`,
      [
        ['articles_tags_lnk_fk', 'c'],
        ['articles_tags_lnk_ifk', 'c'],
      ],
    ],
  ])('%s', async (_, text, expected) => expect(await values(text)).toEqual(expected));

  it('continues the ids where they were, and notes the wider column', async () => {
    const [given] = source.prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'articles'").all();
    expect(await values("SELECT nextval('articles_id_seq')::int")).toEqual([[Number(given?.seq) + 1]]);
    expect(result.notes.join()).toContain('sinks.dec');
  });

  it('refuses a target that is not empty, and a missing source, which it does not create', async () => {
    await expect(transferBetween(recordedDatabase, urlOf(target))).rejects.toThrow(/not empty.*82 tables/);
    await expect(transferBetween(join(folder, 'none.db'), urlOf(target))).rejects.toThrow(/none\.db: no such file/);
  });

  const someLink = '(SELECT min(id) FROM articles_tags_lnk)';
  it.each([
    [
      'everything that PostgreSQL could not hold',
      [
        `UPDATE sinks SET str = '${'x'.repeat(300)}' WHERE id = 4`,
        "UPDATE sinks SET txt = 'a' || char(0) || 'b' WHERE id = 5",
        'UPDATE sinks SET num = 3000000000 WHERE id = 6',
      ],
      'sinks.str of row 4: has 300 characters, 255 are possible\n' +
        'sinks.txt of row 5: contains a NUL character\n' +
        'sinks.num of row 6: 3000000000 is not an integer of 32 bits',
    ],
    ['a type of column that it does not know', ['CREATE TABLE odd (id integer primary key, shape geometry)'], 'odd.shape'],
    [
      'a foreign key that does not hold',
      ['PRAGMA foreign_keys = OFF', `UPDATE articles_tags_lnk SET tag_id = 4242 WHERE id = ${someLink}`],
      'articles_tags_lnk_ifk',
    ],
  ])('names %s, and copies nothing', async (_, changes, says) => {
    const from = join(folder, `${Math.random()}.db`);
    cpSync(recordedDatabase, from);
    const copy = new BetterSqlite3(from);
    for (const change of changes) copy.exec(change);
    copy.close();
    const empty = await createDatabase('postgres');
    try {
      const error: unknown = await transferBetween(from, urlOf(empty)).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(TransferRefused);
      expect(error instanceof Error && error.message).toContain(says);
      const left = new pg.Client({ connectionString: empty.url });
      await left.connect();
      expect((await left.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).rowCount).toBe(0);
      await left.end();
    } finally {
      await empty.drop();
    }
  });

  describe('back to SQLite', () => {
    const back = join(folder, 'back.db');
    it('names JSON that SQLite could not return', async () => {
      await expect(transferBetween(urlOf(target), back)).rejects.toThrow(/sinks\.doc of row 25: is the JSON string/);
    });
    it('gives the same rows, columns, keys and ids as before', async () => {
      await client.query('UPDATE sinks SET doc = NULL WHERE id = 25');
      const returned = await transferBetween(urlOf(target), back);
      expect(returned).toMatchObject({ tables: result.tables, rows: result.rows, indexes: 231, foreignKeys: result.foreignKeys });
      expectSameRows(recordedDatabase, back);
      const copy = new BetterSqlite3(back, { readonly: true });
      const [was] = source.prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'articles'").all();
      const [is] = copy.prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'articles'").all();
      // One more was given by the test before.
      expect(Number(is?.seq) - Number(was?.seq)).toBe(1);
      expect(copy.pragma('foreign_key_check')).toEqual([]);
      copy.close();
    });
  });

  it.each([
    ['/nowhere/to/be/found.db', '--to: there is no folder /nowhere/to/be'],
    [
      'postgres://postgres@127.0.0.1:9/empty',
      '--to: The database does not respond at 127.0.0.1:9 (ECONNREFUSED): is it running, and are the host and the port in the URL right?',
    ],
  ])('says what is wrong with %s', async (to, says) => {
    const project = join(recordedDatabase, '../project');
    const { status, stderr } = await run(['transfer', '--from', recordedDatabase, '--to', to, '--dir', project]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(says) });
  });
});

const mysqlEngines = engines.filter(speaksMysql);
describe.each(mysqlEngines)('%s: transfer', (engine) => {
  const folder = useTemporaryFolder();
  const [from, back] = [join(folder, 'from.db'), join(folder, 'back.db')];
  let target: TestDatabase;
  let result: TransferResult;
  beforeAll(async () => {
    cpSync(recordedDatabase, from);
    const copy = new BetterSqlite3(from);
    // SQLite could not return it.
    copy.exec('UPDATE sinks SET doc = NULL WHERE id = 25');
    copy.close();
    target = await createDatabase(engine);
    result = await transferBetween(from, urlOf(target));
  });
  afterAll(async () => {
    await target?.drop();
  });

  it('copies rows, indexes and keys there and back', async () => {
    expect(await transferBetween(urlOf(target), back)).toMatchObject({
      tables: result.tables,
      rows: result.rows,
      indexes: 231,
      foreignKeys: result.foreignKeys,
    });
    expectSameRows(from, back);
  });
  it('names values that the server cannot store', async () => {
    const deep = join(folder, 'deep.db');
    cpSync(from, deep);
    const copy = new BetterSqlite3(deep);
    copy.exec(`UPDATE sinks SET doc = '${'['.repeat(101)}${']'.repeat(101)}', moment = ${Date.UTC(900, 0, 1)} WHERE id = 4`);
    copy.close();
    const empty = await createDatabase(engine);
    try {
      await expect(transferBetween(deep, urlOf(empty))).rejects.toThrow(
        'sinks.moment of row 4: 0900-01-01T00:00:00.000Z is not between the years 1000 and 9999\nsinks.doc of row 4: is JSON of 101 levels',
      );
    } finally {
      await empty.drop();
    }
  });
});

function expectSameRows(one: string, other: string): void {
  const [was, is] = [one, other].map((file) => {
    const database = new BetterSqlite3(file, { readonly: true });
    const found = [
      'SELECT id, document_id, title, summary, views, score, price, featured, release_date, air_time, starts_at, created_at, locale FROM articles ORDER BY id',
      'SELECT id, CAST(big AS TEXT), flt, dec, flag, day, clock, moment, stamp, str, txt FROM sinks ORDER BY id',
      "SELECT name, lower(type) FROM pragma_table_info('articles')",
      "SELECT name, lower(type) FROM pragma_table_info('sinks')",
      'SELECT DISTINCT "table", "from", "to", on_delete FROM pragma_foreign_key_list(\'articles_tags_lnk\') ORDER BY 1, 2',
      "SELECT name FROM pragma_index_list('articles_tags_lnk') ORDER BY 1",
    ].map((text) => database.prepare(text).all());
    database.close();
    return found;
  });
  expect(is).toEqual(was);
}

function urlOf(database: TestDatabase): string {
  if (database.url === undefined) throw new Error('a database of a server was expected');
  return database.url;
}
