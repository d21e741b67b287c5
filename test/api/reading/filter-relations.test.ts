import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { type ApiCase, idOf, useLibrary } from '../../support/library/library.ts';

const cases: ApiCase[] = [
  { it: 'through a to-many relation', query: 'filters[subjects][name]=Science', finds: ['Lanterns', 'Maps', 'tides'] },
  { it: 'through a to-one relation', as: 'reader', query: 'filters[writer][name]=Ada%20Quill', finds: ['Lanterns', 'Maps'] },
  { it: 'through two relations', query: 'filters[subjects][parent][name]=Physics', finds: ['Lanterns'] },
  { it: 'through three relations', query: 'filters[subjects][parent][parent][name]=Science', finds: ['Lanterns'] },
  { it: 'through the inverse side', path: '/api/subjects', query: 'filters[books][title]=Maps', finds: ['Science'] },
  { it: 'through the inverse of a tree', path: '/api/subjects', query: 'filters[children][name]=Optics', finds: ['Physics'] },
  { it: 'through a one-way relation to the type itself', query: 'filters[sequel][title]=Lanterns', finds: ['Maps'] },
  { it: 'through a one-way list', query: 'filters[similar][title]=tides', finds: ['Lanterns'] },
  {
    it: 'finds an entry once, however many of its related entries match',
    query: 'filters[subjects][rank][$lt]=5',
    finds: ['Lanterns', 'Maps', 'tides'],
    meta: { pagination: { page: 1, pageSize: 25, pageCount: 1, total: 3 } },
  },
  {
    it: 'two conditions in one mention hold for one related entry',
    query: 'filters[subjects][name]=Science&filters[subjects][rank]=3',
    finds: [],
  },
  {
    it: 'two mentions in $and may hold for different ones',
    query: 'filters[$and][0][subjects][name]=Science&filters[$and][1][subjects][rank]=3',
    finds: ['Lanterns'],
  },
  {
    it: '$or of a relation and an attribute',
    query: 'filters[$or][0][subjects][name]=Verse&filters[$or][1][title]=Quiet',
    finds: ['Quiet', 'tides'],
  },
  {
    it: '$or inside a relation',
    query: 'filters[subjects][$or][0][name]=Verse&filters[subjects][$or][1][name]=Optics',
    finds: ['Lanterns', 'tides'],
  },
  { it: '$null on a relation', query: 'filters[subjects][$null]=true', finds: ['Quiet'] },
  { it: '$notNull on a relation', query: 'filters[subjects][$notNull]=true', finds: ['Lanterns', 'Maps', 'tides'] },
  { it: '$null on a to-one relation', query: 'filters[sequel][$null]=true', finds: ['Lanterns', 'Quiet', 'tides'] },
  { it: 'by documentId', query: `filters[subjects][documentId]=${idOf('subject', 'optics')}`, finds: ['Lanterns'] },
  {
    it: 'by a list of documentIds',
    query: `filters[subjects][documentId][$in][]=${idOf('subject', 'optics')}&filters[subjects][documentId][$in][]=${idOf('subject', 'verse')}`,
    finds: ['Lanterns', 'tides'],
  },
  { it: 'through a media attribute', query: 'filters[cover][name]=wave.png', finds: ['tides'] },
  { it: 'through a list of media', query: 'filters[scans][name]=wave.png', finds: ['Lanterns'] },
  { it: 'through a component', query: 'filters[summary][headline]=Water', finds: ['tides'] },
  { it: 'through a repeatable component', query: 'filters[editions][publisher]=Fjord', finds: ['Lanterns', 'Maps'] },
  { it: 'through a component in a component', query: 'filters[summary][origin][place]=Oslo', finds: ['Lanterns'] },
  { it: 'through a relation of a component', as: 'reader', query: 'filters[editions][translator][name]=Bea%20Ink', finds: ['Lanterns'] },
  { it: 'through a media attribute of a component', query: 'filters[summary][picture][name]=lamp.png', finds: ['Lanterns'] },
  { it: 'the components of another component are not mixed in', query: 'filters[editions][publisher]=Light', finds: [] },
  { it: 'refuses an unknown attribute behind a relation', query: 'filters[subjects][nope]=1', error: [400, 'nope'] },
  {
    it: 'refuses a private attribute behind a relation',
    as: 'full',
    query: 'filters[writer][email][$startsWith]=ada',
    error: [400, 'email'],
  },
  { it: 'refuses a private attribute of a component', query: 'filters[summary][draftedBy]=hush-drafter', error: [400, 'draftedBy'] },
  { it: 'refuses a dynamic zone', query: 'filters[sections][words]=x', error: [400, 'sections'] },
  { it: 'refuses a polymorphic relation', as: 'reader', path: '/api/remarks', query: 'filters[about][name]=x', error: [400, 'about'] },
  { it: 'refuses creators', as: 'full', query: 'filters[createdBy][firstname]=x', error: [400, 'createdBy'] },
];

describe.each(engines)('%s: filters through relations, components and media', (engine) => {
  const library = useLibrary(engine);
  it.each(cases)('$it', (apiCase) =>
    library.check(
      apiCase.finds === undefined ? apiCase : { ...apiCase, query: `${apiCase.query}&sort=${apiCase.path ? 'name' : 'slug'}` },
      '/api/books',
    ),
  );

  it('counts an entry once', async () => {
    const response = await library.ask('public', '/api/books?filters[subjects][rank][$gt]=0&pagination[pageSize]=2&sort=slug');
    expect(response.json()).toMatchObject({
      data: [{ title: 'Lanterns' }, { title: 'Maps' }],
      meta: { pagination: { pageCount: 2, total: 3 } },
    });
  });
});
