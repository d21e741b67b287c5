import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { lecternCommand } from './lectern-command.ts';

it.each([
  [undefined, ''],
  ['.', ''],
  [process.cwd(), ''],
  ['site', ' --dir site'],
  [resolve('sites/one'), ' --dir sites/one'],
  ['../site', ' --dir ../site'],
  [join('/', 'srv', 'site'), ' --dir /srv/site'],
  ["my editor's site", " --dir 'my editor'\\''s site'"],
])('a command for the project in %j ends with "%s"', (dir, end) => {
  expect(lecternCommand('migrate plan', dir)).toBe(`lectern migrate plan${end}`);
});

const made = mkdtempSync(join(tmpdir(), 'lectern-command-'));
afterAll(() => rmSync(made, { recursive: true }));
const bin = join(made, 'bin');
const ofPackages = join(made, 'site/node_modules/.bin');
for (const folder of [bin, ofPackages]) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'lectern'), '');
}

it.each([
  ['lectern', 'in a folder of the PATH', [made, bin], undefined],
  ['lectern', 'in node_modules/.bin, which the shell searches', [ofPackages], undefined],
  ['npx lectern', 'nowhere on the PATH', [made], undefined],
  ['npx lectern', 'in node_modules/.bin, which npm adds to the PATH', [ofPackages, made], 'npm/10.8.2'],
  ['lectern', 'there, and in another folder', [ofPackages, bin], 'npm/10.8.2'],
])('the command is `%s` if the program is %s', (command, _, folders, packageManager) => {
  vi.stubEnv('PATH', folders.join(delimiter));
  vi.stubEnv('npm_config_user_agent', packageManager);
  try {
    expect(lecternCommand('check')).toBe(`${command} check`);
  } finally {
    vi.unstubAllEnvs();
  }
});
