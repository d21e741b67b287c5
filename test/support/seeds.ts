/** Parts of the content of many test projects. */
import type { SeedContent, SeedDocument } from '../../src/demo-content/content.ts';

const names = new Intl.DisplayNames('en', { type: 'language' });

/** `seedLocales('en')` → `[{ code: 'en', name: 'English (en)' }]`, the names that Strapi gives them. */
export const seedLocales = (...codes: readonly string[]): SeedContent['locales'] =>
  codes.map((code) => ({ code, name: `${names.of(code)} (${code})` }));

/** Published documents by key. */
export const seedDocuments = (entries: Readonly<Record<string, SeedDocument['data']>>): SeedDocument[] =>
  Object.entries(entries).map(([key, data]) => ({ key, status: 'published', data }));

/** So many published documents, with the keys n0, n1, … */
export const seedNumbered = (count: number, data: (index: number) => SeedDocument['data']): SeedDocument[] =>
  seedDocuments(Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, data(index)])));

/** A row of the media library. There is no such file. */
export const seedImage = (name: string) => ({
  name: `${name}.png`,
  hash: name,
  ext: '.png',
  mime: 'image/png',
  size: 1,
  url: `/uploads/${name}.png`,
  provider: 'local',
});
