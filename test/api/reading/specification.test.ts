/** The rules in which the two profiles differ, as far as reading is concerned: the default profile, profile `strapi`, and each policy alone. The behaviour of
 *  profile `strapi` is recorded: test/compatibility/recordings/reads/reads/queries.json. */
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { type ApiCase, bookPath, type Library, useLibrary } from '../../support/library/library.ts';

interface Rule {
  /** The environment variable of the policy, and its values in the profiles `specification` and `strapi`. */
  readonly policy: readonly [variable: string, specification: string, strapi: string];
  readonly specification: readonly ApiCase[];
  readonly strapi: readonly ApiCase[];
}

const embers = { path: bookPath('embers'), query: 'status=draft&fields=title', data: { title: 'Embers' } };
const rules: readonly Rule[] = [
  {
    policy: ['LECTERN_POLICIES_POPULATE_WITH_PAGINATION', 'false', 'true'],
    specification: [
      { it: 'populate is refused with pages', query: 'populate=summary&pagination[page]=1', error: [400, 'populateWithPagination'] },
      { it: 'populate is refused with withCount', query: 'populate=*&pagination[withCount]=false', error: [400, 'cannot be combined'] },
      { it: 'pagination inside populate is refused', query: 'populate[subjects][pagination][page]=1', error: [400, 'pagination'] },
      { it: 'start inside populate is refused', query: 'populate[subjects][start]=1', error: [400, 'start'] },
    ],
    strapi: [
      {
        it: 'populate is allowed with pages',
        query: 'fields=title&sort=title&populate=summary&pagination[pageSize]=1',
        data: [{ title: 'Lanterns', summary: { headline: 'Light' } }],
      },
      { it: 'limit inside populate is refused', query: 'populate[subjects][limit]=1', error: [400, 'limit'] },
    ],
  },
  {
    policy: ['LECTERN_POLICIES_REFUSE_UNDEFINED_LOCALE', 'true', 'false'],
    specification: [
      { it: 'an undefined locale is refused with the names of the defined ones', query: 'locale=fr', error: [400, 'en, de'] },
      { it: 'an undefined locale of one document is refused', path: bookPath('lanterns'), query: 'locale=fr', error: [400, "'locale'"] },
      { it: 'an undefined locale of a single type is refused', path: '/api/entrance', query: 'locale=fr', error: [400, 'fr'] },
      { it: 'an undefined locale in a list is refused', query: 'locale[]=en&locale[]=fr', error: [400, 'fr'] },
      { it: 'a locale in another letter case is refused', query: 'locale=DE', error: [400, 'DE'] },
    ],
    strapi: [
      { it: 'an undefined locale finds nothing', query: 'locale=fr', finds: [] },
      { it: 'an undefined locale of one document is a 404', path: bookPath('lanterns'), query: 'locale=fr', error: [404, 'Not Found'] },
    ],
  },
  {
    policy: ['LECTERN_POLICIES_DRAFTS_NEED_RIGHT', 'true', 'false'],
    specification: [
      { it: 'drafts are refused to the public', query: 'status=draft', error: [403, 'findDraft'] },
      { it: 'drafts are refused to a user', as: 'reader', query: 'status=draft', error: [403, 'findDraft'] },
      { it: 'drafts are refused to a custom token without the right', as: 'custom', query: 'status=draft', error: [403, 'findDraft'] },
      { it: 'one draft is refused', path: embers.path, query: 'status=draft', error: [403, 'findDraft'] },
      { it: 'the draft of a single type is refused', path: '/api/entrance', query: 'status=draft', error: [403, 'findDraft'] },
      { it: 'drafts are allowed to a custom token with the right', as: 'editor', ...embers },
      { it: 'drafts are allowed to the full-access token', as: 'full', ...embers },
      { it: 'drafts are allowed to the read-only token', as: 'readonly', ...embers },
      { it: 'types without drafts have no such right', path: '/api/rules', query: 'status=draft&fields=text', data: { text: 'Be quiet' } },
    ],
    strapi: [{ it: 'drafts are open to everybody who may find', ...embers }],
  },
  {
    policy: ['LECTERN_POLICIES_CASE_SENSITIVE_LIKE', 'true', 'false'],
    specification: [{ it: 'letter case counts', path: '/api/specimens', query: 'filters[str][$contains]=ALPHA', finds: [] }],
    strapi: [],
  },
];

const path = bookPath('lanterns');
const title = 'Lanterns';
const summary = { headline: 'Light', origin: { place: 'Oslo', year: 1999 } };

