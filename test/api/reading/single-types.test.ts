import { describe, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { type ApiCase, useLibrary } from '../../support/library/library.ts';

const cases: ApiCase[] = [
  { it: 'its published version', query: 'fields=heading', data: { heading: 'Welcome' }, meta: {} },
  { it: 'its draft', as: 'full', query: 'fields=heading&status=draft', data: { heading: 'Welcome, drafted' } },
  { it: 'a locale that is a draft only', query: 'locale=de', error: [404, 'Not Found'] },
  {
    it: 'a locale that is a draft only, as a draft',
    as: 'full',
    query: 'locale=de&status=draft&fields=heading',
    data: { heading: 'Willkommen' },
  },
  {
    it: 'its relations in their order',
    query: 'fields=heading&populate[featured][fields]=title',
    data: { heading: 'Welcome', featured: [{ title: 'tides' }, { title: 'Lanterns' }] },
  },
  { it: 'its components', query: 'fields=heading&populate=welcome', data: { heading: 'Welcome', welcome: { headline: 'Come in' } } },
  { it: 'nothing when a filter leaves it out', query: 'filters[heading]=x', error: [404, 'Not Found'] },
  { it: 'itself when a filter leaves it in', query: 'filters[heading]=Welcome&fields=heading', data: { heading: 'Welcome' } },
  { it: 'a type without drafts and locales', path: '/api/rules', query: 'fields=text', data: { text: 'Be quiet' } },
];

describe.each(engines)('%s: single types', (engine) => {
  const library = useLibrary(engine);
  it.each(cases)('gives $it', (apiCase) => library.check(apiCase, '/api/entrance'));
});
