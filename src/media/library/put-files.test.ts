import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createLocalStorage } from '../storage/local-storage.ts';
import type { Storage } from '../storage/storage.ts';
import { withFilesReplaced } from './put-files.ts';

const dir = mkdtempSync(join(tmpdir(), 'lectern-put-'));
const uploads = join(dir, 'uploads');
const local = createLocalStorage(uploads);
mkdirSync(uploads);
afterAll(() => rmSync(dir, { recursive: true }));

/** Where another process deletes each file just after it was found. */
const deleting: Storage = {
  ...local,
  async open(key) {
    const found = await local.open(key);
    await local.remove([key]);
    return found;
  },
};

async function replaceOn(storage: Storage, work: () => Promise<void>): Promise<unknown> {
  writeFileSync(join(uploads, 'a.txt'), 'old');
  writeFileSync(join(dir, 'sent'), 'new');
  const old = { keys: ['a.txt'], mediaType: 'text/plain', isGone: () => false };
  const puts = [{ key: 'a.txt', path: join(dir, 'sent'), mediaType: 'text/plain' }];
  return withFilesReplaced(puts, old, { storage, folder: dir }, work).catch((error: unknown) => error);
}
const failing = () => Promise.reject(new Error('no row'));

it('a file that is deleted while it is replaced is no failure', async () => {
  expect(await replaceOn(deleting, async () => undefined)).toBeUndefined();
  expect(readFileSync(join(uploads, 'a.txt'), 'utf8')).toBe('new');
});

it('a failure restores the old bytes, or nothing if there are none any more', async () => {
  expect(await replaceOn(local, failing)).toEqual(new Error('no row'));
  expect(readFileSync(join(uploads, 'a.txt'), 'utf8')).toBe('old');
  expect(await replaceOn(deleting, failing)).toEqual(new Error('no row'));
  expect(readdirSync(uploads)).toEqual([]);
});
