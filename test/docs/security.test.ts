/** docs/security.md names the test of each guarantee. A guarantee must not outlive its test. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const isThere = (path: string) => existsSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)));

const page = read('docs/security.md');
/** `test/api/access/access.test.ts` "does not tell" */
const reference = /`((?:test|src)\/[\w./-]+\.test\.ts)` "([^"]+)"/g;

/** The rows of the tables of a section, without their heads. */
function rowsOf(section: string): readonly string[] {
  const text = page.split(/^## /m).find((each) => each.startsWith(`${section}\n`)) ?? '';
  return text
    .split('\n')
    .filter((line, at, lines) => line.startsWith('| ') && !line.startsWith('| ---') && !lines[at + 1]?.startsWith('| ---'));
}

describe('docs/security.md', () => {
  it.each(['Guarantees', 'Attacks'])('%s: every row names a test', (section) => {
    const rows = rowsOf(section);
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.filter((row) => row.match(reference) === null)).toEqual([]);
  });

  it('every test that it names is there, by that name', () => {
    const named = [...page.matchAll(reference)].map(([, file = '', name = '']) => ({ file, name }));
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter(({ file, name }) => !isThere(file) || !read(file).includes(name))).toEqual([]);
  });

  it('names no test in a way that is not checked', () => {
    const files = page.match(/(?:test|src)\/[\w./-]+\.test\.ts/g) ?? [];
    expect(files.length).toBe([...page.matchAll(reference)].length);
  });

  it('is where SECURITY.md sends its readers', () => expect(read('SECURITY.md')).toContain('](docs/security.md'));
});
