/** The triggers of `database.tableVersions`: who adds them, and who removes them. */
import { describe, expect, it, vi } from 'vitest';
import { changesAsJson, describeMigration } from '../../src/migrations/describe/describe-migration.ts';
import { prepareDatabase } from '../../src/migrations/prepare-database.ts';
import { engines } from '../support/engines.ts';
import { apply, auto, modelOf, plan, rows, run, string, tableNames, toMany, useMadeDatabases } from '../support/migrations.ts';

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
