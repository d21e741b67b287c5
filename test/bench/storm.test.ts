/** Short forms of the soak and the storm, on every engine: no error, nothing that was acknowledged is lost, nothing is half-written. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { type EngineName, engines } from '../support/engines.ts';
import { hasMariadbPrograms } from '../support/own-mariadb.ts';
import { hasPostgresPrograms } from '../support/own-postgres.ts';

vi.setConfig({ testTimeout: 300_000 });

const seed = process.env.LECTERN_TEST_STORM_SEED ?? '1';
const run = (name: string, ...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [fileURLToPath(new URL(`../../bench/${name}.mjs`, import.meta.url)), ...args]);

/** Both start a database server of their own. */
const hasPrograms: Readonly<Record<EngineName, boolean>> = {
  sqlite: true,
  postgres: hasPostgresPrograms,
  mariadb: hasMariadbPrograms,
  mysql: false,
};
for (const engine of engines) if (!hasPrograms[engine]) console.log(` NOT tested: a storm on ${engine} (its server is not installed here)`);

describe.each(engines.filter((engine) => hasPrograms[engine]))('%s', (engine) => {
  const small = ['--engine', engine, '--seed', seed, '--connections', '16', '--documents', '30'];

  it('a soak of two seconds finds no problem', async () => {
    // On a busy machine a request may wait too long in a queue.
    const { stdout } = await run('soak', ...small, '--seconds', '2', '--writes', '20', '--allow-busy');
    expect(stdout).toContain('No problems found.');
    expect(Number(/writes: ([\d,]+) acknowledged/.exec(stdout)?.[1]?.replaceAll(',', ''))).toBeGreaterThan(0);
  });

  it('a minute of writes under search shows no missing and no stale entry', async () => {
    const { stdout } = await run('soak', ...small, '--seconds', '60', '--writes', '40', '--search', '--allow-busy');
    expect(stdout).toContain('No problems found.');
    expect(Number(/searches: ([\d,]+)/.exec(stdout)?.[1]?.replaceAll(',', ''))).toBeGreaterThan(0);
  });

  it('a storm of six seconds loses nothing', async () => {
    const { stdout } = await run('storm', ...small, '--seconds', '6');
    expect(stdout).toContain('No problems found.');
    expect(stdout).toMatch(/faults: .+ \(\d\)/);
    expect(stdout).toMatch(/\d+ documents published at their time, \d+ former versions, \d+ searches/);
  });
});

describe('a wrong command line', () => {
  it.each([
    { name: 'soak', args: ['--engine', 'oracle'], says: '--engine must be sqlite, postgres or mariadb, not oracle' },
    { name: 'storm', args: ['--workers', '2'], says: '--workers needs --engine postgres' },
  ])('$says', async ({ name, args, says }) => {
    await expect(run(name, ...args)).rejects.toMatchObject({ code: 1, stderr: `${says}\n` });
  });
});
