/** The parameters of a read, one after another, and the form of each attribute type: a query, and what it finds. */
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { type ApiCase, bodyOf, bookPath, idOf, useLibrary } from '../../support/library/library.ts';
import { words } from '../../support/words.ts';

const lanterns = {
  title: 'Lanterns',
  slug: 'lanterns',
  blurb: 'On light',
  body: '# Light',
  genre: 'essay',
  pages: 120,
  createdAt: '2024-01-01T08:00:00.000Z',
  updatedAt: '2024-01-01T08:00:00.000Z',
  publishedAt: '2024-01-01T08:00:00.000Z',
  locale: 'en',
};

const fieldsCases: ApiCase[] = [
  { it: 'returns every scalar attribute but private ones and passwords when nothing is said', query: '', data: lanterns },
  { it: 'takes one name', query: 'fields=title', data: { title: 'Lanterns' } },
  { it: 'takes a comma list, spaces around the commas', query: 'fields=title,%20pages', data: { title: 'Lanterns', pages: 120 } },
  { it: 'takes an indexed list', query: 'fields[0]=title&fields[1]=genre', data: { title: 'Lanterns', genre: 'essay' } },
  { it: 'takes an unindexed list', query: 'fields[]=title&fields[]=genre', data: { title: 'Lanterns', genre: 'essay' } },
  { it: 'takes a repeated parameter', query: 'fields=title&fields=genre', data: { title: 'Lanterns', genre: 'essay' } },
  { it: 'takes * for everything', query: 'fields=*', data: lanterns },
  { it: 'takes * in a list for everything', query: 'fields[0]=*&fields[1]=title', data: lanterns },
  { it: 'takes a parameter without a value for everything', query: 'fields', data: lanterns },
];

describe.each(anyEngine)('%s: fields', (engine) => {
  const library = useLibrary(engine);
  it.each(fieldsCases)('$it', (apiCase) => library.check(apiCase, bookPath('lanterns')));

  it('always includes id and documentId', async () => {
    const { data } = bodyOf(await library.ask('public', `${bookPath('lanterns')}?fields=title`));
    expect(Object.keys(Object(data))).toEqual(['id', 'documentId', 'title']);
  });
});

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

const page = (page: number, pageSize: number, pageCount: number, total = 12) => ({ pagination: { page, pageSize, pageCount, total } });
const offset = (start: number, limit: number, total = 12) => ({ pagination: { start, limit, total } });
const all = ['a', 'b', 'c', 'n', 't1', 't2', 't3', 't4', 't5', 't6', 't7', 't8'];

const paginationCases: ApiCase[] = [
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
];

describe.each(engines)('%s: pagination', (engine) => {
  const library = useLibrary(engine);
  const sorted = (apiCase: ApiCase): ApiCase => ({ ...apiCase, query: `${apiCase.query}&sort=label` });
  it.each(paginationCases)('$it', (apiCase) => library.check(sorted(apiCase), '/api/specimens'));
  it('is ignored on one document', () =>
    library.check({ it: '', path: '/api/rules', query: 'pagination[page]=7&fields=text', data: { text: 'Be quiet' }, meta: {} }));
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
    { it: 'the count, when asked for', query: 'sort=label&pagination[withCount]=true', finds: ['a', 'b'], meta: page(1, 2, 6) },
  ];
  it.each(configured)('$it', (apiCase) => library.check(apiCase, '/api/specimens'));
});

const searchCases: ApiCase[] = [
  { it: 'a text in any text attribute', query: '_q=light', finds: ['Lanterns'] },
  { it: 'ignoring letter case', query: '_q=LANTERN', finds: ['Lanterns'] },
  { it: 'a number in a number attribute', query: '_q=300', finds: ['Maps'] },
  { it: 'together with a filter', query: '_q=a&filters[genre]=novel', finds: ['Maps'] },
  { it: 'only in the status asked for', query: '_q=revised', finds: [] },
  { it: 'only in the locale asked for', query: '_q=Laternen', finds: [] },
  { it: 'nothing for an empty text, which asks for everything', query: '_q=', finds: ['Lanterns', 'Maps', 'Quiet', 'tides'] },
  { it: 'not in private attributes', query: '_q=hush', finds: [] },
  { it: 'not in private attributes, for the full-access token either', as: 'full', query: '_q=hush', finds: [] },
  { it: 'not in passwords', as: 'full', query: '_q=$2', finds: [] },
  { it: 'not in relations', query: '_q=Optics', finds: [] },
  { it: '% literally', path: '/api/specimens', query: '_q=%25', finds: ['t4'] },
  { it: '_ literally', path: '/api/specimens', query: '_q=0_', finds: [] },
  { it: 'a backslash literally', path: '/api/specimens', query: '_q=%5Cnow', finds: ['t4'] },
];

