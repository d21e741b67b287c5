/** `npm run bench` from its command line to its figures, as small as it can be: no figure is judged here. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { postgresUrl } from '../support/postgres-server.ts';

interface Round {
  readonly responses: number;
  readonly failed: number;
}

interface Report {
  readonly runs: readonly {
    readonly results: readonly {
      readonly name: string;
      readonly sides: readonly { readonly server: string; readonly rounds: readonly Round[] }[];
    }[];
    readonly written: { readonly commits: number };
  }[];
}

const program = fileURLToPath(new URL('../../bench/run.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'lectern-test-bench-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bench = (...args: readonly string[]) => promisify(execFile)(process.execPath, [program, ...args]);

function measures(engine: 'sqlite' | 'postgres'): void {
  it('measures rows of a database that Strapi made, in turns with other servers, while somebody writes', async () => {
    const json = join(folder, `${engine}.json`);
    const rows = ['one document, populate=*', 'slug, another each time, 2 populated paths'];
    const { stdout } = await bench(
      ...['--engine', engine, '--postgres', postgresUrl, '--database', 'strapi', '--articles', '100', '--writes', '20'],
      ...['--seconds', '1', '--rounds', '1', '--json', json, ...rows.flatMap((row) => ['--only', row])],
    );
    const { runs }: Report = JSON.parse(readFileSync(json, 'utf8'));
    expect(runs).toHaveLength(1);
    const [run] = runs;
    expect(run?.results.map(({ name }) => name)).toEqual(rows);
    for (const { name, sides } of run?.results ?? []) {
      expect(sides.map(({ server }) => server)).toEqual(['lectern', 'without writes', 'bare Fastify']);
      for (const { rounds } of sides) expect(rounds).toEqual([expect.objectContaining({ failed: 0 })]);
      for (const { rounds } of sides) expect(rounds[0]?.responses).toBeGreaterThan(0);
      expect(stdout).toContain(`| ${name} `);
    }
    expect(run?.written.commits).toBeGreaterThan(0);
  });
}

describe.runIf(engines.includes('sqlite'))('sqlite: npm run bench', () => measures('sqlite'));
describe.runIf(engines.includes('postgres'))('postgres: npm run bench', () => measures('postgres'));

describe('npm run bench', () => {
  it.each([
    { it: 'an engine that it does not know', args: ['--engine', 'mysql'], says: '--engine must be sqlite or postgres, not mysql' },
    { it: 'a file without its schemas', args: ['--database', 'site.db'], says: '--database must be own, strapi, or a file with --dir' },
    { it: 'names for a content that it makes itself', args: ['--sort', 'title'], says: '--sort goes with --database FILE' },
    {
      it: 'writes beside another server, whose database it does not write to',
      args: ['--writes', '20', '--against', 'http://127.0.0.1:1'],
      says: '--writes cannot go with --against: the database of the other server is not written to',
    },
    {
      it: 'choices that --all makes itself',
      args: ['--all', '--cache', 'off'],
      says: '--all chooses --indexes, --cache, --consistency and --writes itself',
    },
  ])('refuses $it', async ({ args, says }) => {
    await expect(bench(...args)).rejects.toMatchObject({ code: 1, stderr: `${says}\n` });
  });
});
