/** `lectern check --database`: what it prints about databases that have what Lectern needs, and about others. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { inDisguise } from '../../support/disguised-postgres.ts';
import { createDatabase, engines, speaksMysql } from '../../support/engines.ts';
import { freePort } from '../../support/free-port.ts';
import { hasPostgresPrograms, startOwnPostgres, startReplica } from '../../support/own-postgres.ts';
import { startInProcess } from '../../support/own-process.ts';
import { projectOfTest } from '../../support/project.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { run } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

vi.setConfig({ testTimeout: 60_000 });

const onServers = engines.filter((engine) => engine !== 'sqlite');

/** Outside of any project. */
const check = (url: string) => run(['check', '--dir', temporaryFolder(), '--database', url]);
const linesOf = (stdout: string, state: string) => stdout.split('\n').filter((line) => line.startsWith(`  ${state}`));

async function databaseOfTest(engine: (typeof onServers)[number]): Promise<string> {
  const { url = '', drop } = await createDatabase(engine);
  onTestFinished(drop);
  return url;
}

async function onPostgres(url: string, text: string): Promise<unknown[][]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}
const remains = "SELECT relname FROM pg_class WHERE relname LIKE 'lectern_probe%'";

describe.each(onServers)('lectern check --database on %s', (engine) => {
  it('finds all that Lectern needs', async () => {
    const { status, stdout, stderr } = await check(await databaseOfTest(engine));
    expect({ status, stderr, missing: linesOf(stdout, 'missing') }).toEqual({ status: 0, stderr: '', missing: [] });
    expect(linesOf(stdout, 'works').length).toBeGreaterThan(9);
    expect(stdout).toContain('Lectern can be used with this database');
    expect(stdout).toContain(speaksMysql(engine) ? 'Database:      M' : 'Database:      PostgreSQL');
  });

  it('tries the database of a project before the usual checks', async () => {
    const project = await projectOfTest(engine, schemaFiles({ note: { attributes: { title: { type: 'string' } } } }));
    const { status, stdout } = await run(['check', '--database', '--dir', project.dir], project.env);
    expect(status).toBe(0);
    expect(stdout).toMatch(/Lectern can be used with this database[\s\S]*the start adds what is missing/);
  });

  it('refuses a wrong password without showing it', async () => {
    const url = new URL(await databaseOfTest(engine));
    [url.username, url.password] = ['nobody', 'geheim'];
    const { status, stdout, stderr } = await check(url.href);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Lectern cannot go on: --database: .* Check the user and the password in the URL\.\n$/);
    expect(stderr).not.toContain('geheim');
  });

  it('names the host of a list that it was tried on', async () => {
    const url = new URL(await databaseOfTest(engine));
    const host = url.port === '' ? `${url.host}:${speaksMysql(engine) ? 3306 : 5432}` : url.host;
    const { status, stdout } = await check(url.href.replace(url.host, `127.0.0.1:${await freePort()},${host}`));
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining(`\nNote:          This was tried on ${host}, one of the hosts in the URL.`),
    ]);
  });
});

it.each(['postgres://u:geheim@127.0.0.1:99999/x', 'postgres://u:geheim@h1:5432,postgres://u:geheim@h2:5432/x', 'oracle://u:geheim@h/x'])(
  'a URL that cannot be read is refused without showing it: %s',
  async (url) => {
    const { status, stdout, stderr } = await check(url);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/argument is invalid\. Name a database: .*; one URL lists several hosts: /);
    expect(stderr).not.toContain('geheim');
  },
);

