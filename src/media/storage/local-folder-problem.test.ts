import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { localFolderProblem } from './local-folder-problem.ts';

const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'));
const file = join(folder, 'file');
writeFileSync(file, '');
afterAll(() => rmSync(folder, { recursive: true }));

it('accepts a folder, and one that can be created', async () => {
  for (const use of ['reading', 'writing'] as const) {
    expect(await localFolderProblem(folder, use)).toBeUndefined();
    expect(await localFolderProblem(join(folder, 'not/there/yet'), use)).toBeUndefined();
  }
});

it('reports a file where the folder should be, or above it', async () => {
  expect(await localFolderProblem(file, 'reading')).toBe(`${file} is no folder`);
  expect(await localFolderProblem(join(file, 'below'), 'writing')).toBe(`This process cannot write to the folder ${file}/below (ENOTDIR)`);
});

// Nothing is forbidden to root.
it.runIf(process.getuid?.() !== 0)('reports a folder that is not writable, if it has to be', async () => {
  chmodSync(folder, 0o500);
  expect(await localFolderProblem(folder, 'reading')).toBeUndefined();
  expect(await localFolderProblem(join(folder, 'not/there/yet'), 'writing')).toBe(
    `This process cannot write to the folder ${folder} (EACCES)`,
  );
  chmodSync(folder, 0o700);
});
