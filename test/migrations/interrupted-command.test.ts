/** `lectern migrate apply` at Ctrl-C: the database server ends the statement as well, and the command says what was done. */
import { spawn } from 'node:child_process';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { openDatabase } from '../../src/dialects/open-database.ts';
import { engines, speaksMysql } from '../support/engines.ts';
import { makeProject } from '../support/project.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { command, run } from '../support/server.ts';
import { writeFiles } from '../support/write-files.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const string = { type: 'string' };

const servers = engines.filter((engine) => engine !== 'sqlite');
// Without these engines the tests are skipped: a file without any test would fail.
it.runIf(servers.length > 0).each(servers.length > 0 ? servers : ['postgres' as const])('cancels the statement on %s', async (engine) => {
  const isJournaled = speaksMysql(engine);
  const project = await makeProject(
    engine,
    schemaFiles({ leaf: { attributes: { title: string, body: string } }, note: { attributes: { title: string, body: string } } }),
  );
  onTestFinished(() => project.remove());
  const { dir, env } = project;
  expect((await run(['migrate', 'apply', '--dir', dir], env)).status).toBe(0);
  writeFiles(dir, schemaFiles({ leaf: { attributes: { title: string } }, note: { attributes: { title: string } } }));

  const loaded = loadConfig({ dir, environment: env, overrides: {} });
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  const database = await openDatabase(loaded.config.database, { create: false, statementTime: 0 });
  onTestFinished(() => database.close());
  const running = () =>
    database.readAtOnce((connection) =>
      connection.query(
        isJournaled
          ? "SELECT INFO FROM information_schema.PROCESSLIST WHERE DB = DATABASE() AND INFO LIKE 'ALTER TABLE%'"
          : "SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE 'ALTER TABLE%'",
        [],
      ),
    );
  const args = ['migrate', 'apply', '--allow-destructive', '--dir', dir];
  // A change of a table waits for the end of a transaction that has read it.
  await database.write(async (connection) => {
    await connection.query('SELECT * FROM notes', []);
    const child = spawn(process.execPath, [command, ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += String(text);
    });
    const ended = new Promise<number | null>((done) => child.on('close', done));
    await expect.poll(() => stderr, { timeout: 20_000 }).toMatch(/^Step \d+ of \d+: ALTER TABLE "notes" .*;\n$/);
    expect(await running()).toHaveLength(1);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(stderr).toMatch(
      isJournaled
        ? /\nInterrupted: [1-9]\d* of \d+ steps are done\. Run the same command again, which continues from there\.\n$/
        : /\nInterrupted: nothing was changed\.\n$/,
    );
    expect(await running()).toEqual([]);
  });
  const leaf = (await database.tables()).find(({ name }) => name === 'leafs');
  expect(leaf?.columns.has('body')).toBe(!isJournaled);

  expect((await run(args, env)).status).toBe(0);
  expect(await run(['migrate', 'plan', '--dir', dir], env)).toMatchObject({ status: 0 });
});