/** Queries that Strapi reads leniently, and those that both profiles refuse. */
const strict: readonly ApiCase[] = [
  { it: 'names beside * are checked', path, query: 'fields[0]=*&fields[1]=nonsense', error: [400, 'Invalid key nonsense'] },
  { it: 'names beside * are checked, in populate', path, query: 'populate[subjects][fields]=*,nope', error: [400, 'Invalid key nope'] },
  { it: 'an empty publicationFilter is none', path, query: 'publicationFilter=', error: [400, 'publicationFilter'] },
  { it: 'an empty hasPublishedVersion is none', path, query: 'hasPublishedVersion=', error: [400, 'hasPublishedVersion'] },
  { it: 'count is true or false', path, query: 'populate[subjects][count]=x', error: [400, 'Invalid key count at subjects'] },
  { it: 'an empty populate inside populate', path, query: 'populate[subjects][populate]=', error: [400, 'Invalid key'] },
  { it: 'an empty order of what does not exist', path, query: 'sort[nope]=', error: [400, 'Invalid key nope'] },
  {
    it: 'a list within $or is one condition: all that it holds',
    path: '/api/subjects',
    query: 'fields=name&sort=name&filters[$or][0][0][name][$contains]=tic&filters[$or][0][1][rank]=3&filters[$or][1][name]=Physics',
    finds: ['Optics', 'Physics'],
  },
];
const lenient: Readonly<Record<'specification' | 'strapi', readonly ApiCase[]>> = {
  specification: [
    ...strict,
    { it: 'an empty element of populate', path, query: 'populate=subjects,', error: [400, 'Invalid key'] },
    { it: 'a path that ends with a dot', path, query: 'populate=subjects.', error: [400, 'Invalid key'] },
    { it: '* as the value of a relation', path, query: 'populate[summary]=*', error: [400, 'Invalid key *'] },
    { it: 'a list is no word for true', path, query: 'filters[title][$null][0]=x', error: [400, 'filters[title][$null]'] },
    { it: 'a documentId in path and filter: both hold', path, query: 'filters[documentId][$startsWith]=zzzzz', error: [404, 'Not Found'] },
    { it: 'page belongs into pagination', path, query: 'page=2', error: [400, 'pagination[page]'] },
    {
      it: 'a shorter path takes nothing away from a longer one',
      path,
      query: 'fields=title&populate[0]=summary.origin&populate[1]=summary',
      data: { title, summary },
    },
  ],
  strapi: [
    ...strict,
    {
      it: '* as the value of what has nothing below',
      path,
      query: 'fields=title&populate[summary][fields]=headline&populate[summary][populate][origin]=*',
      data: { title, summary },
    },
    { it: '* as the value of what has something below', path, query: 'populate[summary]=*', error: [400, 'at summary.'] },
    { it: 'an empty element of populate', path, query: 'fields=title&populate=,summary.origin,', data: { title, summary } },
    {
      it: 'a later and shorter path wins',
      path,
      query: 'fields=title&populate[0]=summary.origin&populate[1]=summary',
      data: { title, summary: { headline: 'Light' } },
    },
    { it: 'a page of one document', path, query: 'fields=title&page=2', data: { title } },
    { it: 'a start of one document', path, query: 'fields=title&start=1', error: [404, 'Not Found'] },
    { it: 'the documentId of the path wins', path, query: 'fields=title&filters[documentId][$startsWith]=zzzzz', data: { title } },
  ],
};

const policies = (column: 1 | 2) => Object.fromEntries(rules.map(({ policy }) => [policy[0], policy[column]]));
const checkAll = (library: Library, cases: readonly ApiCase[]) => it.each(cases)('$it', (apiCase) => library.check(apiCase, '/api/books'));

describe.each(anyEngine)('%s: profile specification, the default', (engine) => {
  const library = useLibrary(engine);
  checkAll(library, [...rules.flatMap(({ specification }) => specification), ...lenient.specification]);
  it('shows no drafts through a type without drafts', async () => {
    const response = await library.ask('reader', '/api/writers?status=draft&fields=name&populate[books][fields]=title');
    expect(response.status).toBeLessThan(500);
    expect(response.text).not.toContain('Embers');
  });
  it('does not reveal through a type without drafts which books have unpublished changes', async () => {
    const plain = await library.ask('public', '/api/subjects?populate[books][fields]=title&sort=name');
    const filtered = await library.ask('public', '/api/subjects?populate[books][fields]=title&sort=name&publicationFilter=modified');
    expect(plain.status).toBe(200);
    expect(plain.text).toContain('"books"');
    expect(filtered.status).toBe(200);
    expect(filtered.text).not.toContain('"books"');
  });
  it('is named at the start, with the reason', () => {
    for (const says of ['specification', 'default']) expect(library.server.output.stdout).toContain(says);
  });
  describe('with the policies of strapi', () =>
    checkAll(
      useLibrary(engine, policies(2)),
      rules.flatMap(({ strapi }) => strapi),
    ));
});

describe.each(engines)('%s: profile strapi', (engine) => {
  const library = useLibrary(engine, { LECTERN_PROFILE: 'strapi' });
  it('$contains is the database’s own LIKE', () =>
    library.check({ it: '', path: '/api/specimens', query: 'filters[str][$contains]=ALPHA', finds: engine === 'sqlite' ? ['a'] : [] }));
  it('is named at the start, with the reason', () => {
    for (const says of ['strapi', 'LECTERN_PROFILE']) expect(library.server.output.stdout).toContain(says);
  });
  if (!anyEngine.includes(engine)) return;
  checkAll(library, [...rules.flatMap(({ strapi }) => strapi), ...lenient.strapi]);
  describe('with the policies of specification', () =>
    checkAll(
      useLibrary(engine, { LECTERN_PROFILE: 'strapi', ...policies(1) }),
      rules.flatMap(({ specification }) => specification),
    ));
});
