/** The triggers of `database.tableVersions`: who adds them, and who removes them. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../src/dialects/dialect.ts';
import { openMysqlDatabase } from '../../src/dialects/mysql-connection.ts';
import { clearLog } from '../../src/dialects/mysql-write-log.ts';
import { changesAsJson, describeMigration } from '../../src/migrations/describe/describe-migration.ts';
import { prepareDatabase } from '../../src/migrations/prepare-database.ts';
import { createDatabase, engines, type TestDatabase } from '../support/engines.ts';
import { apply, auto, modelOf, plan, rows, run, string, tableNames, toMany, useMadeDatabases } from '../support/migrations.ts';
import { startRelay } from '../support/relay.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const never = { migrate: 'never' } as const;
const schemas = { note: { title: string, tags: toMany('tag') }, tag: { name: string } };

describe.each(engines.filter((engine) => engine === 'postgres'))('%s: database.tableVersions', (engine) => {
  const made = useMadeDatabases(engine);
  /** The same database with the setting on. */
  const madeWith = async (...[of, ...statements]: Parameters<typeof made>) => {
    const off = await made(of, ...statements);
    const log = off.writeLog;
    if (log === undefined) throw new Error('there is a log');
    return { off, on: { ...off, writeLog: { ...log, isWanted: true } } };
  };
  const logged = async ({ writeLog }: Awaited<ReturnType<typeof made>>) => (await writeLog?.state())?.tables ?? new Set();

  it('is shown by plan and done by apply, once', async () => {
    const { on } = await madeWith(schemas);
    const planned = await plan(on, modelOf(schemas));
    const shown = describeMigration(planned, 'lectern migrate apply');
    expect(shown).toContain('For versions of tables:');
    expect(shown).toMatch(/CREATE TRIGGER "lectern_log_write" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON "notes_tags_lnk"/);
    expect(changesAsJson(planned, '').tableVersions[0]?.statements[0]).toContain('CREATE TABLE');
    expect((await apply(on, modelOf(schemas))).outcome).toBe('changed');
    const tables = await logged(on);
    for (const name of ['notes', 'tags', 'notes_tags_lnk', 'files', 'files_related_mph', 'up_users', 'strapi_api_tokens', 'i18n_locale'])
      expect([name, tables.has(name)]).toEqual([name, true]);
    expect([tables.has('lectern_schema'), tables.has('lectern_idempotency_keys')]).toEqual([false, false]);
    expect((await plan(on, modelOf(schemas))).work).toEqual([]);
  });

  it('leaves one row for each transaction and table, and none for what is rolled back', async () => {
    const { on } = await madeWith(schemas);
    await apply(on, modelOf(schemas));
    const insert = "INSERT INTO notes (title) VALUES ('a')";
    await run(on, insert, insert, "INSERT INTO tags (name) VALUES ('b')", insert);
    await expect(run(on, insert, 'SELECT 1 / 0')).rejects.toThrow();
    const found = await rows(on, "SELECT table_id::regclass::text FROM lectern_table_writes WHERE xid <> '0' ORDER BY 1");
    expect(found.map(([name]) => String(name).split('.').at(-1))).toEqual(['notes', 'tags']);
  });

  it('covers a new type, and a type that was renamed, at the next apply', async () => {
    const { on } = await madeWith({ note: { title: string } });
    await apply(on, modelOf({ note: { title: string } }));
    const next = { page: { title: string }, tag: {} };
    await apply(on, modelOf(next), ['api::note.note=api::page.page']);
    const tables = await logged(on);
    expect([tables.has('pages'), tables.has('tags'), tables.has('notes')]).toEqual([true, true, false]);
    expect((await plan(on, modelOf(next))).work).toEqual([]);
  });

  it('puts back a trigger that was removed or switched off', async () => {
    const { on } = await madeWith(schemas);
    await apply(on, modelOf(schemas));
    await run(on, 'DROP TRIGGER lectern_log_write ON notes', 'ALTER TABLE tags DISABLE TRIGGER lectern_log_write');
    expect((await plan(on, modelOf(schemas))).writeLog.tables).toEqual(['notes', 'tags']);
    await apply(on, modelOf(schemas));
    expect([(await logged(on)).has('notes'), (await logged(on)).has('tags')]).toEqual([true, true]);
  });

  it('makes a log anew of which a part is missing', async () => {
    const { on } = await madeWith(schemas);
    await apply(on, modelOf(schemas));
    await run(on, 'TRUNCATE lectern_table_writes');
    await apply(on, modelOf(schemas));
    await run(on, 'DROP TABLE lectern_table_writes');
    await apply(on, modelOf(schemas));
    await run(on, "INSERT INTO notes (title) VALUES ('a')");
    expect((await plan(on, modelOf(schemas))).work).toEqual([]);
  });

  it('is added by a start that may change the database, and only reported by another', async () => {
    const { on } = await madeWith(schemas);
    const reported = await prepareDatabase(on, modelOf(schemas), never);
    expect(reported).toMatchObject({ ok: true, outcome: 'unchanged' });
    expect(reported.openDecisions).toContain('database.tableVersions is on, and writes to some tables are not logged');
    expect((await logged(on)).size).toBe(0);
    const prepared = await prepareDatabase(on, modelOf(schemas), auto);
    expect(prepared).toMatchObject({ ok: true, outcome: 'extended', openDecisions: '' });
    expect((await logged(on)).has('notes')).toBe(true);
  });

  it('is removed by apply when the setting is off, not by a start', async () => {
    const { on, off } = await madeWith(schemas);
    await apply(on, modelOf(schemas));
    const prepared = await prepareDatabase(off, modelOf(schemas), auto);
    expect(prepared.openDecisions).toContain('which is off: the log lectern_table_writes is still written, and nothing clears it.');
    expect((await logged(off)).has('notes')).toBe(true);
    expect(describeMigration(await plan(off, modelOf(schemas)), '')).toContain('DROP FUNCTION');
    await apply(off, modelOf(schemas));
    expect(await tableNames(off)).not.toContain('lectern_table_writes');
    expect((await plan(off, modelOf(schemas))).work).toEqual([]);
    await run(off, "INSERT INTO notes (title) VALUES ('a')");
  });

  it('needs no right of the writer to the log', async () => {
    const { on } = await madeWith(schemas);
    await apply(on, modelOf(schemas));
    await run(on, 'DROP ROLE IF EXISTS versions_writer', 'CREATE ROLE versions_writer');
    const [[schema] = []] = await rows(on, 'SELECT current_schema()');
    const grant = `GRANT USAGE ON SCHEMA ${String(schema)} TO versions_writer; GRANT ALL ON notes, notes_id_seq TO versions_writer`;
    try {
      await run(on, ...grant.split('; '), 'SET LOCAL ROLE versions_writer', "INSERT INTO notes (title) VALUES ('a')");
      expect(await rows(on, "SELECT count(*) FROM lectern_table_writes WHERE xid <> '0'")).toEqual([[1]]);
    } finally {
      await run(on, 'DROP OWNED BY versions_writer', 'DROP ROLE versions_writer');
    }
  });
});

