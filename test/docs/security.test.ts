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

  describe('Advisories of similar servers', () => {
    const rows = rowsOf('Advisories of similar servers');
    const numbersOf = (row: string) => row.match(/CVE-\d{4}-\d{4,5}\b/g) ?? [];

    it('every row names advisories of one of the products, and a test or the reason why there is none', () => {
      const isComplete = (row: string) =>
        /^\| (?:(?:Strapi|Directus|Payload|PocketBase): (?:CVE-\d{4}-\d{4,5}(?:, |; | \|)?)+)+/.test(row) &&
        (row.match(reference) !== null || /\| Cannot happen: [^|]{20,} \|$/.test(row));
      expect(rows.length).toBeGreaterThan(20);
      expect(rows.filter((row) => !isComplete(row))).toEqual([]);
    });

    it('are of 2023 to 2026, at least forty, and each in one row', () => {
      const numbers = rows.flatMap(numbersOf);
      expect(numbers.length).toBeGreaterThanOrEqual(40);
      expect(numbers.filter((number, at) => numbers.indexOf(number) !== at || !/^CVE-202[3-6]-/.test(number))).toEqual([]);
    });
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