describe.each(engines)('%s: _q', (engine) => {
  const library = useLibrary(engine);
  it.each(searchCases)('$it', (apiCase) =>
    library.check({ ...apiCase, query: `${apiCase.query}&sort=${apiCase.path ? 'label' : 'slug'}` }, '/api/books'),
  );
});

const english = ['Lanterns', 'Maps', 'Quiet', 'tides'];

const locales: ApiCase[] = [
  { it: 'the default locale when nothing is said', query: 'sort=title', finds: english },
  { it: 'the default locale when nothing is named', query: 'sort=title&locale=', finds: english },
  { it: 'all locales', query: 'sort=title&locale=*', finds: ['Lanterns', 'Laternen', 'Maps', 'Quiet', 'tides'] },
  { it: 'a list of locales', query: 'sort=title&locale[]=en&locale[]=de', finds: ['Lanterns', 'Laternen', 'Maps', 'Quiet', 'tides'] },
  { it: 'a filter on locale takes the place of the default', query: 'sort=title&filters[locale]=de', finds: ['Laternen'] },
  {
    it: 'one document in another locale',
    path: bookPath('lanterns'),
    query: 'locale=de&fields=title,locale',
    data: { title: 'Laternen', locale: 'de' },
  },
  { it: 'a document that does not exist in that locale', path: bookPath('maps'), query: 'locale=de', error: [404, 'Not Found'] },
  {
    it: 'a type that is not localized, whatever the locale',
    path: '/api/subjects',
    query: 'locale=de&sort=rank&filters[rank][$lt]=3',
    finds: ['Science', 'Physics'],
  },
];

const published: ApiCase[] = [
  { it: 'published when nothing is said', query: 'sort=slug', finds: english },
  { it: 'published for an empty status, which opens no drafts', query: 'sort=title&status=', finds: english },
  { it: 'published for a status without value', query: 'sort=title&status', finds: english },
  { it: 'a draft is not found by its documentId', path: bookPath('embers'), query: '', error: [404, 'Not Found'] },
  { it: 'a filter for what is not published finds nothing', query: 'filters[publishedAt][$null]=true', finds: [] },
];

const drafts: ApiCase[] = [
  { it: 'the draft of every document', query: 'sort=title', finds: ['Embers', 'Lanterns', 'Maps, revised', 'Quiet', 'tides'] },
  { it: 'one draft', path: bookPath('maps'), query: 'fields=title,publishedAt', data: { title: 'Maps, revised', publishedAt: null } },
  {
    it: 'relations of a draft lead to drafts',
    path: bookPath('lanterns'),
    query: 'fields=title&populate[similar][fields]=title',
    data: { title: 'Lanterns', similar: [{ title: 'tides' }, { title: 'Maps, revised' }] },
  },
  { it: 'filters of a draft see drafts', query: 'filters[similar][title]=Maps,%20revised', finds: ['Lanterns'] },
  { it: 'drafts of another locale', query: 'locale=de', finds: ['Laternen'] },
];

const publication: ApiCase[] = [
  { it: 'never-published', query: 'publicationFilter=never-published&sort=title', finds: ['Embers'] },
  {
    it: 'has-published-version',
    query: 'publicationFilter=has-published-version&sort=title',
    finds: ['Lanterns', 'Maps, revised', 'Quiet', 'tides'],
  },
  { it: 'published-with-draft, of drafts', query: 'publicationFilter=published-with-draft', finds: [] },
  { it: 'hasPublishedVersion=true', query: 'hasPublishedVersion=true&sort=title', finds: ['Lanterns', 'Maps, revised', 'Quiet', 'tides'] },
  { it: 'hasPublishedVersion=false', query: 'hasPublishedVersion=false&sort=title', finds: ['Embers'] },
];

describe.each(engines)('%s: locale', (engine) => {
  const library = useLibrary(engine);
  it.each(locales)('$it', (apiCase) => library.check(apiCase, '/api/books'));
});

