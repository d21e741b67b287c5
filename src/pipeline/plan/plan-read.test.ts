import { printPlan } from '../../../test/support/stages/print-request.ts';
import { type ReadInput, ReadStages } from '../../../test/support/stages/read-stages.ts';
import { testProfiles } from '../../../test/support/stages/test-profiles.ts';

interface Case extends ReadInput {
  readonly it: string;
  /** For each node: type and columns; below: conditions, order and populated attributes (`+`). */
  readonly gives: string;
}

const cases: readonly Case[] = [
  {
    it: 'makes status and locale conditions',
    query: 'articles?fields=title',
    gives: `
      api::article.article: id, documentId, title
        where locale in [en]
        where published
    `,
  },
  {
    it: 'shows the first locale of a chain, and what its links lead on to',
    query: 'articles?fields=title&locale=fr&fallback=en&populate[section][populate][articles][fields]=slug&populate[section][fields]=name',
    gives: `
      api::article.article: id, documentId, title, locale
        where locale in [fr, en]
        where first of [fr, en][published]
        where published
        + section
          api::section.section: id, documentId, name
            + articles
              api::article.article: id, documentId, slug, locale
                linked[published]
                where locale in [fr, en]
                where first of [fr, en][published]
                where published
    `,
  },
  {
    it: 'asks for neither on types that have neither',
    query: 'sections?fields=name',
    gives: 'api::section.section: id, documentId, name',
  },
  {
    it: 'reads drafts of one document in the default locale',
    query: 'articles/doc1?fields=title&status=draft',
    gives: `
      api::article.article: id, documentId, title
        where locale in [en]
        where draft
    `,
  },
  {
    it: 'reads every locale without a condition',
    query: 'articles?fields=title&locale=*',
    gives: `
      api::article.article: id, documentId, title
        where published
    `,
  },
  {
    it: 'moves not to the leaves',
    query: 'tags?fields=name&filters[$not][$or][0][name]=a&filters[$not][$or][1][name][$contains]=b',
    gives: `
      api::tag.tag: id, documentId, name
        where published
        where (not name = "a" and not name with "b" anywhere (sensitive))
    `,
  },
  {
    it: 'takes back not below not',
    query: 'tags?fields=name&filters[$not][$not][name]=a',
    gives: `
      api::tag.tag: id, documentId, name
        where published
        where name = "a"
    `,
  },
  {
    it: 'asks for a related row that fits',
    query: 'sections?fields=name&filters[editor][username]=ann',
    gives: `
      api::section.section: id, documentId, name
        where editor{username = "ann"}
    `,
  },
  {
    it: 'asks for a related row that does not fit, below not',
    query: 'sections?fields=name&filters[$not][editor][username]=ann',
    gives: `
      api::section.section: id, documentId, name
        where editor{not username = "ann"}
    `,
  },
  {
    it: 'allows for no related row where the condition holds of nulls',
    query: 'sections?fields=name&filters[editor][username][$null]=true',
    gives: `
      api::section.section: id, documentId, name
        where editor{username is null} or none
    `,
  },
  {
    it: 'keeps related rows to the status of the request',
    query: 'articles?fields=title&filters[tags][name]=a&sort=tags.name',
    gives: `
      api::article.article: id, documentId, title
        where locale in [en]
        where published
        where tags[published]{name = "a"}
        order tags[published].name asc
    `,
  },
  {
    it: 'compares with letter case, or folds it',
    query: 'tags?fields=name&filters[name][$contains]=A&filters[name][$containsi]=B',
    gives: `
      api::tag.tag: id, documentId, name
        where published
        where (name with "A" anywhere (sensitive) and name with "B" anywhere (folded))
    `,
  },
  {
    it: 'searches every text, and numbers by a number',
    query: 'articles?fields=title&_q=42',
    gives: `
      api::article.article: id, documentId, title
        where locale in [en]
        where id|documentId|title|slug|body|rating|views|price|mood|locale with "42" (folded)
        where published
    `,
  },
  {
    it: 'searches no number by a text',
    query: 'comments?fields=text&_q=bread',
    gives: `
      api::comment.comment: id, documentId, text
        where id|documentId|text with "bread" (folded)
    `,
  },
  {
    it: 'populates rows of the same status',
    query: 'sections?fields=name&populate[articles][fields]=title',
    gives: `
      api::section.section: id, documentId, name
        + articles
          api::article.article: id, documentId, title
            where published
    `,
  },
  {
    it: 'counts',
    query: 'articles?fields=title&populate[tags][count]=true',
    gives: `
      api::article.article: id, documentId, title
        where locale in [en]
        where published
        + tags (count)
          api::tag.tag: id, documentId, name, createdAt, updatedAt, publishedAt
            where published
    `,
  },
  {
    it: 'selects id and documentId before the chosen fields',
    query: 'tags?fields[0]=createdAt&fields[1]=name',
    gives: `
      api::tag.tag: id, documentId, createdAt, name
        where published
    `,
  },
  {
    it: 'plans a branch for each component of a zone',
    query: 'articles?fields=title&populate=blocks',
    gives: `
      api::article.article: id, documentId, title
        where locale in [en]
        where published
        + blocks
          part.hero: id, heading
          part.quote: id, text
    `,
  },
  {
    it: 'compares the versions of a document',
    query: 'tags?fields=name&publicationFilter=modified&status=draft',
    gives: `
      api::tag.tag: id, documentId, name
        where draft
        where modified of draft
    `,
  },
  {
    it: 'asks for no row in a locale that cannot be',
    query: 'articles/doc1?fields=title&locale=*',
    gives: `
      api::article.article: id, documentId, title
        where locale in []
        where published
    `,
  },
];

const casesAsStrapi: readonly Case[] = [
  {
    it: 'leaves related rows of either status',
    query: 'articles?fields=title&filters[tags][name]=a',
    gives: `
      api::article.article: id, documentId, title
        where locale in [en]
        where published
        where tags{name = "a"}
    `,
  },
  {
    it: 'folds letter case as the engine does',
    query: 'tags?fields=name&filters[name][$contains]=A&filters[name][$containsi]=B',
    gives: `
      api::tag.tag: id, documentId, name
        where published
        where (name with "A" anywhere (native) and name with "B" anywhere (nativeFolded))
    `,
  },
  {
    it: 'selects what rows are sorted by where tables are joined',
    query: 'sections?fields=name&sort=createdAt&filters[editor][username]=ann',
    gives: `
      api::section.section: createdAt, id, documentId, name
        where editor{username = "ann"}
        order createdAt asc
    `,
  },
  {
    it: 'names the zone whose unlisted components are asked for',
    query: 'articles?fields=title&populate=blocks',
    gives: `
      api::article.article: id, documentId, title
        where locale in [en]
        where published
        + blocks (zone api::article.article.blocks)
          part.hero: id, heading
          part.quote: id, text
    `,
  },
];

testProfiles(ReadStages, { specification: cases, strapi: casesAsStrapi }, (stages, input) => printPlan(stages.plan(input)));
