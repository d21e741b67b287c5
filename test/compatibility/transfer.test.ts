/** `lectern transfer`: what it copies from SQLite to PostgreSQL. `reads.test.ts` tests that reads have the same responses afterwards. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Driver as BetterSqlite3 } from '../../src/dialects/sqlite-driver.ts';
import { TransferRefused } from '../../src/transfer/refused.ts';
import { type TransferResult, TransferStopped } from '../../src/transfer/transfer.ts';
import { createDatabase, engines, speaksMysql, type TestDatabase } from '../support/engines.ts';
import { run } from '../support/server.ts';
import { transferBetween } from '../support/transfer.ts';
import { recordedDatabase, recordedProject } from './recordings.ts';

// Skipped and not left out: a file without a test fails a run on the embedded database alone.
describe.runIf(engines.includes('postgres'))('postgres: transfer', () => {
  const engine = 'postgres';
  let target: TestDatabase;
  let client: pg.Client;
  let result: TransferResult;
  const folder = mkdtempSync(join(tmpdir(), 'lectern-transfer-'));
  const source = new BetterSqlite3(recordedDatabase, { readonly: true });

  beforeAll(async () => {
    target = await createDatabase(engine);
    result = await transferBetween(recordedDatabase, urlOf(target));
    client = new pg.Client({ connectionString: target.url });
    await client.connect();
  });
  afterAll(async () => {
    source.close();
    await client?.end();
    await target?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const values = async (text: string) => (await client.query({ text, rowMode: 'array' })).rows;

  /** Runs a transfer that must be refused, from a changed copy of the recorded database, into an empty one. */
  async function refused(...changes: readonly string[]): Promise<string> {
    const from = join(folder, `${Math.random()}.db`);
    cpSync(recordedDatabase, from);
    const copy = new BetterSqlite3(from);
    for (const change of changes) copy.exec(change);
    copy.close();
    const empty = await createDatabase(engine);
    try {
      const error = await transferBetween(from, urlOf(empty)).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(TransferRefused);
      const left = new pg.Client({ connectionString: empty.url });
      await left.connect();
      expect((await left.query("SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).rowCount).toBe(0);
      await left.end();
      return error instanceof Error ? error.message : '';
    } finally {
      await empty.drop();
    }
  }

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

  it('gives columns the types that Strapi gives them', async () => {
    const types = await values(
      `SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = 'articles'::regclass AND attnum > 0 ORDER BY attnum`,
    );
    expect(Object.fromEntries(types)).toMatchObject({
      id: 'integer',
      document_id: 'character varying(255)',
      summary: 'text',
      content: 'jsonb',
      views: 'bigint',
      score: 'double precision',
      price: 'numeric(10,2)',
      featured: 'boolean',
      release_date: 'date',
      air_time: 'time without time zone',
      starts_at: 'timestamp(6) without time zone',
    });
  });

  it('keeps values that JavaScript’s types cannot represent', async () => {
    expect(await values('SELECT big::text FROM sinks WHERE id IN (6, 7, 10) ORDER BY id')).toEqual([
      ['9223372036854775807'],
      ['-9223372036854775808'],
      ['9007199254740993'],
    ]);
    expect(await values('SELECT flt FROM sinks WHERE id IN (6, 7, 9) ORDER BY id')).toEqual([[1e21], [-1e-7], [0.30000000000000004]]);
  });

  it('widens a decimal column rather than rounding', async () => {
    expect(await values(`SELECT "dec"::text FROM sinks WHERE id IN (10, 30) ORDER BY id`)).toEqual([['3.14159'], ['123456.789']]);
    expect(result.notes.join()).toContain('sinks.dec');
  });

  it('turns unquoted values in SQLite into JSON with the same meaning', async () => {
    expect(await values('SELECT id, doc::text FROM sinks WHERE doc IS NOT NULL AND id < 26 ORDER BY id')).toEqual([
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
    ]);
  });

  it('continues the ids where they were', async () => {
    const [given] = source.prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'articles'").all();
    expect(await values("SELECT nextval('articles_id_seq')::int")).toEqual([[Number(given?.seq) + 1]]);
  });

  it('copies indexes and foreign keys under their names', async () => {
    expect(await values("SELECT indexname FROM pg_indexes WHERE tablename = 'articles_tags_lnk' ORDER BY 1")).toEqual(
      ['fk', 'ifk', 'ofk', 'oifk', 'pkey', 'uq'].map((end) => [`articles_tags_lnk_${end}`]),
    );
    expect(
      await values(
        "SELECT conname, confdeltype::text FROM pg_constraint WHERE conrelid = 'articles_tags_lnk'::regclass AND contype = 'f' ORDER BY 1",
      ),
    ).toEqual([
      ['articles_tags_lnk_fk', 'c'],
      ['articles_tags_lnk_ifk', 'c'],
    ]);
  });

  it('refuses a target that is not empty', async () => {
    await expect(transferBetween(recordedDatabase, urlOf(target))).rejects.toThrow(/not empty.*82 tables/);
  });
  it('refuses a missing source, and creates none', async () => {
    await expect(transferBetween(join(folder, 'none.db'), urlOf(target))).rejects.toThrow(/none\.db: no such file/);
  });
  it('names everything that PostgreSQL could not hold, and copies nothing', async () => {
    const reported = await refused(
      `UPDATE sinks SET str = '${'x'.repeat(300)}' WHERE id = 4`,
      "UPDATE sinks SET txt = 'a' || char(0) || 'b' WHERE id = 5",
      'UPDATE sinks SET num = 3000000000 WHERE id = 6',
    );
    expect(reported.split('\n')).toEqual([
      'sinks.str of row 4: has 300 characters, 255 are possible',
      'sinks.txt of row 5: contains a NUL character',
      'sinks.num of row 6: 3000000000 is not an integer of 32 bits',
    ]);
  });
  it('names a type of column that it does not know', async () => {
    expect(await refused('CREATE TABLE odd (id integer primary key, shape geometry)')).toContain('odd.shape');
  });
  it('names a foreign key that does not hold', async () => {
    expect(
      await refused(
        'PRAGMA foreign_keys = OFF',
        'UPDATE articles_tags_lnk SET tag_id = 4242 WHERE id = (SELECT min(id) FROM articles_tags_lnk)',
      ),
    ).toContain('articles_tags_lnk_ifk');
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
      const copy = new BetterSqlite3(back, { readonly: true });
      const both = (text: string) => [source, copy].map((each) => each.prepare(text).all());
      for (const text of [
        'SELECT id, document_id, title, summary, views, score, price, featured, release_date, air_time, starts_at, created_at, locale FROM articles ORDER BY id',
        'SELECT id, CAST(big AS TEXT), flt, dec, flag, day, clock, moment, stamp FROM sinks ORDER BY id',
        "SELECT name, lower(type) FROM pragma_table_info('articles')",
        'SELECT DISTINCT "table", "from", "to", on_delete FROM pragma_foreign_key_list(\'articles_tags_lnk\') ORDER BY 1, 2',
        "SELECT name FROM pragma_index_list('articles_tags_lnk') ORDER BY 1",
      ]) {
        const [was, is] = both(text);
        expect(is).toEqual(was);
      }
      const [was] = source.prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'articles'").all();
      const [is] = copy.prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'articles'").all();
      // One more was given by the test before.
      expect(Number(is?.seq) - Number(was?.seq)).toBe(1);
      expect(copy.pragma('foreign_key_check')).toEqual([]);
      copy.close();
    });
  });

  it('finds rows that the source has changed since an interruption, and begins anew when asked to', async () => {
    const from = join(folder, 'interrupted.db');
    cpSync(recordedDatabase, from);
    const empty = await createDatabase(engine);
    try {
      // In the middle of copying: every table was checked before.
      let isCopying = false;
      let copied = 0;
      const step = (name: string) => {
        isCopying = name === 'Copying rows';
      };
      const advance = (by: number) => {
        if (isCopying) copied += by;
      };
      const progress = { step, advance, stop: () => undefined };
      await expect(transferBetween(from, urlOf(empty), { progress, isStopped: () => copied > 1500 })).rejects.toThrow(TransferStopped);
      expect(copied).toBeLessThan(result.rows);
      const database = new BetterSqlite3(from);
      database.exec("UPDATE admin_users SET firstname = 'changed'");
      database.close();
      await expect(transferBetween(from, urlOf(empty))).rejects.toThrow(/admin_users: its checksum differs[\s\S]*--restart/);
      expect(await transferBetween(from, urlOf(empty), { restart: true })).toMatchObject({ rows: result.rows, indexes: 231 });
    } finally {
      await empty.drop();
    }
  });

  it('creates the indexes of Lectern in their own form', async () => {
    const project = await recordedProject('sqlite');
    const empty = await createDatabase(engine);
    try {
      expect((await run(['indexes', 'apply', '--dir', project.dir])).status).toBe(0);
      const { status, stdout } = await run(['transfer', '--to', urlOf(empty), '--dir', project.dir]);
      expect({ status, stdout }).toEqual({
        status: 0,
        stdout: expect.stringMatching(/Created \d+ indexes of Lectern that the source has/),
      });
      expect(stdout).not.toContain('not copied');
      const copy = new pg.Client({ connectionString: urlOf(empty) });
      await copy.connect();
      const { rows } = await copy.query("SELECT indexdef FROM pg_indexes WHERE indexname = 'lectern_articles_published'");
      await copy.end();
      expect(rows[0]?.indexdef).toContain('WHERE (published_at IS NOT NULL)');
    } finally {
      await project.remove();
      await empty.drop();
    }
  });

  it.each([
    ['/nowhere/to/be/found.db', '--to: there is no folder /nowhere/to/be'],
    [
      'postgres://postgres@127.0.0.1:9/empty',
      '--to: The database does not respond at 127.0.0.1:9 (ECONNREFUSED): is it running, and are the host and the port in the URL right?',
    ],
  ])('says what is wrong with %s', async (to, says) => {
    const { status, stderr } = await run([
      'transfer',
      '--from',
      recordedDatabase,
      '--to',
      to,
      '--dir',
      join(recordedDatabase, '../project'),
    ]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(says) });
  });
});

const mysqlEngines = engines.filter(speaksMysql);
describe.each(mysqlEngines)('%s: transfer', (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-transfer-'));
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
    rmSync(folder, { recursive: true, force: true });
  });

  it('copies rows, indexes and keys there and back', async () => {
    expect(await transferBetween(urlOf(target), back)).toMatchObject({
      tables: result.tables,
      rows: result.rows,
      indexes: 231,
      foreignKeys: result.foreignKeys,
    });
    const [was, is] = [from, back].map((file) => {
      const database = new BetterSqlite3(file, { readonly: true });
      const rows = database
        .prepare('SELECT id, CAST(big AS TEXT), flt, dec, flag, day, clock, moment, stamp, str, txt FROM sinks ORDER BY id')
        .all();
      const types = database.prepare("SELECT name, lower(type) FROM pragma_table_info('sinks')").all();
      database.close();
      return { rows, types };
    });
    expect(is).toEqual(was);
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

function urlOf(database: TestDatabase): string {
  if (database.url === undefined) throw new Error('a database of a server was expected');
  return database.url;
}