describe.each(engines)('%s: status', (engine) => {
  const library = useLibrary(engine);
  it.each(published)('$it', (apiCase) => library.check(apiCase, '/api/books'));
  const asEditor = (apiCase: ApiCase): ApiCase => ({ ...apiCase, as: 'editor', query: `status=draft&${apiCase.query}` });
  describe('drafts', () => it.each(drafts)('$it', (apiCase) => library.check(asEditor(apiCase), '/api/books')));
  describe('publicationFilter', () => it.each(publication)('$it', (apiCase) => library.check(asEditor(apiCase), '/api/books')));
});

const singleTypesCases: ApiCase[] = [
  { it: 'its published version', query: 'fields=heading', data: { heading: 'Welcome' }, meta: {} },
  { it: 'its draft', as: 'full', query: 'fields=heading&status=draft', data: { heading: 'Welcome, drafted' } },
  { it: 'a locale that is a draft only', query: 'locale=de', error: [404, 'Not Found'] },
  {
    it: 'a locale that is a draft only, as a draft',
    as: 'full',
    query: 'locale=de&status=draft&fields=heading',
    data: { heading: 'Willkommen' },
  },
  { it: 'nothing when a filter leaves it out', query: 'filters[heading]=x', error: [404, 'Not Found'] },
  { it: 'a type without drafts and locales', path: '/api/rules', query: 'fields=text', data: { text: 'Be quiet' } },
];

describe.each(engines)('%s: single types', (engine) => {
  const library = useLibrary(engine);
  it.each(singleTypesCases)('gives $it', (apiCase) => library.check(apiCase, '/api/entrance'));
});

const filterRelationsCases: ApiCase[] = [
  { it: 'through a to-many relation', query: 'filters[subjects][name]=Science', finds: ['Lanterns', 'Maps', 'tides'] },
  { it: 'through a to-one relation', as: 'reader', query: 'filters[writer][name]=Ada%20Quill', finds: ['Lanterns', 'Maps'] },
  { it: 'through three relations', query: 'filters[subjects][parent][parent][name]=Science', finds: ['Lanterns'] },
  { it: 'through the inverse side', path: '/api/subjects', query: 'filters[books][title]=Maps', finds: ['Science'] },
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
  { it: '$null on a relation', query: 'filters[subjects][$null]=true', finds: ['Quiet'] },
  { it: '$notNull on a relation', query: 'filters[subjects][$notNull]=true', finds: ['Lanterns', 'Maps', 'tides'] },
  { it: '$null on a to-one relation', query: 'filters[sequel][$null]=true', finds: ['Lanterns', 'Quiet', 'tides'] },
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
  { it: 'refuses a polymorphic relation', as: 'reader', path: '/api/remarks', query: 'filters[about][name]=x', error: [400, 'about'] },
];

describe.each(engines)('%s: filters through relations, components and media', (engine) => {
  const library = useLibrary(engine);
  it.each(filterRelationsCases)('$it', (apiCase) =>
    library.check(
      apiCase.finds === undefined ? apiCase : { ...apiCase, query: `${apiCase.query}&sort=${apiCase.path ? 'name' : 'slug'}` },
      '/api/books',
    ),
  );
});

const at = (label: string) => `/api/specimens/${idOf('specimen', label)}`;
const paragraph = (text: string) => [{ type: 'paragraph', children: [{ type: 'text', text }] }];

const everyType = words`str txt rich mail handle level whole big flt dec flag day clock moment stamp doc blocks`;

const attributeFormatsCases: ApiCase[] = [
  {
    it: 'low and negative values',
    path: at('a'),
    query: 'fields=whole,big,flt,dec,flag,day,clock,moment,stamp,doc,blocks,level,mail,handle',
    data: {
      whole: -3,
      big: '-9223372036854775808',
      flt: -2.5,
      dec: -1.25,
      flag: false,
      day: '1969-12-31',
      clock: '08:00:00.000',
      moment: '1969-12-31T23:59:59.999Z',
      stamp: '-1',
      doc: { k: 'one', list: [1, 2] },
      blocks: paragraph('first words'),
      level: 'high',
      mail: 'alpha@x.example',
      handle: 'alpha-handle',
    },
  },
  {
    it: 'high values, integers of 64 bits with all their digits',
    path: at('c'),
    query: 'fields=whole,big,flt,dec,day,clock,moment,stamp,doc',
    data: {
      whole: 2147483647,
      big: '9223372036854775807',
      flt: 1234.5,
      dec: 99999999.25,
      day: '9999-12-31',
      clock: '23:59:59.999',
      moment: '2999-12-31T23:59:59.000Z',
      stamp: '2145916799000',
      doc: [3, 4],
    },
  },
  {
    it: 'an integer beyond what a JavaScript number holds',
    path: at('b'),
    query: 'fields=big,flag',
    data: { big: '9007199254740993', flag: true },
  },
  {
    it: 'null of every type',
    path: at('n'),
    query: `fields=${everyType.join()}`,
    data: Object.fromEntries(everyType.map((name) => [name, null])),
  },
  { it: 'text with every kind of quote', path: at('t6'), query: 'fields=str', data: { str: 'it\'s "quoted"; DROP TABLE specimens; --' } },
  { it: 'text beyond the first plane of Unicode', path: at('t8'), query: 'fields=str', data: { str: 'Éclair 😀' } },
  { it: 'text with backslashes', path: at('t4'), query: 'fields=str', data: { str: '50%_off\\now' } },
  { it: 'empty text, which is not null', path: at('t7'), query: 'fields=str', data: { str: '' } },
];

