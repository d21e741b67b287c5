import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
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
