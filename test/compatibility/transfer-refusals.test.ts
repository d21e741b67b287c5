/** `lectern transfer`: what it refuses so that no rows are lost or published, and what others refuse until it has finished. */
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databaseOfUrl } from '../../src/cli/transfer/database-of-url.ts';
import type { Connection } from '../../src/dialects/database.ts';
import { openDatabase } from '../../src/dialects/open-database.ts';
import { Driver as BetterSqlite3 } from '../../src/dialects/sqlite-driver.ts';
import { loadModel } from '../../src/model/load/load-model.ts';
import { TransferStopped } from '../../src/transfer/transfer.ts';
import { createDatabase, engines, type TestDatabase } from '../support/engines.ts';
import { asAdministrator } from '../support/postgres-server.ts';
import { makeProject, type Project } from '../support/project.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { run, runProcess } from '../support/server.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';
import { transferBetween } from '../support/transfer.ts';

const folder = useTemporaryFolder();
let project: Project;
let from: string;
beforeAll(async () => {
  project = await makeProject('sqlite', schemaFiles({ note: { drafts: true, attributes: { text: { type: 'text' } } } }));
  from = project.file;
  const { status, stderr } = await run(['migrate', 'apply', '--dir', project.dir], project.env);
  if (status !== 0) throw new Error(stderr);
  const source = new BetterSqlite3(from);
  const insert = source.prepare('INSERT INTO notes (document_id, text) VALUES (?, ?)');
  source.transaction(() => {
    for (let index = 0; index < 3000; index++) insert.run(`note${index}`, `${index} `.repeat(40));
  })();
  source.close();
});
afterAll(() => project?.remove());

