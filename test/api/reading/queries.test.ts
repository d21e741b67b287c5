/** The parameters of a read in the default profile. What each of them means in every form is recorded, and replayed on every engine with profile `strapi`
 *  (test/compatibility/recordings/reads): here are the orders, which differ between the profiles, and one query for each of the others. */
import { describe, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { type ApiCase, bookPath, useLibrary } from '../../support/library/library.ts';

const sortCases: ApiCase[] = [
  { it: 'without sort: by id', finds: ['Lanterns', 'Maps', 'tides', 'Quiet'] },
  { it: 'ascending when unsaid', query: 'sort=pages', finds: ['Quiet', 'tides', 'Lanterns', 'Maps'] },
  { it: 'descending, null last', query: 'sort=pages:desc', finds: ['Maps', 'Lanterns', 'tides', 'Quiet'] },
  { it: 'the direction in capitals', query: 'sort=pages:DESC', finds: ['Maps', 'Lanterns', 'tides', 'Quiet'] },
  { it: 'text by code point: capitals first', query: 'sort=title', finds: ['Lanterns', 'Maps', 'Quiet', 'tides'] },
  { it: 'text by code point, descending', query: 'sort=title:desc', finds: ['tides', 'Quiet', 'Maps', 'Lanterns'] },
  { it: 'by several, comma list', query: 'sort=genre:desc,title', finds: ['tides', 'Maps', 'Lanterns', 'Quiet'] },
  { it: 'as an object', query: 'sort[pages]=desc', finds: ['Maps', 'Lanterns', 'tides', 'Quiet'] },
  { it: 'as a list of objects', query: 'sort[0][pages]=desc&sort[1][title]=asc', finds: ['Maps', 'Lanterns', 'tides', 'Quiet'] },
  { it: 'by time', query: 'sort=createdAt:desc', finds: ['Quiet', 'tides', 'Maps', 'Lanterns'] },
  { it: 'through a relation, dots', as: 'reader', query: 'sort=writer.name,title', finds: ['Quiet', 'Lanterns', 'Maps', 'tides'] },
  { it: 'through a relation, object', as: 'reader', query: 'sort[writer][name]=desc', finds: ['tides', 'Lanterns', 'Maps', 'Quiet'] },
  { it: 'through a to-many relation: each entry once', query: 'sort=subjects.rank,title', finds: ['Quiet', 'Lanterns', 'Maps', 'tides'] },
  { it: 'through a component', query: 'sort=summary.headline,title', finds: ['Maps', 'Quiet', 'Lanterns', 'tides'] },
  { it: 'through a media attribute', query: 'sort=cover.name:desc,title', finds: ['tides', 'Lanterns', 'Maps', 'Quiet'] },
  { it: 'ignores empty items', query: 'sort=,pages,', finds: ['Quiet', 'tides', 'Lanterns', 'Maps'] },
];

describe.each(engines)('%s: sort', (engine) => {
  const library = useLibrary(engine);
  it.each(sortCases)('$it', (apiCase) => library.check(apiCase, '/api/books'));
});

const page = (page: number, pageSize: number, pageCount: number, total: number) => ({ pagination: { page, pageSize, pageCount, total } });
const published = ['Lanterns', 'Maps', 'Quiet', 'tides'];
const drafts = ['Embers', 'Lanterns', 'Maps, revised', 'Quiet', 'tides'];

const cases: ApiCase[] = [
  {
    it: 'the second page of a filter',
    query: 'filters[slug][$ne]=x&sort=slug&pagination[page]=2&pagination[pageSize]=3',
    finds: ['tides'],
    meta: page(2, 3, 2, 4),
  },
  {
    it: 'an offset',
    query: 'sort=slug&pagination[start]=1&pagination[limit]=2',
    finds: ['Maps', 'Quiet'],
    meta: { pagination: { start: 1, limit: 2, total: 4 } },
  },
  { it: 'a search, ignoring letter case', query: '_q=LANTERN', finds: ['Lanterns'] },
  { it: 'a search, not in private attributes', as: 'full', query: '_q=hush', finds: [] },
  { it: 'a search, not in passwords', as: 'full', query: '_q=$2', finds: [] },
  { it: 'a search, not cut short by a NUL', query: '_q=%00x', finds: [] },
  { it: 'a search, not in relations', query: '_q=Optics', finds: [] },
  { it: 'all locales', query: 'sort=title&locale=*', finds: ['Lanterns', 'Laternen', 'Maps', 'Quiet', 'tides'] },
  {
    it: 'one document in another locale',
    path: bookPath('lanterns'),
    query: 'locale=de&fields=title,locale',
    data: { title: 'Laternen', locale: 'de' },
  },
  { it: 'a document that does not exist in that locale', path: bookPath('maps'), query: 'locale=de', error: [404, 'Not Found'] },
  { it: 'published documents for an empty status, which opens no drafts', query: 'sort=title&status=', finds: published },
  { it: 'the draft of every document', as: 'editor', query: 'status=draft&sort=title', finds: drafts },
  {
    it: 'relations of a draft, which lead to drafts',
    as: 'editor',
    query: 'status=draft&filters[similar][title]=Maps,%20revised',
    finds: ['Lanterns'],
  },
  { it: 'drafts that were never published', as: 'editor', query: 'status=draft&publicationFilter=never-published', finds: ['Embers'] },
  {
    it: 'drafts that were published, by the former parameter',
    as: 'editor',
    query: 'status=draft&hasPublishedVersion=true&sort=title',
    finds: drafts.slice(1),
  },
  { it: 'a single type', path: '/api/entrance', query: 'fields=heading', data: { heading: 'Welcome' }, meta: {} },
  { it: 'a single type, left out by a filter', path: '/api/entrance', query: 'filters[heading]=x', error: [404, 'Not Found'] },
  {
    it: 'an entry once, however many of its related entries match',
    query: 'filters[subjects][rank][$lt]=5&sort=slug',
    finds: ['Lanterns', 'Maps', 'tides'],
    meta: page(1, 25, 1, 3),
  },
  {
    it: 'conditions in one mention of a relation, for one related entry',
    query: 'filters[subjects][name]=Science&filters[subjects][rank]=3',
    finds: [],
  },
  {
    it: 'conditions in two mentions, for different ones',
    query: 'filters[$and][0][subjects][name]=Science&filters[$and][1][subjects][rank]=3',
    finds: ['Lanterns'],
  },
  {
    it: 'a filter through a relation of a component',
    as: 'reader',
    query: 'filters[editions][translator][name]=Bea%20Ink',
    finds: ['Lanterns'],
  },
  { it: 'a filter through the file of a component', query: 'filters[summary][picture][name]=lamp.png', finds: ['Lanterns'] },
];

describe.each(engines)('%s: a read', (engine) => {
  const library = useLibrary(engine);
  it.each(cases)('$it', (apiCase) => library.check(apiCase, '/api/books'));
});

describe.each(anyEngine)('%s: pagination limits from the configuration', (engine) => {
  const library = useLibrary(engine, { LECTERN_API_DEFAULT_LIMIT: '2', LECTERN_API_MAX_LIMIT: '3', LECTERN_API_WITH_COUNT: 'false' });
  const configured: ApiCase[] = [
    { it: 'the default', query: 'sort=label', finds: ['a', 'b'], meta: { pagination: { page: 1, pageSize: 2 } } },
    {
      it: 'the maximum',
      query: 'sort=label&pagination[pageSize]=50',
      finds: ['a', 'b', 'c'],
      meta: { pagination: { page: 1, pageSize: 3 } },
    },
    { it: 'the count, when asked for', query: 'sort=label&pagination[withCount]=true', finds: ['a', 'b'], meta: page(1, 2, 6, 12) },
  ];
  it.each(configured)('$it', (apiCase) => library.check(apiCase, '/api/specimens'));
});
