/** Queries that Strapi reads leniently, and profile `specification` refuses or reads literally. The behaviour of profile `strapi` is recorded:
 *  test/compatibility/recordings/reads/reads/queries.json. */
import { describe, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { type ApiCase, bookPath, useOwnLibrary } from '../../support/library/library.ts';

const path = bookPath('lanterns');
const title = 'Lanterns';

const inBoth: ApiCase[] = [
  { it: 'names beside * are checked', query: 'fields[0]=*&fields[1]=nonsense', error: [400, 'Invalid key nonsense'] },
  { it: 'names beside * are checked, in populate', query: 'populate[subjects][fields]=*,nope', error: [400, 'Invalid key nope'] },
  { it: 'an empty publicationFilter is none', query: 'publicationFilter=', error: [400, 'publicationFilter'] },
  { it: 'an empty hasPublishedVersion is none', query: 'hasPublishedVersion=', error: [400, 'hasPublishedVersion'] },
  { it: 'count is true or false', query: 'populate[subjects][count]=x', error: [400, 'Invalid key count at subjects'] },
  { it: 'an empty populate inside populate', query: 'populate[subjects][populate]=', error: [400, 'Invalid key'] },
  { it: 'an empty order of what does not exist', query: 'sort[nope]=', error: [400, 'Invalid key nope'] },
  {
    it: 'a list within $or is one condition: all that it holds',
    path: '/api/subjects',
    query: 'fields=name&sort=name&filters[$or][0][0][name][$contains]=tic&filters[$or][0][1][rank]=3&filters[$or][1][name]=Physics',
    finds: ['Optics', 'Physics'],
  },
];

const inSpecification: ApiCase[] = [
  { it: 'an empty element of populate', query: 'populate=subjects,', error: [400, 'Invalid key'] },
  { it: 'a path that ends with a dot', query: 'populate=subjects.', error: [400, 'Invalid key'] },
  { it: '* as the value of a relation', query: 'populate[summary]=*', error: [400, 'Invalid key *'] },
  { it: 'a list is no word for true', query: 'filters[title][$null][0]=x', error: [400, 'filters[title][$null]'] },
  {
    it: 'the documentId of the path and of the filter both hold',
    query: 'filters[documentId][$startsWith]=zzzzz',
    error: [404, 'Not Found'],
  },
  { it: 'page belongs into pagination', query: 'page=2', error: [400, 'pagination[page]'] },
  {
    it: 'a shorter path takes nothing away from a longer one',
    query: 'fields=title&populate[0]=summary.origin&populate[1]=summary',
    data: { title, summary: { headline: 'Light', origin: { place: 'Oslo', year: 1999 } } },
  },
];

const inStrapi: ApiCase[] = [
  {
    it: '* as the value of what has nothing below',
    query: 'fields=title&populate[summary][fields]=headline&populate[summary][populate][origin]=*',
    data: { title, summary: { headline: 'Light', origin: { place: 'Oslo', year: 1999 } } },
  },
  { it: '* as the value of what has something below', query: 'populate[summary]=*', error: [400, 'at summary.'] },
  {
    it: 'an empty element of populate',
    query: 'fields=title&populate=,summary.origin,',
    data: { title, summary: { headline: 'Light', origin: { place: 'Oslo', year: 1999 } } },
  },
  {
    it: 'a later and shorter path wins',
    query: 'fields=title&populate[0]=summary.origin&populate[1]=summary',
    data: { title, summary: { headline: 'Light' } },
  },
  { it: 'a page of one document', query: 'fields=title&page=2', data: { title } },
  { it: 'a start of one document', query: 'fields=title&start=1', error: [404, 'Not Found'] },
  { it: 'the documentId of the path wins', query: 'fields=title&filters[documentId][$startsWith]=zzzzz', data: { title } },
];

describe.each(anyEngine)('%s', (engine) => {
  describe.each([
    ['specification', [...inBoth, ...inSpecification]],
    ['strapi', [...inBoth, ...inStrapi]],
  ] as const)('profile %s', (profile, cases) => {
    const library = useOwnLibrary(engine, { LECTERN_PROFILE: profile });
    it.each(cases)('$it', (apiCase) => library.check(apiCase, path));
  });
});
