import { describe, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { type ApiCase, useLibrary } from '../../support/library/library.ts';

const cases: ApiCase[] = [
  { it: 'without sort: by id', finds: ['Lanterns', 'Maps', 'tides', 'Quiet'] },
  { it: 'ascending when unsaid', query: 'sort=pages', finds: ['Quiet', 'tides', 'Lanterns', 'Maps'] },
  { it: 'ascending', query: 'sort=pages:asc', finds: ['Quiet', 'tides', 'Lanterns', 'Maps'] },
  { it: 'descending, null last', query: 'sort=pages:desc', finds: ['Maps', 'Lanterns', 'tides', 'Quiet'] },
  { it: 'the direction in capitals', query: 'sort=pages:DESC', finds: ['Maps', 'Lanterns', 'tides', 'Quiet'] },
  { it: 'text by code point: capitals first', query: 'sort=title', finds: ['Lanterns', 'Maps', 'Quiet', 'tides'] },
  { it: 'text by code point, descending', query: 'sort=title:desc', finds: ['tides', 'Quiet', 'Maps', 'Lanterns'] },
  { it: 'by several, comma list', query: 'sort=genre:desc,title', finds: ['tides', 'Maps', 'Lanterns', 'Quiet'] },
  { it: 'by several, list', query: 'sort[0]=genre:desc&sort[1]=title', finds: ['tides', 'Maps', 'Lanterns', 'Quiet'] },
  { it: 'as an object', query: 'sort[pages]=desc', finds: ['Maps', 'Lanterns', 'tides', 'Quiet'] },
  { it: 'as a list of objects', query: 'sort[0][pages]=desc&sort[1][title]=asc', finds: ['Maps', 'Lanterns', 'tides', 'Quiet'] },
  { it: 'by time', query: 'sort=createdAt:desc', finds: ['Quiet', 'tides', 'Maps', 'Lanterns'] },
  { it: 'through a relation, dots', as: 'reader', query: 'sort=writer.name,title', finds: ['Quiet', 'Lanterns', 'Maps', 'tides'] },
  { it: 'through a relation, object', as: 'reader', query: 'sort[writer][name]=desc', finds: ['tides', 'Lanterns', 'Maps', 'Quiet'] },
  { it: 'through a to-many relation: each entry once', query: 'sort=subjects.rank,title', finds: ['Quiet', 'Lanterns', 'Maps', 'tides'] },
  { it: 'through a component', query: 'sort=summary.headline,title', finds: ['Maps', 'Quiet', 'Lanterns', 'tides'] },
  { it: 'through a media attribute', query: 'sort=cover.name:desc,title', finds: ['tides', 'Lanterns', 'Maps', 'Quiet'] },
  { it: 'ignores empty items', query: 'sort=,pages,', finds: ['Quiet', 'tides', 'Lanterns', 'Maps'] },
  { it: 'refuses an unknown attribute', query: 'sort=nope', error: [400, 'nope'] },
  { it: 'refuses an unknown direction', query: 'sort=title:up', error: [400, 'order'] },
  { it: 'refuses a leading minus', query: 'sort=-title', error: [400, '-title'] },
  { it: 'refuses a relation itself', query: 'sort=subjects', error: [400, 'subjects'] },
  { it: 'refuses a component itself', query: 'sort=summary', error: [400, 'summary'] },
  { it: 'refuses a private attribute', query: 'sort=acquisitionNote', error: [400, 'acquisitionNote'] },
  {
    it: 'refuses a private attribute to a full-access token',
    as: 'full',
    query: 'sort=acquisitionNote:desc',
    error: [400, 'acquisitionNote'],
  },
  { it: 'refuses a private attribute behind a relation', as: 'full', query: 'sort=writer.email', error: [400, 'email'] },
  { it: 'refuses a password', as: 'full', query: 'sort=passcode', error: [400, 'passcode'] },
  { it: 'refuses more terms than the limit', query: `sort=${Array.from({ length: 21 }, () => 'title').join()}`, error: [400, 'sortTerms'] },
];

describe.each(engines)('%s: sort', (engine) => {
  const library = useLibrary(engine);
  it.each(cases)('$it', (apiCase) => library.check(apiCase, '/api/books'));
});
