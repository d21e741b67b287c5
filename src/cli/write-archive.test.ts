/** The name of an archive: whatever fails, the archive that had it is kept. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { keepArchive } from './write-archive.ts';

const now = new Date('2026-11-22T23:14:05Z');

function folder(path: string, content: string): string {
  mkdirSync(path);
  writeFileSync(join(path, 'metadata.json'), content);
  return path;
}
const contentOf = (path: string) => readFileSync(join(path, 'metadata.json'), 'utf8');

describe('keepArchive', () => {
  it('replaces a folder', async () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, 'work'));
    const [target, archive] = [folder(join(dir, 'site'), 'former'), folder(join(dir, 'work/archive'), 'new')];
    await keepArchive(archive, target, { kind: 'folder', force: true, now });
    expect([contentOf(target), readdirSync(dir).sort()]).toEqual(['new', ['site', 'work']]);
  });

  it('puts the former folder back when the new one cannot be moved', async () => {
    const dir = temporaryFolder();
    const target = folder(join(dir, 'site'), 'former');
    await expect(keepArchive(join(dir, 'absent'), target, { kind: 'folder', force: true, now })).rejects.toThrow('ENOENT');
    expect([contentOf(target), readdirSync(dir)]).toEqual(['former', ['site']]);
  });

  it('replaces no folder without being told to', async () => {
    const dir = temporaryFolder();
    const [target, archive] = [folder(join(dir, 'site'), 'former'), folder(join(dir, 'archive'), 'new')];
    await expect(keepArchive(archive, target, { kind: 'folder', force: false, now })).rejects.toMatchObject({
      problems: [expect.stringContaining('already exists')],
    });
    expect(contentOf(target)).toBe('former');
  });
});
