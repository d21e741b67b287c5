/** Commands with missing or unusable files: a database without tables, an unreadable file. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { runCommand } from './cli.ts';

const dir = mkdtempSync(join(tmpdir(), 'lectern-test-'));
mkdirSync(join(dir, 'src/api'), { recursive: true });
mkdirSync(join(dir, '.tmp'));
writeFileSync(join(dir, '.tmp/data.db'), '');
const withFolderAsEnv = mkdtempSync(join(tmpdir(), 'lectern-test-'));
mkdirSync(join(withFolderAsEnv, 'src/api'), { recursive: true });
mkdirSync(join(withFolderAsEnv, '.env'));
afterAll(() => {
  for (const folder of [dir, withFolderAsEnv]) rmSync(folder, { recursive: true });
});
afterEach(() => vi.restoreAllMocks());

it.each([
  [['role', 'list', '--dir', dir], `has no tables of Lectern yet: start the server once, or run \`lectern migrate apply --dir ${dir}\``],
  [
    ['permissions', 'export', '--dir', dir],
    `has no tables of Lectern yet: start the server once, or run \`lectern migrate apply --dir ${dir}\``,
  ],
  [['user', 'list', '--dir', dir], `has no tables of Lectern yet: start the server once, or run \`lectern migrate apply --dir ${dir}\``],
  [['token', 'list', '--dir', dir], 'no tables for API tokens; `lectern migrate apply`'],
  [['check', '--dir', withFolderAsEnv], 'Lectern cannot go on: .env cannot be read: EISDIR'],
])('%j', async (args, says) => {
  const texts: string[] = [];
  const keep = (text: string | Uint8Array) => texts.push(String(text)) > 0;
  vi.spyOn(process.stdout, 'write').mockImplementation(keep);
  vi.spyOn(process.stderr, 'write').mockImplementation(keep);
  expect(await runCommand(args)).toBe(1);
  expect(texts.join('')).toContain(says);
});