describe.runIf(engines.includes('postgres'))('an engine that speaks the protocol of PostgreSQL', () => {
  const disguised = async (...functions: readonly (keyof typeof inDisguise)[]) => {
    const url = await databaseOfTest('postgres');
    for (const each of functions) await inDisguise[each](url);
    const { status, stdout } = await check(url);
    expect(await onPostgres(url, remains)).toEqual([]);
    return { status, stdout, missing: linesOf(stdout, 'missing'), less: linesOf(stdout, 'falls back') };
  };

  it('whose locks exclude nobody cannot be used', async () => {
    const { status, stdout, missing } = await disguised('version', 'pg_advisory_xact_lock');
    expect([status, missing.length]).toEqual([1, 1]);
    expect(stdout).toContain('Database:      CockroachDB CCL v23.1.11\n');
    expect(missing[0]).toContain('(pg_advisory_xact_lock): a second connection does not wait for the first one. Writes are not safe');
    expect(stdout).toContain('Lectern cannot be used with this database: 1 thing is missing.');
  });

  it('without a function for reads is named with the function', async () => {
    const { status, missing } = await disguised('starts_with');
    expect([status, missing.length]).toEqual([1, 1]);
    expect(missing[0]).toContain('starts_with: function starts_with(text, text) does not exist. Reads that use them fail');
  });

  it('whose snapshots are not reliable can be used, without versions of the data', async () => {
    for (const [name, reason] of [
      ['version', 'it is not known as PostgreSQL'],
      ['pg_current_snapshot', 'function pg_current_snapshot() does not exist'],
      ['constant_snapshot', 'a snapshot does not show what another connection has committed'],
    ] as const) {
      const { status, less } = await disguised(name);
      expect(status).toBe(0);
      expect(less.join('\n')).toContain(`: ${reason}. Nothing is cached by the version of the data`);
    }
  });

  it('leaves nothing behind after SIGTERM', async () => {
    const url = await databaseOfTest('postgres');
    const own = startInProcess(['check', '--database', url, '--dir', temporaryFolder()], { PATH: process.env.PATH ?? '' });
    await vi.waitUntil(async () => (await onPostgres(url, remains)).length > 0, { timeout: 20_000, interval: 20 });
    own.terminate();
    expect(await own.ended).toBe(130);
    expect(own.output.stderr).toBe('Interrupted: what was created for the trials is removed.\n');
    expect(await onPostgres(url, remains)).toEqual([]);
  });

  it('says which right a user lacks, and tries nothing', async () => {
    const url = new URL(await databaseOfTest('postgres'));
    const role = `reader_${url.pathname.slice(1)}`;
    await onPostgres(url.href, `CREATE ROLE ${role} LOGIN; REVOKE CREATE ON SCHEMA public FROM public`);
    onTestFinished(async () => void (await onPostgres(process.env.LECTERN_TEST_POSTGRES_URL ?? url.href, `DROP ROLE ${role}`)));
    url.username = role;
    const { status, stderr } = await check(url.href);
    expect(status).toBe(1);
    expect(stderr).toContain('--database: The user may not create tables');
    expect(stderr).toContain('permission denied for schema public');
  });

  it.runIf(hasPostgresPrograms)('that is a standby is named as such', async () => {
    const primary = await startOwnPostgres();
    onTestFinished(() => primary.remove());
    const standby = await startReplica(primary);
    onTestFinished(() => standby.remove());
    const { status, stderr } = await check(standby.url);
    expect(status).toBe(1);
    expect(stderr).toContain('The server is a standby, which cannot be written to');
    expect((await check(`${standby.url}?target_session_attrs=primary`)).stderr).toBe(
      `Lectern cannot go on: --database: No host in the URL can be used: ${new URL(standby.url).host}: it cannot be written to, since it is a standby or read-only\n`,
    );
  });
});

describe('a SQLite file', () => {
  it('is tried where it is, and is not changed', async () => {
    const project = await projectOfTest('sqlite', schemaFiles({ note: { attributes: { title: { type: 'string' } } } }));
    await run(['migrate', 'apply', '--dir', project.dir], project.env);
    const { status, stdout } = await check(project.file);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(/^Database: {6}SQLite \d[\s\S]*Lectern can be used with this database\.\n$/),
    ]);
    expect((await run(['check', '--dir', project.dir], project.env)).stdout).toContain('nothing is missing');
  });

  it('that is no database, or does not exist, is refused', async () => {
    const dir = temporaryFolder();
    const file = join(dir, 'x.db');
    expect((await check(file)).stderr).toContain(`There is no file ${file}`);
    writeFileSync(file, 'no database'.repeat(1000));
    const { status, stderr } = await check(file);
    expect([status, stderr]).toEqual([1, expect.stringContaining('file is not a database')]);
  });
});
