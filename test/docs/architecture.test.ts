/** ARCHITECTURE.md is read in ten minutes; the pages beside the code say how the parts work. Both name files, which must be there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const architecture = read('ARCHITECTURE.md');
const filesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`);
const sources = ['bench', 'build', 'client/src', 'docs', 'src', 'test'].flatMap(filesBelow);
const pages = [...sources.filter((file) => /^src\/.*\/README\.md$/.test(file)), 'build/README.md'];

it('ARCHITECTURE.md has at most 250 lines', () => expect(architecture.split('\n').length).toBeLessThanOrEqual(251));

it('ARCHITECTURE.md links to every page that stands beside the code', () => {
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.filter((page) => !architecture.includes(`](${page})`))).toEqual([]);
});

it.each(['ARCHITECTURE.md', ...pages])('%s: every file that it names is there', (page) => {
  const named = [...read(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)*\.(?:ts|mjs|md))`/g)].map(([, name = '']) => name);
  const isThere = (name: string) => existsSync(join(root, name)) || sources.some((source) => source.endsWith(`/${name}`));
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});
