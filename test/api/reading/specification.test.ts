/** The rules in which the two profiles differ, as far as reading is concerned: the default profile, profile `strapi`, and each policy alone. */
import { describe, expect, it } from 'vitest';
import { anyEngine, engines } from '../../support/engines.ts';
import { type ApiCase, bookPath, type Library, useLibrary, useOwnLibrary } from '../../support/library/library.ts';
import type { Environment } from '../../support/server.ts';

interface Rule {
  readonly rule: string;
  /** The environment variable of the policy, and its values in the profiles `specification` and `strapi`. */
  readonly policy: readonly [variable: string, specification: string, strapi: string];
  readonly specification: readonly ApiCase[];
  readonly strapi: readonly ApiCase[];
}

const withPagination = (title: string) => ({ data: [{ title, summary: { headline: 'Light' } }] });

const rules: readonly Rule[] = [
  {
    rule: 'populate together with pagination',
    policy: ['LECTERN_POLICIES_POPULATE_WITH_PAGINATION', 'false', 'true'],
    specification: [
      { it: 'is refused with pages', query: 'populate=summary&pagination[page]=1', error: [400, 'populateWithPagination'] },
      {
        it: 'is refused with offsets',
        query: 'populate=summary&pagination[start]=0&pagination[limit]=1',
        error: [400, 'cannot be combined'],
      },
      { it: 'is refused with withCount', query: 'populate=*&pagination[withCount]=false', error: [400, 'cannot be combined'] },
      {
        it: 'is allowed one at a time: populate',
        query: 'fields=title&sort=title&filters[title]=Lanterns&populate=summary',
        ...withPagination('Lanterns'),
      },
      { it: 'is allowed one at a time: pagination', query: 'sort=title&pagination[pageSize]=1', finds: ['Lanterns'] },
      { it: 'pagination inside populate is refused', query: 'populate[subjects][pagination][page]=1', error: [400, 'pagination'] },
      { it: 'start inside populate is refused', query: 'populate[subjects][start]=1', error: [400, 'start'] },
      { it: 'limit inside populate is refused', query: 'populate[subjects][limit]=1', error: [400, 'limit'] },
      { it: 'page inside populate is refused', query: 'populate[subjects][page]=1', error: [400, 'page'] },
    ],
    strapi: [
      { it: 'is allowed', query: 'fields=title&sort=title&populate=summary&pagination[pageSize]=1', ...withPagination('Lanterns') },
      { it: 'pagination inside populate is refused', query: 'populate[subjects][pagination][page]=1', error: [400, 'pagination'] },
      { it: 'limit inside populate is refused', query: 'populate[subjects][limit]=1', error: [400, 'limit'] },
    ],
  },
  {
    rule: 'a locale that is not defined',
    policy: ['LECTERN_POLICIES_REFUSE_UNDEFINED_LOCALE', 'true', 'false'],
    specification: [
      { it: 'is refused', query: 'locale=fr', error: [400, "'locale'"] },
      { it: 'is refused with the names of the defined ones', query: 'locale=fr', error: [400, 'en, de'] },
      { it: 'is refused for one document', path: bookPath('lanterns'), query: 'locale=fr', error: [400, 'fr'] },
      { it: 'is refused for a single type', path: '/api/entrance', query: 'locale=fr', error: [400, 'fr'] },
      { it: 'is refused in a list', query: 'locale[]=en&locale[]=fr', error: [400, 'fr'] },
      { it: 'is refused in another letter case', query: 'locale=DE', error: [400, 'DE'] },
    ],
    strapi: [
      { it: 'finds nothing', query: 'locale=fr', finds: [] },
      { it: 'is 404 for one document', path: bookPath('lanterns'), query: 'locale=fr', error: [404, 'Not Found'] },
    ],
  },
  {
    rule: 'reading drafts',
    policy: ['LECTERN_POLICIES_DRAFTS_NEED_RIGHT', 'true', 'false'],
    specification: [
      { it: 'is refused to the public', query: 'status=draft', error: [403, 'findDraft'] },
      { it: 'is refused to a user', as: 'reader', query: 'status=draft', error: [403, 'findDraft'] },
      { it: 'is refused to a custom token without the right', as: 'custom', query: 'status=draft', error: [403, 'findDraft'] },
      { it: 'is refused for one document', path: bookPath('embers'), query: 'status=draft', error: [403, 'findDraft'] },
      { it: 'is refused for a single type', path: '/api/entrance', query: 'status=draft', error: [403, 'findDraft'] },
      {
        it: 'is allowed to a custom token with the right',
        as: 'editor',
        path: bookPath('embers'),
        query: 'status=draft&fields=title',
        data: { title: 'Embers' },
      },
      {
        it: 'is allowed to the full-access token',
        as: 'full',
        path: bookPath('embers'),
        query: 'status=draft&fields=title',
        data: { title: 'Embers' },
      },
      {
        it: 'is allowed to the read-only token',
        as: 'readonly',
        path: bookPath('embers'),
        query: 'status=draft&fields=title',
        data: { title: 'Embers' },
      },
      { it: 'does not concern types without drafts', path: '/api/rules', query: 'status=draft&fields=text', data: { text: 'Be quiet' } },
    ],
    strapi: [
      { it: 'is open to everybody who may find', path: bookPath('embers'), query: 'status=draft&fields=title', data: { title: 'Embers' } },
    ],
  },
];

