/** The number of statements depends on what is asked for, never on how much there is: on PostgreSQL, where each is a round trip, it is one. */
import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { statementsOf } from '../../support/http.ts';
import { bookPath, useLibrary } from '../../support/library/library.ts';

const counts: readonly (readonly [what: string, query: string, statements: number])[] = [
  ['a list that ends with the page, which shows the total', '', 1],
  ['a page of a longer list: the rows and their number', 'pagination[pageSize]=1', 2],
  ['a page behind the end: no rows, and their number', 'pagination[page]=9', 2],
  ['a list without a count', 'pagination[withCount]=false', 1],
  ['a filtered and sorted list', 'filters[subjects][parent][name]=Physics&sort=summary.headline&pagination[pageSize]=1', 2],
  ['a relation', 'populate=subjects', 2],
  ['two relations', 'populate=subjects,similar', 3],
  ['a relation of a relation', 'populate=subjects.parent', 3],
  ['a media attribute', 'populate=cover', 2],
  ['a component', 'populate=summary', 2],
  ['a component and its component', 'populate=summary.origin', 3],
  ['the localizations', 'populate=localizations', 2],
  [
    'a relation with fields, filters and sort',
    'populate[subjects][fields]=name&populate[subjects][filters][rank][$gt]=0&populate[subjects][sort]=name',
    2,
  ],
];

describe.each(engines)('%s: statements', (engine) => {
  const library = useLibrary(engine, { LECTERN_CACHE_BYTES: '0' });
  const isOne = engine === 'postgres';
  async function statements(path: string): Promise<number> {
    const response = await library.ask('public', path);
    expect(response.status).toBe(200);
    return statementsOf(response);
  }

  let distinct = 0;
  it.each(counts)('%s', async (_what, query, expected) => {
    // A condition that nothing else here has: the number of entries of a known list may be remembered while nothing is written.
    const path = `/api/books?${query}&filters[slug][$ne]=unheard-of-${distinct++}`;
    expect(await statements(path)).toBe(isOne ? 1 : expected);
    expect(await statements(path)).toBeLessThanOrEqual(expected);
  });

  it('a dynamic zone: at most one more for each of its components', async () => {
    expect(await statements('/api/books?populate=sections')).toBeLessThanOrEqual(2 + 1 + 3);
    expect(await statements(`/api/books?filters[title]=Quiet&populate=sections`)).toBeLessThanOrEqual(2 + 1 + 3);
  });

  it('populate=*: one for each path, one more for each component of the zone', async () => {
    const populated = ['subjects', 'sequel', 'similar', 'cover', 'scans', 'summary', 'editions', 'sections', 'localizations'];
    expect(await statements('/api/books?populate=*')).toBeLessThanOrEqual(2 + populated.length + 3);
  });

  it('one document needs no count', async () => {
    expect(await statements(bookPath('lanterns'))).toBe(1);
    expect(await statements(`${bookPath('lanterns')}?populate=subjects`)).toBe(isOne ? 1 : 2);
  });

  it('a refused query needs none', async () => {
    const response = await library.ask('public', '/api/books?filters[nope]=1');
    expect(String(response.headers['server-timing'])).not.toMatch(/statements;desc="[1-9]/);
  });
});