describe.each(engines)('%s: an unfinished transfer', (engine) => {
  let database: TestDatabase;
  let to: string;
  let number = 0;
  beforeEach(async () => {
    database = await createDatabase(engine);
    to = database.url ?? join(folder, `${number++}.db`);
    return database.drop;
  });

  const environment = () => ({ ...project.env, ...database.env, ...(engine === 'sqlite' ? { DATABASE_FILENAME: to } : {}) });
  const command = (...args: readonly string[]) => run(['transfer', '--from', from, '--to', to, '--dir', project.dir, ...args], project.env);

  /** Runs statements on the target, beside the transfer. */
  async function onTarget<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const config = databaseOfUrl(to);
    if (config === undefined) throw new Error('no such engine');
    const opened = await openDatabase(config, { create: false, statementTime: 0 });
    try {
      return await opened.maintain(work);
    } finally {
      await opened.close();
    }
  }
  const statement = (text: string) => onTarget(async (connection) => connection.query(text, []));

  /** Runs a transfer, and `beside` when the step begins; the transfer goes on after it. */
  function during(step: string, beside: () => Promise<unknown>, more: { readonly restart?: boolean } = {}) {
    let running: Promise<unknown> | undefined;
    const begin = (name: string) => {
      if (name === step) running ??= beside();
    };
    const isStopped = async () => {
      await running;
      return false;
    };
    return transferBetween(from, to, { progress: { step: begin, advance: () => undefined, stop: () => undefined }, isStopped, ...more });
  }
  async function interrupt(): Promise<void> {
    let [isCopying, copied] = [false, 0];
    const progress = {
      step: (name: string) => {
        isCopying = name === 'Copying rows';
      },
      advance: (by: number) => {
        if (isCopying) copied += by;
      },
      stop: () => undefined,
    };
    // Like the command, which continues it: the content types tell which column of SQLite is a boolean or a time.
    const loaded = loadModel(project.dir, { customFields: {}, asStrapi: false });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
    await expect(transferBetween(from, to, { model: loaded.model, progress, isStopped: () => copied > 1500 })).rejects.toThrow(
      TransferStopped,
    );
  }

  it('lets no other one begin', async () => {
    let second: Awaited<ReturnType<typeof command>> | undefined;
    await during('Copying rows', async () => {
      second = await command('--restart');
    });
    expect(second).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--to: another `lectern transfer` into this database is running.'),
    });
    expect(await statement('SELECT count(*) FROM notes')).toEqual([[expect.anything()]]);
    expect(await command('--restart')).toMatchObject({ status: 1, stderr: expect.stringContaining('not empty') });
    if (engine === 'sqlite') expect(readdirSync(dirname(to)).filter((name) => name.endsWith('-transfer'))).toEqual([]);
  });

  it('ends if its lock is lost, and can be continued', async () => {
    const takeLock = async () => {
      if (engine === 'sqlite') rmSync(`${to}-transfer`);
      else if (engine === 'postgres')
        await statement(
          "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 2 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        );
      else
        await onTarget(async (connection) => {
          const [row] = await connection.query("SELECT IS_USED_LOCK(CONCAT('lectern.transfer.', SHA1(DATABASE())))", []);
          await connection.query(`KILL ${Number(row?.[0])}`, []);
        });
    };
    await expect(during('Copying rows', takeLock)).rejects.toThrow(/^--to: the lock on this database is lost/);
    expect(await transferBetween(from, to)).toMatchObject({ rows: expect.any(Number) });
  });

  it('drops nothing that was completed in the meantime', async () => {
    await interrupt();
    const complete = () => statement('DROP TABLE lectern_transfer');
    await expect(during('Checking rows', complete, { restart: true })).rejects.toThrow(/not empty/);
    expect(await statement('SELECT count(*) FROM notes')).toHaveLength(1);
  });

  it('writes nothing beside what others have created while the source was read', async () => {
    await expect(during('Checking rows', () => statement('CREATE TABLE other (id integer)'))).rejects.toThrow(/not empty: it has 1 table/);
    await expect(statement('SELECT 1 FROM lectern_transfer')).rejects.toThrow();
  });

  it('is no database for `start`, `check`, `migrate` and another transfer', async () => {
    await interrupt();
    const says = 'A transfer into this database is not finished: it has the table lectern_transfer.';
    for (const name of ['start', 'check', 'migrate apply', 'locale list', 'token list']) {
      const { status, stderr } = await run([...name.split(' '), '--dir', project.dir], environment());
      expect({ name, status, stderr }).toEqual({ name, status: 1, stderr: expect.stringContaining(says) });
    }
    await expect(transferBetween(to, join(folder, 'copy.db'))).rejects.toThrow(says);
    expect(await command()).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/Created \d+ indexes of Lectern that the source has/),
      stderr: 'Checking rows\nCopying rows\nCreating indexes\nComparing rows\n',
    });
    if (engine === 'postgres') {
      // In the form that they have there.
      const [[form] = []] = await statement("SELECT indexdef FROM pg_indexes WHERE indexname = 'lectern_notes_published'");
      expect(form).toContain('WHERE (published_at IS NOT NULL)');
    }
    expect(await run(['check', '--dir', project.dir], environment())).toMatchObject({ status: 0 });
  });

  it('finds rows that the source has changed since, and begins anew when asked to', async () => {
    await interrupt();
    const source = new BetterSqlite3(from);
    source.exec("UPDATE notes SET text = text || '!' WHERE id = 1");
    source.close();
    expect(await command()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/notes: its checksum differs[\s\S]*--restart/),
    });
    expect(await command('--restart')).toMatchObject({ status: 0 });
  });

  it('says what to do about rows that it did not write', async () => {
    await interrupt();
    await statement('INSERT INTO up_roles (id) VALUES (1)');
    const { status, stderr } = await command();
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/--to: .*row .*run the same command with --restart/) });
    expect(await command('--restart')).toMatchObject({ status: 0 });
  });

  if (engine === 'sqlite') {
    it('continues after the disk was full', async () => {
      const full = await runProcess(['transfer', '--from', from, '--to', to, '--dir', project.dir], project.env, [
        '/bin/sh',
        '-c',
        'ulimit -f 1600; exec "$0" "$@"',
      ]);
      expect(full).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(/--to: \w+, .*\. Once there is space, run the same command again: it continues\./),
      });
      expect(await command()).toMatchObject({ status: 0 });
    });

    it('is not carried out below the public folder', async () => {
      const uploads = join(project.dir, 'public/uploads');
      mkdirSync(uploads, { recursive: true });
      const link = join(folder, 'link');
      symlinkSync(uploads, link);
      for (const file of [join(uploads, 'x.db'), join(project.dir, 'public/x.db'), join(link, 'x.db')]) {
        to = file;
        expect(await command()).toMatchObject({ status: 1, stderr: expect.stringContaining('is served publicly; name another folder.') });
        expect(existsSync(file)).toBe(false);
      }
    });
  }

  if (engine === 'postgres') {
    it('names --to if the user lacks a right', async () => {
      const role = new URL(to).pathname.slice(1);
      await asAdministrator(async (client) => void (await client.query(`CREATE ROLE "${role}" LOGIN`)));
      try {
        const url = new URL(to);
        url.username = role;
        to = url.href;
        const { status, stderr } = await command();
        expect({ status, stderr }).toEqual({
          status: 1,
          stderr: expect.stringContaining(
            '--to: The database cannot be used: permission denied for schema public. Grant the right to the user in the URL.',
          ),
        });
      } finally {
        await asAdministrator(async (client) => void (await client.query(`DROP ROLE "${role}"`)));
      }
    });
  }
});
