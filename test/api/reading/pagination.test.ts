import { describe, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { type ApiCase, useLibrary, useOwnLibrary } from '../../support/library/library.ts';

const page = (page: number, pageSize: number, pageCount: number, total = 12) => ({ pagination: { page, pageSize, pageCount, total } });
const offset = (start: number, limit: number, total = 12) => ({ pagination: { start, limit, total } });
const all = ['a', 'b', 'c', 'n', 't1', 't2', 't3', 't4', 't5', 't6', 't7', 't8'];

const cases: ApiCase[] = [
  { it: 'is page 1 of 25 when nothing is said', query: '', finds: all, meta: page(1, 25, 1) },
  { it: 'a page', query: 'pagination[page]=2&pagination[pageSize]=5', finds: ['t2', 't3', 't4', 't5', 't6'], meta: page(2, 5, 3) },
  { it: 'the last page', query: 'pagination[page]=3&pagination[pageSize]=5', finds: ['t7', 't8'], meta: page(3, 5, 3) },
  { it: 'a page beyond the last', query: 'pagination[page]=9&pagination[pageSize]=5', finds: [], meta: page(9, 5, 3) },
  { it: 'an offset', query: 'pagination[start]=10&pagination[limit]=5', finds: ['t7', 't8'], meta: offset(10, 5) },
  { it: 'an offset without limit', query: 'pagination[start]=10', finds: ['t7', 't8'], meta: offset(10, 25) },
  { it: 'a limit without offset', query: 'pagination[limit]=2', finds: ['a', 'b'], meta: offset(0, 2) },
  {
    it: 'without a count',
    query: 'pagination[withCount]=false&pagination[pageSize]=1',
    finds: ['a'],
    meta: { pagination: { page: 1, pageSize: 1 } },
  },
  {
    it: 'an offset without a count',
    query: 'pagination[withCount]=false&pagination[limit]=1',
    finds: ['a'],
    meta: { pagination: { start: 0, limit: 1 } },
  },
  { it: 'clamps to the maximum', query: 'pagination[pageSize]=1000', finds: all, meta: page(1, 100, 1) },
  { it: 'clamps a limit to the maximum', query: 'pagination[limit]=1000', finds: all, meta: offset(0, 100) },
  {
    it: 'takes page 0 for the first',
    query: 'pagination[page]=0&pagination[pageSize]=5',
    finds: ['a', 'b', 'c', 'n', 't1'],
    meta: page(1, 5, 3),
  },
  { it: 'takes pageSize 0 for 1', query: 'pagination[pageSize]=0', finds: ['a'], meta: page(1, 1, 12) },
  { it: 'takes a negative start for 0', query: 'pagination[start]=-5&pagination[limit]=1', finds: ['a'], meta: offset(0, 1) },
  {
    it: 'counts what the filter leaves',
    query: 'filters[label][$startsWith]=t&pagination[pageSize]=3',
    finds: ['t1', 't2', 't3'],
    meta: page(1, 3, 3, 8),
  },
  { it: 'counts nothing', query: 'filters[label]=zzz', finds: [], meta: page(1, 25, 0, 0) },
  { it: 'refuses pages and offsets together', query: 'pagination[page]=1&pagination[start]=0', error: [400, 'page'] },
  { it: 'refuses a word for a page', query: 'pagination[page]=abc', error: [400, 'NaN'] },
  { it: 'refuses a fraction', query: 'pagination[start]=1.5', error: [400, '1.5'] },
  { it: 'refuses a wrong withCount', query: 'pagination[withCount]=maybe', error: [400, 'withCount'] },
  { it: 'refuses page at the root', query: 'page=2', error: [400, 'page'] },
];

describe.each(engines)('%s: pagination', (engine) => {
  const library = useLibrary(engine);
  const sorted = (apiCase: ApiCase): ApiCase => ({ ...apiCase, query: `${apiCase.query}&sort=label` });
  it.each(cases)('$it', (apiCase) => library.check(sorted(apiCase), '/api/specimens'));
  it('is ignored on one document', () =>
    library.check({ it: '', path: '/api/rules', query: 'pagination[page]=7&fields=text', data: { text: 'Be quiet' }, meta: {} }));
});

describe.each(anyEngine)('%s: pagination limits from the configuration', (engine) => {
  const library = useOwnLibrary(engine, { LECTERN_API_DEFAULT_LIMIT: '2', LECTERN_API_MAX_LIMIT: '3', LECTERN_API_WITH_COUNT: 'false' });
  const configured: ApiCase[] = [
    { it: 'the default', query: 'sort=label', finds: ['a', 'b'], meta: { pagination: { page: 1, pageSize: 2 } } },
    {
      it: 'the maximum',
      query: 'sort=label&pagination[pageSize]=50',
      finds: ['a', 'b', 'c'],
      meta: { pagination: { page: 1, pageSize: 3 } },
    },
    { it: 'the count, when asked for', query: 'sort=label&pagination[withCount]=true', finds: ['a', 'b'], meta: page(1, 2, 6) },
  ];
  it.each(configured)('$it', (apiCase) => library.check(apiCase, '/api/specimens'));
});
