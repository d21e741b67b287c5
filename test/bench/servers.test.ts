/** `node bench/servers.mjs` from its command line to its figures, as small as it can be: no figure is judged here. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { haproxy } from '../support/haproxy.ts';
import { hasGalera } from '../support/own-mariadb.ts';
import { hasPostgresPrograms } from '../support/own-postgres.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';

const program = fileURLToPath(new URL('../../bench/servers.mjs', import.meta.url));
const folder = useTemporaryFolder();
const databases = [
  ...(engines.includes('postgres') && hasPostgresPrograms ? ['postgres'] : []),
  ...(engines.includes('mariadb') && hasGalera ? ['galera'] : []),
];

interface Report {
  readonly results: readonly { readonly numbers: readonly { readonly servers: number; readonly rounds: readonly Round[] }[] }[];
}
interface Round {
  readonly failed: number;
  readonly perSecond: number;
  readonly database: number;
}

describe.runIf(haproxy !== undefined && databases.length > 0)('node bench/servers.mjs', () => {
  it.each(databases)('%s: measures one and two servers behind HAProxy', { timeout: 240_000 }, async (engine) => {
    const json = join(folder, `${engine}.json`);
    // Without a part of the processor, which only root may set.
    await promisify(execFile)(process.execPath, [
      ...[program, '--engine', engine, '--servers', '1,2', '--share', '0', '--articles', '100', '--only', 'slug'],
      ...['--seconds', '1', '--rounds', '1', '--json', json],
    ]);
    const { results }: Report = JSON.parse(readFileSync(json, 'utf8'));
    const [numbers] = results.map((result) => result.numbers);
    expect(numbers?.map(({ servers }) => servers)).toEqual([1, 2]);
    for (const { failed, perSecond, database } of numbers?.flatMap(({ rounds }) => rounds) ?? []) {
      expect(failed).toBe(0);
      expect(Math.min(perSecond, database)).toBeGreaterThan(0);
    }
  });
});