describe.each(engines)('%s: formats', (engine) => {
  const library = useLibrary(engine);
  it.each(attributeFormatsCases)('returns $it', (apiCase) => library.check(apiCase));
});

/** A path below `/api`, and what the refusal names: to everybody, also to a token that may read everything. No engine has a part in it. */
const refused = words`
  books?fields=nope→nope books?fields=title,nope→nope books?fields=Title→Title books?fields=writer→writer books?fields=cover→cover
  books?fields=summary→summary books?fields=sections→sections books?fields=acquisitionNote→acquisitionNote books?fields=passcode→passcode
  books?fields[a]=title→fields subjects?fields=locale→locale books?fields=acquisition_note→acquisition_note books?sort=nope→nope books?sort=title:up→order
  books?sort=-title→-title books?sort=subjects→subjects books?sort=summary→summary books?sort=acquisitionNote→acquisitionNote
  books?sort=acquisitionNote:desc→acquisitionNote books?sort=writer.email→email books?sort=passcode→passcode
  books?pagination[page]=1&pagination[start]=0→page books?pagination[page]=abc→NaN books?pagination[start]=1.5→1.5
  books?pagination[withCount]=maybe→withCount books?page=2→page books?_q[]=a→_q books?locale=en,de→locale books?status=modified→status
  books?status=draft&status=published→status books?publicationFilter=nope→publicationFilter books?filters[subjects][nope]=1→nope
  books?filters[writer][email][$startsWith]=ada→email books?filters[summary][draftedBy]=hush-drafter→draftedBy
  books?filters[sections][words]=x→sections books?filters[createdBy][firstname]=x→createdBy specimens?filters[nope]=1→nope
  specimens?filters[whole][$foo]=1→$foo specimens?filters[hidden]=hush-a→hidden specimens?filters[$or][0][hidden][$startsWith]=h→hidden
  specimens?filters[$not][hidden]=x→hidden specimens?filters[code][$notNull]=true→code specimens?filters[whole]=seven→whole
  specimens?filters[whole]=→whole specimens?filters[big]=1.5→big specimens?filters[flt]=abc→flt specimens?filters[day]=tomorrow→yyyy-MM-dd
  specimens?filters[day]=2024-02-30→date specimens?filters[clock]=12:00→HH:mm:ss.SSS specimens?filters[moment]=noon→ISO
  specimens?filters[whole][$between]=1→whole
  specimens?filters[whole][$between][]=1&filters[whole][$between][]=2&filters[whole][$between][]=3→whole specimens?filters[$or]=1→$or
  specimens?filters[$eq]=1→$eq specimens?filters=x→filters specimens?filters[whole][$in][a]=1→$in books?populate=nope→nope
  books?populate=subjects.nope→nope books?populate=title→title books?populate[subjects][nope]=1→nope
  books?populate[sections][fields]=words→sections books?populate[sections][on][print.nope]=true→print.nope
  books?populate=createdBy→createdBy books?populate[writer][fields]=email→email
  books?populate[writer][filters][email][$startsWith]=a→email books?populate[writer][sort]=email→email
  books?populate[similar][status]=draft→status books?populate[similar][locale]=de→locale
`.map((text) => text.split('→') as [path: string, name: string]);

describe.each(anyEngine)('%s: refused', (engine) => {
  const library = useLibrary(engine);
  it.each(refused)('%s, by the name %s', (path, name) => library.check({ it: '', as: 'full', path: `/api/${path}`, error: [400, name] }));
});
