/** Totals of long lists that are not counted to their end. */
import { describe, expect, it } from 'vitest';
import type { SeedDocument } from '../../../src/demo-content/content.ts';
import { engines } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { errorOf, useProject } from '../../support/served-project.ts';

const files = schemaFiles({
  item: { drafts: true, attributes: { size: { type: 'integer' } } },
});
const published = 10_020;

function* items(): Generator<SeedDocument> {
  for (let number = 0; number < published; number++) yield { key: `item-${number}`, status: 'published', data: { size: number } };
  for (let number = 0; number < 200; number++) yield { key: `draft-${number}`, status: 'draft', data: { size: -1 } };
}

interface Meta {
  readonly meta: { readonly pagination: Readonly<Record<string, unknown>> };
}

describe.each(engines)('%s: estimated totals', (engine) => {
  const find = 'api::item.item.find';
  const api = useProject(engine, {
    files,
    types: [{ type: 'api::item.item', documents: items() }],
    tokens: { reader: [find] },
    public: [find],
    rules: { public: { [find]: { where: { size: { $gte: 0 } } } } },
  });
  const total = async (query: string, who = 'full') => {
    const response = await api.ask(who, 'GET', `/api/items?pagination[withCount]=estimate&fields=size&sort=size&${query}`);
    expect(response.status).toBe(200);
    return (response.json() as Meta).meta.pagination;
  };
  const few = { page: 1, pageSize: 1 };

  it.each([
    { it: 'a short list is counted', query: 'filters[size][$lt]=100&pagination[pageSize]=1', meta: { ...few, pageCount: 100, total: 100 } },
    { it: 'so is an empty one', query: 'filters[size][$gt]=20000&pagination[pageSize]=1', meta: { ...few, pageCount: 0, total: 0 } },
    {
      it: 'the last page knows the total',
      query: `pagination[start]=${published - 5}&pagination[limit]=10`,
      meta: { start: published - 5, limit: 10, total: published },
    },
  ])('$it', async ({ query, meta }) => {
    expect(await total(query)).toEqual(meta);
  });

  it('a long list has an estimate, which says so', async () => {
    await api.change(...(engine === 'postgres' ? ['ANALYZE items'] : []));
    const meta = await total('pagination[start]=0&pagination[limit]=1');
    expect(meta).toEqual({ start: 0, limit: 1, total: expect.any(Number), isEstimate: true });
    // Without useful statistics it is the number of those that were counted.
    if (engine === 'postgres') expect(Math.abs(Number(meta.total) - published)).toBeLessThan(published / 10);
    else expect(meta.total).toBe(10_000);
    expect(await total('pagination[start]=10010&pagination[limit]=2')).toMatchObject({ isEstimate: true });
  });

  // Statistics know hidden rows, whose number would show.
  it.each([
    { it: 'a caller with some of the rows', who: 'public', query: '' },
    { it: 'conditions of a caller without the drafts', who: 'reader', query: 'filters[size][$gte]=0&' },
  ])('is exact for $it', async ({ who, query }) => {
    expect(await total(`${query}pagination[start]=0&pagination[limit]=1`, who)).toEqual({ start: 0, limit: 1, total: published });
  });

  it('is refused in other words', async () => {
    const response = await api.ask('full', 'GET', '/api/items?pagination[withCount]=about');
    expect([response.status, errorOf(response).message]).toEqual([400, expect.stringContaining('withCount')]);
  });
});
