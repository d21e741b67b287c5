/** `lectern migrate apply` at Ctrl-C: the database server ends the statement as well, and the command says what was done. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { engines, speaksMysql } from '../support/engines.ts';
import { makeProject } from '../support/project.ts';
import { schemaFiles } from '../support/schema-files.ts';
import { run } from '../support/server.ts';
import { runningStatements, startCommand } from '../support/start-command.ts';
import { withDatabase } from '../support/with-database.ts';
import { writeFiles } from '../support/write-files.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const string = { type: 'string' };
const both = (attributes: Readonly<Record<string, typeof string>>) => schemaFiles({ leaf: { attributes }, note: { attributes } });

const servers = engines.filter((engine) => engine !== 'sqlite');
// Without these engines the tests are skipped: a file without any test would fail.
it.runIf(servers.length > 0).each(servers.length > 0 ? servers : ['postgres' as const])('cancels the statement on %s', async (engine) => {
  const isJournaled = speaksMysql(engine);
  const project = await makeProject(engine, both({ title: string, body: string }));
  onTestFinished(() => project.remove());
  const { dir, env } = project;
  expect((await run(['migrate', 'apply', '--dir', dir], env)).status).toBe(0);
  writeFiles(dir, both({ title: string }));
  const args = ['migrate', 'apply', '--allow-destructive', '--dir', dir];
  await withDatabase(project, async (database) => {
    const running = () => runningStatements(database, 'ALTER TABLE');
    // A change of a table waits for the end of a transaction that has read it.
    await database.write(async (connection) => {
      await connection.query('SELECT * FROM notes', []);
      const { output, ended, interrupt } = startCommand(args, env);
      await expect.poll(() => output.stderr).toMatch(/^Step \d+ of \d+: ALTER TABLE "notes" .*;\n$/);
      expect(await running()).toHaveLength(1);
      interrupt();
      expect(await ended).toBe(130);
      expect(output.stderr).toMatch(
        isJournaled
          ? /\nInterrupted: [1-9]\d* of \d+ steps are done\. Run the same command again, which continues from there\.\n$/
          : /\nInterrupted: nothing was changed\.\n$/,
      );
      expect(await running()).toEqual([]);
    });
    const leaf = (await database.tables()).find(({ name }) => name === 'leafs');
    expect(leaf?.columns.has('body')).toBe(!isJournaled);
  });
  expect((await run(args, env)).status).toBe(0);
  expect(await run(['migrate', 'plan', '--dir', dir], env)).toMatchObject({ status: 0 });
});
