import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { foundFiles } from './list-folder.ts';

it('continues after a folder that cannot be read, and reports it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-test-'));
  for (const relativePath of ['b/c', 'd']) mkdirSync(join(folder, relativePath), { recursive: true });
  for (const relativePath of ['a.txt', 'b/c/e.txt', 'd/f.txt']) writeFileSync(join(folder, relativePath), relativePath);
  const unreadable: string[] = [];
  const found: string[] = [];
  for await (const { relativePath } of foundFiles(folder, (each) => unreadable.push(each))) {
    found.push(relativePath);
    // For root, no folder is unreadable; one that is gone meanwhile is, for everybody.
    rmSync(join(folder, 'b'), { recursive: true, force: true });
  }
  expect({ found, unreadable }).toEqual({ found: ['a.txt', 'd/f.txt'], unreadable: ['b'] });
  rmSync(folder, { recursive: true });
});
