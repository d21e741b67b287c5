import { expect, it } from 'vitest';
import { parameterNames, withoutValues } from './slow-requests.ts';

it.each([
  ['/api/articles', []],
  ['/api/articles?sort=title&filters[title][$eq]=Bread&sort=views', ['sort', 'filters[title][$eq]']],
  ['/api/articles?filters%5Btitle%5D%5B%24eq%5D=Bread', ['filters[title][$eq]']],
  ['/api/articles?my%20secret&%zz=1&=x&populate[]=tags', ['…', 'populate[]']],
  [`/api/articles?${'a'.repeat(200)}=1`, ['…']],
])('%s has the parameters %j', (url, names) => expect(parameterNames(url)).toEqual(names));

it.each([
  ["Filter: ((t1.title)::text = 'it''s 5'::text)", 'Filter: ((t1.title)::text = ?::text)'],
  ['->  Index Scan using notes_pkey on notes t1  (cost=0.15..8.17 rows=1 width=40)', '->  Index Scan using notes_pkey on notes t1'],
  ['Index Cond: ((t1.id = 4711) AND (t1.price > -3.50))', 'Index Cond: ((t1.id = ?) AND (t1.price > ?))'],
  ["Index Cond: (id = ANY ('{1,2}'::bigint[]))", 'Index Cond: (id = ANY (?::bigint[]))'],
  ['SEARCH t1 USING INDEX notes_title_2 (title=?)', 'SEARCH t1 USING INDEX notes_title_2 (title=?)'],
])('%s loses its values', (line, shown) => expect(withoutValues([line])).toEqual([shown]));

it('a value with line breaks is removed as a whole, and a quoted name hides none', () => {
  const plan = [
    "Filter: ((strpos(title, 'one",
    "it''s two'::text) > 0)",
    "  AND (a = 'three'::text))",
    `Filter: (t1."it's" = 'four'::text)`,
    "(b = 'five",
  ];
  expect(withoutValues(plan)).toEqual([
    'Filter: ((strpos(title, ?::text) > ?)',
    '  AND (a = ?::text))',
    `Filter: (t1."it's" = ?::text)`,
    '(b = ?',
  ]);
});
