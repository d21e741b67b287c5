/** The last steps of a restore: what another process does meanwhile is not overwritten. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { findSame, putInPlace } from './put-in-place.ts';

/** Does `work` in the pass of the event loop in which `path` is absent, as a process may. */
function whenAbsent(path: string, work: () => void): void {
  if (existsSync(path)) setImmediate(() => whenAbsent(path, work));
  else work();
}

describe('putInPlace', () => {
  it('overwrites no database that is created meanwhile, and keeps the former one', async () => {
    const dir = temporaryFolder();
    const [from, to] = [join(dir, 'new'), join(dir, 'data.db')];
    writeFileSync(from, 'restored');
    writeFileSync(to, 'former');
    writeFileSync(`${to}-wal`, 'log');
    whenAbsent(to, () => writeFileSync(to, 'of another'));
    const uploads = { from: dir, to: dir, paths: [] };
    const former = `${to}.before-2026-11-22T231405`;
    await expect(
      putInPlace({ database: { from, to }, uploads, same: new Set(), now: new Date('2026-11-22T23:14:05Z') }),
    ).rejects.toMatchObject({ problems: [expect.stringContaining(`The former database is ${former}.`)] });
    expect([readFileSync(to, 'utf8'), readFileSync(former, 'utf8'), existsSync(`${to}-wal`)]).toEqual(['of another', 'former', false]);
  });
});

describe('findSame', () => {
  it('finds files with the same bytes, and ends with its signal', async () => {
    const [from, to] = [join(temporaryFolder(), 'a'), join(temporaryFolder(), 'b')];
    for (const [folder, text] of [
      [from, 'one'],
      [to, 'two'],
    ] as const) {
      mkdirSync(folder);
      writeFileSync(join(folder, 'same'), 'same');
      writeFileSync(join(folder, 'other'), text);
    }
    writeFileSync(join(from, 'added'), 'added');
    const uploads = { from, to, paths: ['same', 'other', 'added'] };
    expect(await findSame(uploads, new AbortController().signal)).toEqual(new Set(['same']));
    await expect(findSame(uploads, AbortSignal.abort())).rejects.toThrow('abort');
  });
});