const letterCase: ApiCase[] = [
  { it: '$contains', query: 'filters[str][$contains]=ALPHA', finds: [] },
  { it: '$startsWith', query: 'filters[str][$startsWith]=ALPHA', finds: [] },
  { it: '$endsWith', query: 'filters[str][$endsWith]=ALPHA', finds: [] },
  { it: '$notContains', query: 'filters[str][$notContains]=ALPHA&filters[label]=a', finds: ['a'] },
  { it: '$containsi, which is not', query: 'filters[str][$containsi]=ALPHA', finds: ['a'] },
];

const checkAll = (library: Library, cases: readonly ApiCase[]) => it.each(cases)('$it', (apiCase) => library.check(apiCase, '/api/books'));
const checkLetterCase = (library: Library) =>
  describe('letter case counts in', () => it.each(letterCase)('$it', (apiCase) => library.check(apiCase, '/api/specimens')));

describe.each(engines)('%s: profile specification, the default', (engine) => {
  const library = useLibrary(engine);
  checkLetterCase(library);
  it('shows no drafts through a type without drafts', async () => {
    const response = await library.ask('reader', '/api/writers?status=draft&fields=name&populate[books][fields]=title');
    expect(response.status).toBeLessThan(500);
    expect(response.text).not.toContain('Embers');
  });
});

describe.each(engines)('%s: profile strapi', (engine) => {
  const library = useOwnLibrary(engine, { LECTERN_PROFILE: 'strapi' });
  if (anyEngine.includes(engine)) describe.each(rules)('$rule', ({ strapi }) => checkAll(library, strapi));
  it('$contains is the database’s own LIKE', () =>
    library.check({ it: '', path: '/api/specimens', query: 'filters[str][$contains]=ALPHA', finds: engine === 'sqlite' ? ['a'] : [] }));
  it('is named at the start, with the reason', () => {
    for (const says of ['strapi', 'LECTERN_PROFILE']) expect(library.server.output.stdout).toContain(says);
  });
});

describe.each(anyEngine)('%s: profile specification', (engine) => {
  describe('alone', () => {
    const library = useLibrary(engine);
    describe.each(rules)('$rule', ({ specification }) => checkAll(library, specification));
    it('is named at the start, with the reason', () => {
      for (const says of ['specification', 'default']) expect(library.server.output.stdout).toContain(says);
    });
  });

  describe('with the policies of strapi', () => {
    const library = useOwnLibrary(
      engine,
      policies((rule) => rule.policy[2]),
    );
    describe.each(rules)('$rule', ({ strapi }) => checkAll(library, strapi));
  });
});

describe.each(engines)('%s: profile strapi with the policies of specification', (engine) => {
  const library = useOwnLibrary(engine, {
    LECTERN_PROFILE: 'strapi',
    LECTERN_POLICIES_CASE_SENSITIVE_LIKE: 'true',
    ...policies((rule) => rule.policy[1]),
  });
  if (anyEngine.includes(engine)) describe.each(rules)('$rule', ({ specification }) => checkAll(library, specification));
  checkLetterCase(library);
});

function policies(value: (rule: Rule) => string): Environment {
  return Object.fromEntries(rules.map((rule) => [rule.policy[0], value(rule)]));
}
