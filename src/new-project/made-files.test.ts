import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { MadeFiles } from './made-files.ts';

const dir = mkdtempSync(join(tmpdir(), 'lectern-'));
afterEach(() => {
  for (const name of readdirSync(dir)) rmSync(join(dir, name), { recursive: true });
});

describe('made files', () => {
  it('are removed with the folders that were made for them', () => {
    mkdirSync(join(dir, 'there'));
    const made = new MadeFiles();
    made.folder(join(dir, 'site/empty'));
    made.write(join(dir, 'site/src/api/a.json'), '{}');
    made.write(join(dir, 'there/b.json'), '{}', 0o600);
    made.remove();
    expect(readdirSync(dir, { recursive: true })).toEqual(['there']);
  });

  it('leave files that another program wrote, and their folders', () => {
    const made = new MadeFiles();
    made.write(join(dir, 'site/src/a.json'), '{}');
    writeFileSync(join(dir, 'site/src/other.json'), 'other');
    made.remove();
    expect(readdirSync(join(dir, 'site/src'))).toEqual(['other.json']);
  });

  it('replace no file, and do not remove the one that was in the way', () => {
    writeFileSync(join(dir, '.env'), 'other');
    const made = new MadeFiles();
    expect(() => made.write(join(dir, '.env'), 'ours')).toThrow('EEXIST');
    made.remove();
    expect(readFileSync(join(dir, '.env'), 'utf8')).toBe('other');
  });
});
