import { expect, it } from 'vitest';
import { printRequest } from '../../../test/support/stages/print-request.ts';
import { outcome, type ReadInput, ReadStages } from '../../../test/support/stages/read-stages.ts';
import { testProfiles } from '../../../test/support/stages/test-profiles.ts';

interface Case extends ReadInput {
  readonly it: string;
  /** What differs from a plain GET: `+ tags` is a populated attribute, and the lines below it are
   *  what is requested of its rows. */
  readonly gives: string;
}

const cases: readonly Case[] = [
  {
    it: 'sorts by several attributes',
    query: 'articles?sort=title:desc,createdAt',
    gives: 'sort title desc, createdAt asc',
  },
  {
    it: 'sorts through relations, in each of its forms',
    query: 'articles?sort[0]=section.name:DESC&sort[1]=seo.description',
    gives: 'sort section.name desc, seo.description asc',
  },
  {
    it: 'refuses an order that is neither asc nor desc',
    query: 'articles?sort=title:up',
    gives: '400 sort.order',
  },
  {
    it: 'refuses to sort by a relation',
    query: 'articles?sort=section',
    gives: '400 query.invalid-key: section',
  },
  {
    it: 'chooses fields',
    query: 'articles?fields=title, slug',
    gives: 'fields title, slug',
  },
  {
    it: 'takes * for all fields',
    query: 'articles?fields[0]=title&fields[1]=*',
    gives: 'as by default',
  },
  {
    it: 'refuses a relation among the fields',
    query: 'articles?fields=section',
    gives: '400 query.invalid-key: section',
  },
  {
    it: 'reads a page',
    query: 'articles?pagination[page]=3&pagination[pageSize]=10',
    gives: 'page 3 of 10, offset 20, limit 10',
  },
  {
    it: 'reads a start, and limits it to the largest page',
    query: 'articles?pagination[start]=5&pagination[limit]=1000&pagination[withCount]=false',
    gives: 'start 5, offset 5, limit 100, not counted',
  },
  {
    it: 'refuses a page together with a start',
    query: 'articles?pagination[page]=1&pagination[start]=0',
    gives: '400 pagination.mixed',
  },
  {
    it: 'refuses half a row',
    query: 'articles?pagination[limit]=1.5',
    gives: '400 pagination.limit',
  },
  {
    it: 'refuses page outside of pagination',
    query: 'articles?page=2',
    gives: '400 pagination.place',
  },
  {
    it: 'has no pagination for one document',
    query: 'articles/abc?pagination[page]=2',
    gives: 'as by default',
  },
  {
    it: 'populates by names',
    query: 'articles?populate=section,cover',
    gives: `
      + section
      + cover
    `,
  },
  {
    it: 'populates along a path',
    query: 'articles?populate=section.editor',
    gives: `
      + section
        + editor
    `,
  },
  {
    it: 'populates with options',
    query:
      'articles?populate[tags][fields]=name&populate[tags][filters][name][$ne]=x&populate[tags][sort]=name&populate[seo][populate]=image',
    gives: `
      + tags
        fields name
        where name <> "x"
        sort name asc
      + seo
        + image
    `,
  },
  {
    it: 'counts related rows in place of reading them',
    query: 'articles?populate[tags][count]=true',
    gives: '+ tags (count)',
  },
  {
    it: 'populates each component of a dynamic zone',
    query: 'articles?populate[blocks][populate]=*',
    gives: `
      + blocks
        on part.hero
          + image
        on part.quote
    `,
  },
  {
    it: 'populates the named components of a dynamic zone',
    query: 'articles?populate[blocks][on][part.hero][fields]=heading',
    gives: `
      + blocks
        on part.hero (of the status)
          fields heading
    `,
  },
  {
    it: 'populates everything on one level',
    query: 'articles?fields=id&populate=*',
    gives: `
      fields id
      + section
      + tags
      + cover
      + comments
      + seo
      + links
      + blocks
        on part.hero
        on part.quote
      + localizations
    `,
  },
  {
    it: 'refuses to populate a scalar attribute',
    query: 'articles?populate=title',
    gives: '400 query.invalid-key: title',
  },
  {
    it: 'refuses fields of a dynamic zone as a whole',
    query: 'articles?populate[blocks][fields]=heading',
    gives: '400 populate.zone',
  },
  {
    it: 'refuses populate together with pagination',
    query: 'articles?populate=tags&pagination[page]=1',
    gives: '400 populate.with-pagination',
  },
  {
    it: 'reads drafts of a locale',
    query: 'articles?status=draft&locale=fr',
    gives: `
      drafts
      locale fr
    `,
  },
  {
    it: 'reads every locale',
    query: 'articles?locale=*',
    gives: 'locale any',
  },
  {
    it: 'ignores the locale on types without locales',
    query: 'sections?locale=fr',
    gives: 'as by default',
  },
  {
    it: 'lets a filter on the locale take the place of the default one',
    query: 'articles?filters[locale]=fr',
    gives: `
      locale any
      where locale = "fr"
    `,
  },
  {
    it: 'refuses an undefined locale',
    query: 'articles?locale=de',
    gives: '400 locale.undefined',
  },
  {
    it: 'reads the locales that stand in for another one',
    query: 'articles?locale=fr&fallback=en,fr',
    gives: `
      locale fr
      first of [fr, en]
    `,
  },
  {
    it: 'reads them on types without locales, for what these populate',
    query: 'sections?fallback[]=fr',
    gives: 'first of [en, fr]',
  },
  {
    it: 'reads none from false',
    query: 'articles?fallback=false',
    gives: 'as by default',
  },
  {
    it: 'refuses them beside every locale',
    query: 'articles?locale=*&fallback=en',
    gives: '400 fallback.one',
  },
  {
    it: 'refuses true without a configuration',
    query: 'articles?fallback=true',
    gives: '400 fallback.unset',
  },
  {
    it: 'refuses what is no locale',
    query: 'articles?fallback=en,*',
    gives: '400 locale.format',
  },
  {
    it: 'refuses an unknown status',
    query: 'articles?status=secret',
    gives: '400 status.value',
  },
  {
    it: 'reads a publication filter',
    query: 'articles?publicationFilter=modified',
    gives: 'publication filter modified',
  },
  {
    it: 'reads a search text',
    query: 'articles?_q=bread',
    gives: 'search "bread"',
  },
  {
    it: 'refuses an unknown parameter',
    query: 'articles?filter[title]=a',
    gives: '400 query.invalid-key: filter',
  },
];

