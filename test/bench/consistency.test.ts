/** Short forms of the consistency test, on each arrangement whose programs are installed: nothing is lost, twice, in a wrong order or older than
 *  promised; and a fault that is planted is found. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { type EngineName, engines } from '../support/engines.ts';
import { isLong } from '../support/long.ts';
import { hasGalera } from '../support/own-mariadb.ts';
import { hasPostgresPrograms } from '../support/own-postgres.ts';

vi.setConfig({ testTimeout: 600_000 });

const program = fileURLToPath(new URL('../../bench/consistency.mjs', import.meta.url));
const run = (...args: readonly string[]) => promisify(execFile)(process.execPath, [program, ...args]);
const seed = process.env.LECTERN_TEST_CONSISTENCY_SEED ?? '1';

interface Arrangement {
  readonly on: string;
  readonly engine: EngineName;
  readonly isInstalled: boolean;
  readonly plants: readonly string[];
}
const arrangements: readonly Arrangement[] = [
  { on: 'sqlite', engine: 'sqlite', isInstalled: true, plants: [] },
  { on: 'workers', engine: 'postgres', isInstalled: hasPostgresPrograms, plants: ['locks'] },
  { on: 'postgres', engine: 'postgres', isInstalled: hasPostgresPrograms, plants: ['locks', 'position'] },
  { on: 'galera', engine: 'mariadb', isInstalled: hasGalera, plants: ['locks'] },
];
const wanted = arrangements.filter(({ engine }) => engines.includes(engine));
for (const { on, isInstalled } of wanted)
  if (!isInstalled) console.log(` NOT tested: consistency on ${on} (its servers are not installed here)`);

describe.each(wanted.filter(({ isInstalled }) => isInstalled))('on $on', ({ on, plants }) => {
  it('some seconds find nothing', async () => {
    const { stdout } = await run('--on', on, '--seconds', isLong ? '30' : '10', '--seed', seed);
    expect(stdout).toContain('No anomalies found.');
  });

  // Each takes as long as the above.
  it.runIf(isLong).each(plants)('a fault in the %s is found', async (plant) => {
    await expect(run('--on', on, '--seconds', '30', '--seed', seed, '--plant', plant)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\d+ anomalies/),
    });
  });
});

describe('a wrong command line', () => {
  it.each([
    { args: ['--on', 'oracle'], says: '--on must be galera, postgres, workers, sqlite, not oracle' },
    { args: ['--on', 'sqlite', '--kill', '5'], says: '--kill goes with --on galera or postgres' },
    { args: ['--on', 'sqlite', '--plant', 'locks'], says: '--plant locks does not go with --on sqlite' },
    { args: ['--seconds', 'x'], says: '--seconds must be a whole number from 1, not x' },
  ])('$says', async ({ args, says }) => {
    await expect(run(...args)).rejects.toMatchObject({ code: 1, stderr: `${says}\n` });
  });
});
