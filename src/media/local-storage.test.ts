import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createLocalStorage } from './local-storage.ts';

const dir = mkdtempSync(join(tmpdir(), 'lectern-storage-'));
afterAll(() => rmSync(dir, { recursive: true }));

it('a file is as old as its time in the storage, however long it was on its way', async () => {
  const storage = createLocalStorage(join(dir, 'uploads'));
  const path = join(dir, 'sent');
  writeFileSync(path, 'words');
  utimesSync(path, 1, 1);
  const before = Date.now();
  await storage.put('words.txt', path, 'text/plain');
  const stored = await storage.open('words.txt');
  // A file system may keep whole seconds.
  expect(stored?.modified.getTime()).toBeGreaterThanOrEqual(before - 2000);
});
