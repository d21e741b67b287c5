/** Content whose order differs between engines, and how responses about it were recorded: the row ids, with those of the populated rows beside them, and
 *  for components their `n`. */
import { component, relation, schemaFiles } from '../support/schema-files.ts';
import type { Json, ServedOptions } from '../support/served-project.ts';

const text = { type: 'string' };
const number = { type: 'integer' };
const files = schemaFiles(
  {
    item: {
      attributes: {
        label: text,
        body: { type: 'text' },
        kind: { type: 'enumeration', enum: ['a', 'b', 'C'] },
        size: number,
        flag: { type: 'boolean' },
        day: { type: 'date' },
        extra: { type: 'json' },
        author: relation('manyToOne', 'author', { inversedBy: 'items' }),
        tags: relation('manyToMany', 'tag', { inversedBy: 'items' }),
        part: component('bit'),
        parts: component('bit', { repeatable: true }),
      },
    },
    tag: { attributes: { name: text, rank: number, items: relation('manyToMany', 'item', { mappedBy: 'tags' }) } },
    author: { attributes: { name: text, age: number, items: relation('oneToMany', 'item', { mappedBy: 'author' }) } },
  },
  { bit: { word: text, n: number } },
);

export const words = ['b', 'B', 'a', 'A', 'ä', 'Z', 'z', '_x', '1', '10', '2', 'é', 'e', 'E', 'f', '', ' sp', 'co-op', 'coop', 'ZZ', null];
const authorNames = ['bob', 'Bob', 'alice', 'Älice', null, 'zed', 'Émile'];
const tagNames = ['red', 'Red', 'blue', null, 'Blue', 'ärmel'];
const nth = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

const authors = authorNames.map((name, i) => ({ key: `${i}`, data: { name, age: i % 3 ? i : null } }));
const tags = tagNames.map((name, i) => ({ key: `${i}`, data: { name, rank: i % 2 ? i : null } }));
const items = words.map((label, i) => ({
  key: `${i}`,
  data: {
    label,
    body: nth(words, i * 7),
    kind: nth(['a', 'b', 'C', null], i),
    size: i % 5 ? i : null,
    flag: nth([true, false, null], i),
    day: i % 4 ? `2024-01-${10 + ((i * 3) % 15)}` : null,
    extra: i % 3 ? { k: label } : null,
    author: i % 8 === 7 ? null : `${i % authors.length}`,
    tags: i % 6 === 5 ? [] : [`${i % 6}`, `${(i * 5 + 1) % 6}`],
    part: i % 5 === 4 ? null : { word: nth(words, i * 4), n: i % 3 ? i : null },
    parts:
      i % 4 === 3
        ? []
        : [
            { word: nth(words, i * 2), n: i },
            { word: nth(words, i * 3), n: 20 - i },
          ],
  },
}));

export const orderedContent: ServedOptions = {
  files,
  types: [
    { type: 'api::author.author', documents: authors },
    { type: 'api::tag.tag', documents: tags },
    { type: 'api::item.item', documents: items },
  ].map(({ type, documents }) => ({ type, documents: documents.map((each) => ({ status: 'published' as const, ...each })) })),
};

export const recordedIds = (path: string, body: unknown): unknown =>
  (body as { readonly data: readonly Json[] }).data.map((entry) => idsOf(entry, populated(path)));

/** `['author', 'items']` of `populate[author][populate][items]…`. */
const populated = (path: string): readonly string[] => [...path.matchAll(/\[?populate\]?\[(\w+)\]/g)].map(([, name = '']) => name);

function idsOf(entry: Json, [name, ...names]: readonly string[]): unknown {
  if (name === undefined) return entry.n ?? entry.id;
  const related = entry[name];
  if (related === null) return [entry.id, null];
  const rows = (Array.isArray(related) ? related : [related]) as readonly Json[];
  return [entry.id, rows.map((row) => idsOf(row, names))];
}

export const labelsOf = (body: unknown) => (body as { readonly data: readonly Json[] }).data.map(({ label }) => label);
