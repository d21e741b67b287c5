import { describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { type ApiCase, bodyOf, bookPath, useLibrary } from '../../support/library/library.ts';

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

const cases: ApiCase[] = [
  { it: 'returns every scalar attribute but private ones and passwords when nothing is said', query: '', data: lanterns },
  { it: 'takes one name', query: 'fields=title', data: { title: 'Lanterns' } },
  { it: 'takes a comma list, spaces around the commas', query: 'fields=title,%20pages', data: { title: 'Lanterns', pages: 120 } },
  { it: 'takes an indexed list', query: 'fields[0]=title&fields[1]=genre', data: { title: 'Lanterns', genre: 'essay' } },
  { it: 'takes an unindexed list', query: 'fields[]=title&fields[]=genre', data: { title: 'Lanterns', genre: 'essay' } },
  { it: 'takes a repeated parameter', query: 'fields=title&fields=genre', data: { title: 'Lanterns', genre: 'essay' } },
  { it: 'takes encoded brackets', query: 'fields%5B0%5D=title', data: { title: 'Lanterns' } },
  { it: 'takes * for everything', query: 'fields=*', data: lanterns },
  { it: 'takes * in a list for everything', query: 'fields[0]=*&fields[1]=title', data: lanterns },
  { it: 'takes a parameter without a value for everything', query: 'fields', data: lanterns },
  { it: 'names a field twice without harm', query: 'fields=title,title', data: { title: 'Lanterns' } },
  {
    it: 'gives the system fields by name',
    query: 'fields=locale,publishedAt',
    data: { locale: 'en', publishedAt: '2024-01-01T08:00:00.000Z' },
  },
  { it: 'refuses an unknown attribute', query: 'fields=nope', error: [400, 'nope'] },
  { it: 'refuses an unknown attribute among known ones', query: 'fields=title,nope', error: [400, 'nope'] },
  { it: 'refuses another letter case', query: 'fields=Title', error: [400, 'Title'] },
  { it: 'refuses a relation', query: 'fields=writer', error: [400, 'writer'] },
  { it: 'refuses a media attribute', query: 'fields=cover', error: [400, 'cover'] },
  { it: 'refuses a component', query: 'fields=summary', error: [400, 'summary'] },
  { it: 'refuses a dynamic zone', query: 'fields=sections', error: [400, 'sections'] },
  { it: 'refuses a private attribute', query: 'fields=acquisitionNote', error: [400, 'acquisitionNote'] },
  {
    it: 'refuses a private attribute to a full-access token',
    as: 'full',
    query: 'fields=acquisitionNote',
    error: [400, 'acquisitionNote'],
  },
  { it: 'refuses a password', as: 'full', query: 'fields=passcode', error: [400, 'passcode'] },
  { it: 'refuses an object', query: 'fields[a]=title', error: [400, 'fields'] },
  { it: 'refuses a column name that is no attribute name', query: 'fields=acquisition_note', error: [400, 'acquisition_note'] },
];

describe.each(engines)('%s: fields', (engine) => {
  const library = useLibrary(engine);
  it.each(cases)('$it', (apiCase) => library.check(apiCase, bookPath('lanterns')));

  it('always includes id and documentId', async () => {
    const { data } = bodyOf(await library.ask('public', `${bookPath('lanterns')}?fields=title`));
    expect(Object.keys(Object(data))).toEqual(['id', 'documentId', 'title']);
  });

  it('refuses locale on a type that is not localized', () =>
    library.check({ it: '', path: '/api/subjects', query: 'fields=locale', error: [400, 'locale'] }));
});
