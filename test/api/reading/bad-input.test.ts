/** Excessive queries: each succeeds, or is refused with the limit that it exceeds and the key that sets it. Malformed ones are recorded, and made up by
 *  fuzz.test.ts. */
import { afterAll, describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { type ApiCase, useLibrary } from '../../support/library/library.ts';

const times = (count: number, text: (at: number) => string, separator = '') =>
  Array.from({ length: count }, (_, at) => text(at)).join(separator);
const hops = (count: number) => times(count, (at) => (at % 2 === 0 ? '[subjects]' : '[books]'));

/** Must be refused, and the message names the limit. */
const limits: ApiCase[] = [
  { it: 'a query string that is too long', query: `filters[title]=${'x'.repeat(70_000)}`, error: [400, 'limits.queryBytes'] },
  { it: 'too many parameters', query: times(1001, () => 'fields=title', '&'), error: [400, 'limits.parameters'] },
  { it: 'as many levels as the query may have bytes', query: `filters${'[a]'.repeat(4000)}=1`, error: [400, 'limits.depth'] },
  { it: 'a list that is too long', query: times(101, (at) => `filters[pages][$in][${at}]=${at}`, '&'), error: [400, 'limits.listValues'] },
  {
    it: 'a chain of names that fans out at each',
    query: `populate=${times(40, () => 'sections.to', '.')}`,
    error: [400, 'limits.populateDepth'],
  },
  {
    it: 'alternatives of one operator, each a condition',
    query: times(3, (group) => times(90, (at) => `filters[$or][${group}][title][$containsi][${at}]=x${at}`, '&'), '&'),
    error: [400, 'limits.conditions'],
  },
  { it: 'a name that every object has, as a filter', query: 'filters[constructor][name]=x', error: [400, 'constructor'] },
  { it: 'a name that every object has, as an operator', query: 'filters[title][toString]=x', error: [400, 'toString'] },
  { it: 'the prototype itself, as a parameter', query: '__proto__[x]=1', error: [400, '__proto__'] },
  { it: 'a list with a place beyond the limit', query: 'filters[pages][$in][200]=1', error: [400, 'limits.listValues'] },
];

/** Answered or refused, but within bounds and with a reason. */
const heavy: readonly (readonly [what: string, path: string])[] = [
  ['a chain of twenty populated relations, by dots', `/api/subjects?populate=${times(20, () => 'parent', '.')}`],
  [
    'a chain of twenty populated relations to many, by dots',
    `/api/subjects?populate=${times(20, (at) => (at % 2 === 0 ? 'books' : 'subjects'), '.')}`,
  ],
  ['a chain of twenty populated relations, as objects', `/api/subjects?populate${times(19, () => '[parent][populate]')}=parent`],
  ['populate=* at every level', `/api/books?populate${times(18, () => '[subjects][populate][books][populate]').slice(0, 320)}=*`],
  ['six pairs of relations in a filter', `/api/books?filters${hops(12)}[title]=x`],
  ['six pairs of relations in a filter that matches', `/api/books?filters${hops(11)}[name][$notNull]=true`],
  ['six pairs of relations in a sort', `/api/books?sort=${times(12, (at) => (at % 2 === 0 ? 'subjects' : 'books'), '.')}.title`],
  ['a page far beyond the last', '/api/books?pagination[page]=99999999999999999999'],
  ['a start far beyond the last', '/api/books?pagination[start]=9007199254740993'],
  ...['[', ']', '&', '.'].map((text) => [`nothing but ${text}`, `/api/books?populate=${text.repeat(60_000)}`] as const),
];

describe.each(engines)('%s: bad input', (engine) => {
  const library = useLibrary(engine);
  afterAll(async () => {
    const response = await library.ask('public', '/api/books?filters[title]=Maps&fields=title');
    expect(response.json()).toMatchObject({ data: [{ title: 'Maps' }] });
  });

  it.each(heavy)('%s', async (_what, path) => {
    const response = await library.ask('public', path);
    expect([200, 400]).toContain(response.status);
    if (response.status === 400)
      expect(response.json()).toMatchObject({ error: { message: expect.stringMatching(/limits\.\w+|[Ii]nvalid/) } });
  });
});

describe.each(anyEngine)('%s: bad input that no database sees', (engine) => {
  const library = useLibrary(engine);

  it.each(limits)('refuses $it', (apiCase) => library.check(apiCase, '/api/books'));

  // More than a request line may hold for most servers: refused by whichever is first, without ending the server.
  it('a million brackets', async () => {
    const status = await library.ask('public', `/api/books?filters${'['.repeat(1_000_000)}=1`).then(
      (response) => response.status,
      () => 431,
    );
    expect([200, 400, 414, 431]).toContain(status);
    expect(library.server.alive()).toBe(true);
    expect((await library.ask('public', '/api/books')).status).toBe(200);
  });
});

describe.each(anyEngine)('%s: limits from the configuration', (engine) => {
  const library = useLibrary(engine, {
    LECTERN_LIMITS_CONDITIONS: '4',
    LECTERN_LIMITS_HOPS: '2',
    LECTERN_LIMITS_SORT_TERMS: '2',
    LECTERN_LIMITS_POPULATED_PATHS: '3',
    LECTERN_LIMITS_POPULATE_DEPTH: '2',
    LECTERN_LIMITS_RESPONSE_BYTES: '2000',
  });
  const configured: ApiCase[] = [
    {
      it: 'conditions',
      query: 'filters[pages][$gt]=1&filters[pages][$lt]=9&filters[title][$ne]=x&filters[slug][$ne]=x&filters[genre][$ne]=novel',
      error: [400, 'limits.conditions'],
    },
    { it: 'relations in a filter', query: 'filters[subjects][parent][parent][name]=x', error: [400, 'limits.hops'] },
    { it: 'relations in a filter, within', query: 'filters[subjects][parent][name]=Physics&fields=title', finds: ['Lanterns'] },
    {
      it: 'relations in filter and sort together',
      query: 'filters[subjects][name]=x&sort=subjects.parent.name',
      error: [400, 'limits.hops'],
    },
    { it: 'sort terms', query: 'sort=title,slug,pages', error: [400, 'limits.sortTerms'] },
    { it: 'populated paths', query: 'populate=subjects,similar,cover,summary', error: [400, 'limits.populatedPaths'] },
    { it: 'populated paths of *', query: 'populate=*', error: [400, 'limits.populatedPaths'] },
    { it: 'levels of population', query: 'populate=subjects.parent.parent', error: [400, 'limits.populateDepth'] },
    { it: 'bytes of a response', query: 'populate=subjects', error: [400, 'limits.responseBytes'] },
  ];
  it.each(configured)('$it', (apiCase) => library.check(apiCase, '/api/books'));
});
