/** How a Strapi 5.54.0 sorts and compares on PostgreSQL: by the collation of the database, nulls as the largest. Recorded on a database with ICU's
 *  collation for American English; each result is the row ids, with those of the populated rows beside them, and for components their `n`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../support/engines.ts';
import { component, relation, schemaFiles } from '../support/schema-files.ts';
import { type Json, type ServedOptions, useProject } from '../support/served-project.ts';

const file = fileURLToPath(new URL('./recordings/postgres-order/answers.json', import.meta.url));
const recorded = Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, unknown>>);

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

const words = ['b', 'B', 'a', 'A', 'ä', 'Z', 'z', '_x', '1', '10', '2', 'é', 'e', 'E', 'f', '', ' sp', 'co-op', 'coop', 'ZZ', null];
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

const options: ServedOptions = {
  files,
  types: [
    { type: 'api::author.author', documents: authors },
    { type: 'api::tag.tag', documents: tags },
    { type: 'api::item.item', documents: items },
  ].map(({ type, documents }) => ({ type, documents: documents.map((each) => ({ status: 'published' as const, ...each })) })),
};

/** `['author', 'items']` of `populate[author][populate][items]…`. */
const populated = (path: string): readonly string[] => [...path.matchAll(/\[?populate\]?\[(\w+)\]/g)].map(([, name = '']) => name);

function idsOf(entry: Json, [name, ...names]: readonly string[]): unknown {
  if (name === undefined) return entry.n ?? entry.id;
  const related = entry[name];
  if (related === null) return [entry.id, null];
  const rows = (Array.isArray(related) ? related : [related]) as readonly Json[];
  return [entry.id, rows.map((row) => idsOf(row, names))];
}

const labels = (body: unknown) => (body as { readonly data: readonly Json[] }).data.map(({ label }) => label);

describe.runIf(engines.includes('postgres'))('PostgreSQL', () => {
  describe('in profile strapi', () => {
    const served = useProject('postgres', { ...options, env: { LECTERN_PROFILE: 'strapi' } });
    let hasLanguage = false;
    beforeAll(async () => {
      const [row] = await served.query("SELECT to_jsonb(d) ->> 'datlocprovider' FROM pg_database d WHERE datname = current_database()");
      hasLanguage = row?.[0] === 'i';
      if (!hasLanguage) console.log(' NOT tested: the order of a language (this PostgreSQL has no ICU)');
    });

    it.each(recorded)('GET %s', async (path, ids, { skip } = { skip: () => undefined }) => {
      if (!hasLanguage) return skip();
      const response = await served.ask('full', 'GET', encodeURI(path));
      const { data } = response.json() as { readonly data: readonly Json[] };
      expect(data.map((entry) => idsOf(entry, populated(path)))).toEqual(ids);
    });

    it.each(['label ASC', 'label DESC', 'size ASC', 'size DESC'])('sorts as the database does: %s', async (order) => {
      const [name, direction] = order.toLowerCase().split(' ');
      const response = await served.ask('full', 'GET', `/api/items?sort=${name}:${direction}&pagination[pageSize]=100`);
      expect(labels(response.json())).toEqual(
        (await served.query(`SELECT label FROM items ORDER BY ${order}, id`)).map(([label]) => label),
      );
    });

    it.each(['>=', '>', '<', '<='])('compares as the database does: %s', async (operator) => {
      const name = { '>=': '$gte', '>': '$gt', '<': '$lt', '<=': '$lte' }[operator];
      const response = await served.ask('full', 'GET', `/api/items?filters[label][${name}]=b&pagination[pageSize]=100&sort=id`);
      const rows = await served.query(`SELECT label FROM items WHERE label ${operator} 'b' ORDER BY id`);
      expect(labels(response.json())).toEqual(rows.map(([label]) => label));
    });
  });

  describe('in profile specification', () => {
    const served = useProject('postgres', options);
    it('sorts by code point and puts nulls first, as every engine does', async () => {
      const response = await served.ask('full', 'GET', '/api/items?sort=label&pagination[pageSize]=100');
      expect(labels(response.json())).toEqual([null, ...words.filter((word) => word !== null).sort()]);
    });
    it('compares by code point', async () => {
      const response = await served.ask('full', 'GET', '/api/items?filters[label][$gte]=b&sort=id&pagination[pageSize]=100');
      expect(labels(response.json())).toEqual(words.filter((word) => word !== null && word >= 'b'));
    });
  });
});