const casesAsStrapi: readonly Case[] = [
  {
    it: 'ignores empty parts of a path',
    query: 'articles?populate=section.',
    gives: '+ section',
  },
  {
    it: 'lets a later, shorter path take the place of a longer one',
    query: 'articles?populate[0]=section.editor&populate[1]=section',
    gives: '+ section',
  },
  {
    it: 'lets the documentId of the path win over a filter by it',
    query: 'articles/abc?filters[documentId]=def&filters[title]=a',
    gives: 'where title = "a"',
  },
  {
    it: 'allows populate together with pagination',
    query: 'articles?populate=tags&pagination[page]=2',
    gives: `
      page 2 of 25, offset 25, limit 25
      + tags
    `,
  },
  {
    it: 'accepts a locale that is not defined',
    query: 'articles?locale=de',
    gives: 'locale de',
  },
  {
    it: 'asks for components that the schema of a zone does not list',
    query: 'articles?populate=blocks',
    gives: `
      + blocks (zone api::article.article.blocks)
        on part.hero
        on part.quote
    `,
  },
];

testProfiles(ReadStages, { specification: cases, strapi: casesAsStrapi }, (stages, input) =>
  outcome(() => stages.parse(input), printRequest),
);

it('makes a request of a plain GET', () => {
  const { type, selection, ...request } = new ReadStages().parse({ query: 'tags' });
  expect(type.uid).toBe('api::tag.tag');
  expect(selection).toEqual({ schema: type, fields: undefined, filter: undefined, sort: [], populate: [], endsHere: false });
  expect(request).toEqual({
    target: 'list',
    keyedBy: 'documentId',
    envelope: 'flat',
    restriction: undefined,
    isPopulatedByDefault: false,
    status: 'published',
    locale: { kind: 'not localized' },
    publicationFilter: undefined,
    search: undefined,
    pagination: { kind: 'page', page: 1, pageSize: 25, withCount: true, offset: 0, limit: 25 },
  });
});
