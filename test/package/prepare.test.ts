/** The messages of commands that run in a checkout before `npm ci`. */
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { root } from '../support/packed.ts';
import { useTemporaryFolder } from '../support/temporary-folder.ts';

const folder = useTemporaryFolder();
beforeAll(() => {
  for (const part of ['build', 'bin', 'package.json']) cpSync(join(root, part), join(folder, part), { recursive: true });
});

const run = (args: readonly string[], command: string) => {
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, npm_command: command },
    encoding: 'utf8',
  });
  return { status, stderr };
};

it.each([
  ['the build', ['build/prepare.mjs'], 'ci', 1],
  ['npm run demo', ['build/prepare.mjs', '--missing'], 'run-script', 1],
  // A failure would leave a cache that makes later calls of npx fail.
  ['the build for npx', ['build/prepare.mjs'], 'exec', 0],
  ['npx lectern', ['bin/lectern.js', 'demo'], 'exec', 1],
])('%s asks for npm ci in a checkout without packages', (_, args, command, status) => {
  expect(run(args, command)).toMatchObject({ status, stderr: expect.stringMatching(/^[^\n]*run `npm ci` in[^\n]*\n$/) });
});