describe.each(engines.filter((engine) => engine === 'sqlite'))('%s: database.tableVersions', (engine) => {
  const made = useMadeDatabases(engine);
  it('needs nothing in the database', async () => {
    const database = await made(schemas);
    expect(database.writeLog).toBeUndefined();
    expect((await plan(database, modelOf(schemas))).work).toEqual([]);
  });
});

describe.each(engines.filter((engine) => engine === 'mariadb'))('%s: database.tableVersions', (engine) => {
  let made: TestDatabase;
  let on: Database;
  let off: Database;
  const lost: string[] = [];
  const openAs = (tableVersions: boolean, url = made.url ?? '') =>
    openMysqlDatabase({
      connection: { uri: url },
      poolMin: 1,
      poolMax: 3,
      statementTime: 20_000,
      connectionTime: 5000,
      databaseOrder: false,
      tableVersions,
      lostTables: (tables) => lost.push(...tables),
    });
  beforeAll(async () => {
    made = await createDatabase(engine);
    [on, off] = [await openAs(true), await openAs(false)];
  });
  afterAll(async () => {
    await Promise.all([on?.close(), off?.close()]);
    await made?.drop();
  });
  const versionOf = async (...tables: readonly string[]) => (await on.dataVersion())?.of(tables);
  /** The server reads tables and triggers again after a second. */
  const untilLookedAt = () => new Promise((resolve) => setTimeout(resolve, 1100));
  /** What changes the version of the links, which are read together with nothing else here. */
  const links = 'notes_tags_lnk';

  it('is done by apply, once, and puts back a trigger that was removed', async () => {
    await apply(on, modelOf(schemas));
    const tables = (await on.writeLog?.state())?.tables ?? new Set();
    for (const name of ['notes', 'tags', links, 'files_related_mph', 'up_users', 'strapi_api_tokens', 'i18n_locale'])
      expect([name, tables.has(name)]).toEqual([name, true]);
    expect(tables.has('lectern_schema')).toBe(false);
    expect((await plan(on, modelOf(schemas))).work).toEqual([]);
    const [[trigger] = []] = await rows(
      on,
      "SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE() AND event_object_table = 'notes' LIMIT 1",
    );
    await run(on, `DROP TRIGGER ${String(trigger)}`);
    expect((await plan(on, modelOf(schemas))).writeLog.tables).toEqual(['notes']);
    await apply(on, modelOf(schemas));
    expect((await plan(on, modelOf(schemas))).work).toEqual([]);
  });

  it('counts a statement once, whatever the number of its rows, and a rollback not at all', async () => {
    const counts = "SELECT SUM(writes), SUM(deletes) FROM lectern_table_writes WHERE table_name = 'notes'";
    const [before = []] = await rows(on, counts);
    await run(on, "INSERT INTO notes (title) SELECT 'many' FROM seq_1_to_1000", "UPDATE notes SET title = 'more'");
    await run(on, 'DELETE FROM notes');
    await expect(run(on, "INSERT INTO notes (title) VALUES ('a')", 'SELECT 1 FROM missing')).rejects.toThrow();
    const [after = []] = await rows(on, counts);
    expect([Number(after[0]) - Number(before[0]), Number(after[1]) - Number(before[1])]).toEqual([3, 1]);
  });

  it('gives other versions after writes, also by foreign keys, which fire no trigger', async () => {
    await run(on, "INSERT INTO notes (id, title) VALUES (1, 'n')", "INSERT INTO tags (id, name) VALUES (1, 't'), (2, 'u')");
    await run(on, `INSERT INTO ${links} (note_id, tag_id) VALUES (1, 1)`);
    await untilLookedAt();
    const first = [await versionOf('notes'), await versionOf('tags'), await versionOf(links)];
    expect(first).not.toContain(undefined);
    await run(off, "UPDATE tags SET name = 'v' WHERE id = 2");
    const second = [await versionOf('notes'), await versionOf('tags'), await versionOf(links)];
    expect(second.map((version, at) => version === first[at])).toEqual([true, false, true]);
    await run(off, 'DELETE FROM tags WHERE id = 1');
    expect(await rows(on, `SELECT COUNT(*) FROM ${links}`)).toEqual([[0]]);
    const third = [await versionOf('notes'), await versionOf('tags'), await versionOf(links)];
    expect(third.map((version, at) => version === second[at])).toEqual([true, false, false]);
  });

  it('keeps the versions while the counts of connections that have ended are added up', async () => {
    const other = await openAs(false);
    await run(other, "INSERT INTO notes (title) VALUES ('other')");
    await other.close();
    const before = await versionOf('notes', 'tags', links);
    const count = 'SELECT COUNT(*) FROM lectern_table_writes';
    const [[rowsBefore] = []] = await rows(on, count);
    await on.write(clearLog);
    const [[rowsAfter] = []] = await rows(on, count);
    expect(Number(rowsAfter)).toBeLessThan(Number(rowsBefore) + 1);
    expect(await rows(on, "SELECT COUNT(*) FROM lectern_table_writes WHERE connection = 0 AND table_name = 'notes'")).toEqual([[1]]);
    expect(await versionOf('notes', 'tags', links)).toBe(before);
  });

  it('notices changes that are not writes within a second', async () => {
    for (const change of ['SET foreign_key_checks = 0; TRUNCATE notes', 'ALTER TABLE notes MODIFY title varchar(200)']) {
      await run(on, "INSERT INTO notes (title) VALUES ('a')");
      await untilLookedAt();
      const before = await versionOf('notes');
      expect(await versionOf('notes')).toBe(before);
      await off.maintain(async (connection) => {
        for (const each of [...change.split('; '), 'SET foreign_key_checks = 1']) await connection.query(each, []);
      });
      await untilLookedAt();
      expect([change, (await versionOf('notes')) === before]).toEqual([change, false]);
    }
  });

  it('has no version of a table without its triggers, nor of one that such a table writes, and says so', async () => {
    await untilLookedAt();
    await versionOf('notes');
    for (const [name] of await rows(
      on,
      "SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE() AND event_object_table = 'tags'",
    ))
      await run(on, `DROP TRIGGER ${String(name)}`);
    await untilLookedAt();
    expect(await versionOf('tags')).not.toBe(await versionOf('tags'));
    expect(await versionOf(links)).not.toBe(await versionOf(links));
    expect(await versionOf('notes')).toBe(await versionOf('notes'));
    expect(lost).toEqual(expect.arrayContaining(['tags', links]));
  });

  it('makes no request wait for long on a server that falls silent', async () => {
    const url = new URL(made.url ?? '');
    const relay = await startRelay({ host: url.hostname, port: Number(url.port || 3306) });
    url.port = String(relay.port);
    const behind = await openAs(true, url.href);
    try {
      expect(await behind.dataVersion()).toBeDefined();
      relay.silence();
      const began = performance.now();
      expect(await behind.dataVersion()).toBeUndefined();
      expect(performance.now() - began).toBeLessThan(1000);
    } finally {
      await relay.close();
      await behind.close();
    }
  });

  it('is removed by apply when the setting is off, not by a start', async () => {
    expect(await off.dataVersion()).toBeUndefined();
    const prepared = await prepareDatabase(off, modelOf(schemas), auto);
    expect(prepared.openDecisions).toContain('which is off: the log lectern_table_writes is still written');
    await apply(off, modelOf(schemas));
    expect(await tableNames(off)).not.toContain('lectern_table_writes');
    expect(await rows(off, 'SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE()')).toEqual([]);
    await run(off, "INSERT INTO notes (title) VALUES ('a')");
    expect(await on.dataVersion()).toBeUndefined();
    expect((await plan(off, modelOf(schemas))).work).toEqual([]);
  });
});
