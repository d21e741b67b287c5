import { describe, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { type ApiCase, bookPath, useLibrary } from '../../support/library/library.ts';

const english = ['Lanterns', 'Maps', 'Quiet', 'tides'];

const locales: ApiCase[] = [
  { it: 'the default locale when nothing is said', query: 'sort=title', finds: english },
  { it: 'the default locale when nothing is named', query: 'sort=title&locale=', finds: english },
  { it: 'the default locale by name', query: 'sort=title&locale=en', finds: english },
  { it: 'another locale', query: 'sort=title&locale=de', finds: ['Laternen'] },
  { it: 'all locales', query: 'sort=title&locale=*', finds: ['Lanterns', 'Laternen', 'Maps', 'Quiet', 'tides'] },
  { it: 'a list of locales', query: 'sort=title&locale[]=en&locale[]=de', finds: ['Lanterns', 'Laternen', 'Maps', 'Quiet', 'tides'] },
  { it: 'a filter on locale takes the place of the default', query: 'sort=title&filters[locale]=de', finds: ['Laternen'] },
  {
    it: 'one document in another locale',
    path: bookPath('lanterns'),
    query: 'locale=de&fields=title,locale',
    data: { title: 'Laternen', locale: 'de' },
  },
  {
    it: 'what is not localized, taken over',
    path: bookPath('lanterns'),
    query: 'locale=de&fields=title,pages',
    data: { title: 'Laternen', pages: 120 },
  },
  { it: 'a document that does not exist in that locale', path: bookPath('maps'), query: 'locale=de', error: [404, 'Not Found'] },
  {
    it: 'the components of that locale',
    path: bookPath('lanterns'),
    query: 'locale=de&fields=title&populate=summary',
    data: { title: 'Laternen', summary: { headline: 'Licht' } },
  },
  {
    it: 'a type that is not localized, whatever the locale',
    path: '/api/subjects',
    query: 'locale=de&sort=rank&filters[rank][$lt]=3',
    finds: ['Science', 'Physics'],
  },
  { it: 'refuses a locale that is no locale', query: 'locale=en,de', error: [400, 'locale'] },
];

const published: ApiCase[] = [
  { it: 'published when nothing is said', query: 'sort=slug', finds: english },
  { it: 'published by name', query: 'sort=title&status=published', finds: english },
  { it: 'published for an empty status, which opens no drafts', query: 'sort=title&status=', finds: english },
  { it: 'published for a status without value', query: 'sort=title&status', finds: english },
  { it: 'a draft is not found by its documentId', path: bookPath('embers'), query: '', error: [404, 'Not Found'] },
  { it: 'a filter for what is not published finds nothing', query: 'filters[publishedAt][$null]=true', finds: [] },
  { it: 'refuses another status', query: 'status=modified', error: [400, 'status'] },
  { it: 'refuses two statuses', query: 'status=draft&status=published', error: [400, 'status'] },
];

const drafts: ApiCase[] = [
  { it: 'the draft of every document', query: 'sort=title', finds: ['Embers', 'Lanterns', 'Maps, revised', 'Quiet', 'tides'] },
  { it: 'one draft', path: bookPath('maps'), query: 'fields=title,publishedAt', data: { title: 'Maps, revised', publishedAt: null } },
  { it: 'one that was never published', path: bookPath('embers'), query: 'fields=title', data: { title: 'Embers' } },
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
  { it: 'never-published-document', query: 'publicationFilter=never-published-document&sort=title', finds: ['Embers'] },
  {
    it: 'has-published-version-document',
    query: 'publicationFilter=has-published-version-document&sort=title',
    finds: ['Lanterns', 'Maps, revised', 'Quiet', 'tides'],
  },
  { it: 'published-with-draft, of drafts', query: 'publicationFilter=published-with-draft', finds: [] },
  { it: 'hasPublishedVersion=true', query: 'hasPublishedVersion=true&sort=title', finds: ['Lanterns', 'Maps, revised', 'Quiet', 'tides'] },
  { it: 'hasPublishedVersion=false', query: 'hasPublishedVersion=false&sort=title', finds: ['Embers'] },
  { it: 'refuses another one', query: 'publicationFilter=nope', error: [400, 'publicationFilter'] },
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
