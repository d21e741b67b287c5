import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createLocalStorage } from './local-storage.ts';

const memory = '/dev/shm';
const hasOtherDisk = existsSync(memory) && statSync(memory).dev !== statSync(tmpdir()).dev;

describe('a file that is put into the folder', () => {
  const made: string[] = [];
  const folder = (parent: string) => {
    const path = mkdtempSync(join(parent, 'lectern-test-'));
    made.push(path);
    return path;
  };
  afterAll(() => {
    for (const path of made) rmSync(path, { recursive: true, force: true });
  });
  const put = async (from: string) => {
    const uploads = folder(tmpdir());
    const sent = join(folder(from), 'sent');
    writeFileSync(sent, 'new');
    await createLocalStorage(uploads).put('a_0123456789.txt', sent, 'text/plain');
    const files = readdirSync(uploads, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    return files.map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), 'utf8')]);
  };

  it('is there, and nothing else', async () => {
    expect(await put(tmpdir())).toEqual([['a_0123456789.txt', 'new']]);
  });

  it.runIf(hasOtherDisk)('from another disk as well', async () => {
    expect(await put(memory)).toEqual([['a_0123456789.txt', 'new']]);
  });
});
