/** The log of writes that earlier versions kept in the database (`database.tableVersions`): a start reports it, and `lectern migrate apply` removes it. */
import { describe, expect, it, vi } from 'vitest';
import { changesAsJson, describeMigration } from '../../src/migrations/describe/describe-migration.ts';
import { prepareDatabase } from '../../src/migrations/prepare-database.ts';
import { type EngineName, engines } from '../support/engines.ts';
import { apply, auto, modelOf, plan, rows, run, string, tableNames, useMadeDatabases } from '../support/migrations.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const schemas = { note: { title: string } };
const insert = "INSERT INTO notes (title) VALUES ('a')";

interface Log {
  /** As an earlier version made it, with the triggers of one table. */
  readonly statements: readonly string[];
  readonly removal: RegExp;
}

const logs: Readonly<Partial<Record<EngineName, Log>>> = {
  postgres: {
    statements: [
      'CREATE TABLE "lectern_table_writes" ("xid" xid8 NOT NULL, "table_id" oid NOT NULL, "cleared_before" xid8, PRIMARY KEY ("xid", "table_id"))',
      `INSERT INTO "lectern_table_writes" ("xid", "table_id", "cleared_before") VALUES ('0', 0, '0')`,
      'CREATE FUNCTION "lectern_log_write"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS ' +
        '$$BEGIN INSERT INTO lectern_table_writes (xid, table_id) VALUES (pg_current_xact_id(), TG_RELID) ON CONFLICT DO NOTHING; RETURN NULL; END$$',
      'CREATE TRIGGER "lectern_log_write" AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON notes FOR EACH STATEMENT EXECUTE FUNCTION "lectern_log_write"()',
      'ALTER TABLE notes ENABLE ALWAYS TRIGGER "lectern_log_write"',
    ],
    removal: /DROP FUNCTION .* CASCADE/,
  },
  mariadb: {
    statements: [
      'CREATE TABLE "lectern_table_writes" ("table_name" varchar(64) NOT NULL, "connection" bigint unsigned NOT NULL, "writes" bigint unsigned NOT NULL, "deletes" bigint unsigned NOT NULL, PRIMARY KEY ("table_name", "connection"))',
      `INSERT INTO "lectern_table_writes" VALUES ('', 0, 0, 0)`,
      ...['insert', 'update', 'delete'].map(
        (event) =>
          `CREATE TRIGGER "lectern_log_${event}_0123456789abcdef0123" AFTER ${event} ON "notes" FOR EACH ROW ` +
          `INSERT INTO "lectern_table_writes" VALUES ('notes', CONNECTION_ID(), 1, 0) ON DUPLICATE KEY UPDATE "writes" = "writes" + 1`,
      ),
    ],
    removal: /DROP TRIGGER .*"lectern_log_insert_0123456789abcdef0123"/,
  },
};

describe.each(engines.filter((engine) => logs[engine] !== undefined))('%s: the log of writes of an earlier version', (engine) => {
  const { statements = [], removal = /^$/ } = logs[engine] ?? {};
  const made = useMadeDatabases(engine);

  it('is left and reported by a start, and removed by apply, once, after plan has shown it', async () => {
    const database = await made(schemas, ...statements);
    const prepared = await prepareDatabase(database, modelOf(schemas), auto);
    expect(prepared).toMatchObject({ ok: true, outcome: 'unchanged' });
    expect(prepared.openDecisions).toContain(
      'triggers write the table lectern_table_writes, and nothing clears it. Run `lectern migrate apply`',
    );
    await run(database, insert);
    expect(await rows(database, 'SELECT count(*) FROM lectern_table_writes')).toEqual([[2]]);

    const planned = await plan(database, modelOf(schemas));
    expect(describeMigration(planned, '')).toMatch(removal);
    expect(changesAsJson(planned, '')).toMatchObject({
      nothingToDo: false,
      tableVersions: [{ statements: planned.work.map((each) => `${String(each)};`) }],
    });
    expect((await apply(database, modelOf(schemas))).outcome).toBe('changed');
    expect(await tableNames(database)).not.toContain('lectern_table_writes');
    await run(database, insert);
    expect((await plan(database, modelOf(schemas))).work).toEqual([]);
    expect((await prepareDatabase(database, modelOf(schemas), auto)).openDecisions).toBe('');
  });

  it('is removed together with other changes', async () => {
    const database = await made(schemas, ...statements);
    const next = { page: { title: string } };
    await apply(database, modelOf(next), ['api::note.note=api::page.page']);
    expect(await tableNames(database)).not.toContain('lectern_table_writes');
    await run(database, "INSERT INTO pages (title) VALUES ('a')");
  });

  it('is removed if its table is missing, so that every write fails', async () => {
    const database = await made(schemas, ...statements, 'DROP TABLE lectern_table_writes');
    await expect(run(database, insert)).rejects.toThrow();
    await apply(database, modelOf(schemas));
    await run(database, insert);
  });
});
