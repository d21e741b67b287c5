/** `npm run bench` from its command line to its figures, as small as it can be: no figure is judged here. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { engines } from '../support/engines.ts';
import { isLong } from '../support/long.ts';
import { postgresUrl } from '../support/postgres-server.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';

// A run has several processes, which all take longer on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

interface Round {
  readonly responses: number;
  readonly failed: number;
}

interface Side {
  readonly server: string;
  readonly rounds: readonly Round[];
  readonly writes?: { readonly written: number; readonly failed: number };
}

interface Report {
  readonly runs: readonly {
    readonly results: readonly { readonly name: string; readonly label: string; readonly sides: readonly Side[] }[];
  }[];
}

const program = fileURLToPath(new URL('../../bench/run.mjs', import.meta.url));
const folder = useTemporaryFolder();

const { readOptions } = await import(new URL('../../bench/options.mjs', import.meta.url).href);
const run = (file: string, ...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [fileURLToPath(new URL(`../../bench/${file}`, import.meta.url)), ...args]);

const rows = {
  sqlite: { row: 'mixed traffic, 20 writes/s', label: 'mixed traffic, 20 writes/s', servers: ['lectern'] },
  postgres: {
    row: 'one document, populate=*',
    label: 'one document, populate=* (equal requests, cached)',
    servers: ['lectern', 'bare Fastify'],
  },
};

// A run loads its servers for seconds; the other servers and the database of the second one are tested by a long run.
const measured = (['sqlite', 'postgres'] as const).filter((engine) => engines.includes(engine)).slice(0, isLong ? 2 : 1);

describe.each(measured)('%s: npm run bench', (engine) => {
  it('measures a row of a database that Strapi made, in turns with another server or beside writes', async () => {
    const json = join(folder, `${engine}.json`);
    const { row, label, servers } = rows[engine];
    const { stdout } = await run(
      ...['run.mjs', '--engine', engine, '--postgres', postgresUrl(), '--database', 'strapi', '--articles', '100', '--writes', '20'],
      ...['--seconds', '1', '--rounds', '1', '--json', json, '--only', row],
    );
    const { runs }: Report = JSON.parse(readFileSync(json, 'utf8'));
    expect(runs).toEqual([expect.objectContaining({ results: [expect.objectContaining({ name: row, label })] })]);
    expect(stdout).toContain(`| ${label} `);
    const sides = runs[0]?.results[0]?.sides ?? [];
    expect(sides.map(({ server }) => server)).toEqual(servers);
    for (const { rounds } of sides) {
      expect(rounds).toEqual([expect.objectContaining({ failed: 0 })]);
      expect(rounds[0]?.responses).toBeGreaterThan(0);
    }
    if (engine === 'postgres') return;
    expect(sides[0]?.writes?.failed).toBe(0);
    expect(sides[0]?.writes?.written).toBeGreaterThan(10);
  });
});

describe('npm run bench', () => {
  it.each([
    { it: 'an engine that it does not know', args: ['--engine', 'mysql'], says: '--engine must be sqlite or postgres, not mysql' },
    { it: 'a file without its schemas', args: ['--database', 'site.db'], says: '--database must be own, strapi, or a file with --dir' },
    { it: 'names for a content that it makes itself', args: ['--sort', 'title'], says: '--sort goes with --database FILE' },
    {
      it: 'writes to a database that it does not know',
      args: ['--database', program, '--dir', folder, '--writes', '20'],
      says: '--writes goes with a database that the benchmark makes: own or strapi',
    },
    {
      it: 'choices that --all makes itself',
      args: ['--all', '--cache', 'off'],
      says: '--all chooses --indexes, --cache and --consistency itself',
    },
  ])('refuses $it', ({ args, says }) => expect(() => readOptions(args)).toThrow(says));
});

describe('node bench/figures.mjs', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const measured = (label: string, own: number, other: number) => ({
    label,
    sides: [
      { server: 'lectern', rounds: [{ perSecond: own, p99: 4.5, processor: 0.25 }] },
      { server: 'Strapi', rounds: [{ perSecond: other, p99: 90, processor: 20 }] },
    ],
  });
  const saved = (name: string, results: readonly object[]) => {
    const file = join(folder, name);
    const about = {
      date: '2026-01-02',
      node: '20.0.0',
      processors: 2,
      model: 'Some',
      command: '--against http://127.0.0.1:1 --indexes --against-name Strapi --json /tmp/x.json',
      postgres: '15.1',
    };
    writeFileSync(file, JSON.stringify({ ...about, runs: [{ against: 'Strapi', results }] }));
    return file;
  };

  it('replaces the tables of both pages', async () => {
    mkdirSync(join(folder, 'docs'));
    const pages = ['README.md', 'docs/performance.md'];
    for (const page of pages) cpSync(join(root, page), join(folder, page));
    const files = [
      saved('one.json', [measured('mixed traffic', 3000, 50), measured('only here', 90, 10), measured('x (equal requests, cached)', 9, 3)]),
      saved('two.json', [measured('mixed traffic', 1800, 60)]),
    ];
    await run('figures.mjs', ...files, '--dir', folder);
    const [readme = '', performance = ''] = pages.map((page) => readFileSync(join(folder, page), 'utf8').replaceAll(/ {2,}/g, ' '));
    expect(readme).toContain('| mixed traffic | 3000 | 50 | 60.0 | 1800 | 60 | 30.0 |');
    expect(readme).toContain('answers 30 to 60 times as many reads a second');
    expect(performance).toContain('| mixed traffic | 3000 | 4.50 | 0.25 | 50 | 60.0 | 80.0 |');
    expect(performance).toContain('| only here |');
    expect(performance).toContain('`npm run bench -- --indexes --against URL`');
    for (const page of [readme, performance]) {
      expect(page).toContain('Measured on 2026-01-02: 2 × Some');
      expect(page).not.toContain('list of 25 (');
      expect(page.match(/<!-- \/?figures -->/g)).toEqual(['<!-- figures -->', '<!-- /figures -->']);
    }
  });

  it('refuses a run without another server', async () => {
    const alone = { ...measured('mixed traffic', 3000, 50) };
    const file = saved('alone.json', [{ ...alone, sides: alone.sides.slice(0, 1) }]);
    await expect(run('figures.mjs', file, file)).rejects.toMatchObject({
      code: 1,
      stderr: `${file}: mixed traffic was measured without another server (--against)\n`,
    });
  });
});
