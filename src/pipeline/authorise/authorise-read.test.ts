import { printPermitted } from '../../../test/support/stages/print-request.ts';
import { outcome, ReadStages } from '../../../test/support/stages/read-stages.ts';
import { type RoleRights, rightsOf } from '../../../test/support/stages/role-rights.ts';
import { testProfiles } from '../../../test/support/stages/test-profiles.ts';

interface Case extends RoleRights {
  readonly it: string;
  readonly query: string;
  /** The request that is permitted, with the rows that the caller may see, or the refusal. */
  readonly gives: string;
}

const cases: readonly Case[] = [
  {
    it: 'keeps what the caller may find',
    query: 'articles?populate=section',
    may: ['article.find', 'section.find'],
    gives: '+ section',
  },
  {
    it: 'leaves out a relation whose type the caller may not find',
    query: 'articles?populate=section,tags',
    may: ['article.find', 'tag.find'],
    gives: '+ tags',
  },
  {
    it: 'leaves out a relation of users as of any other type',
    query: 'sections?populate=editor',
    may: ['section.find'],
    gives: 'as by default',
  },
  {
    it: 'always shows components and media',
    query: 'articles?populate=seo,cover,blocks',
    may: ['article.find'],
    gives: `
      + seo
      + cover
      + blocks
        on part.hero
        on part.quote
    `,
  },
  {
    it: 'refuses a filter through a relation whose type the caller may not find',
    query: 'articles?filters[section][name]=a',
    may: ['article.find'],
    gives: '400 query.invalid-key: section',
  },
  {
    it: 'refuses a sort through it',
    query: 'articles?sort=section.name',
    may: ['article.find'],
    gives: '400 query.invalid-key: section',
  },
  {
    it: 'refuses a filter below it in populate',
    query: 'articles?populate[tags][filters][articles][title]=a',
    may: ['tag.find'],
    gives: '400 query.invalid-key: articles',
  },
  {
    it: 'shows of any type the types that the caller may find',
    query: 'comments?populate=about',
    may: ['comment.find', 'section.find'],
    gives: `
      + about
        on api::comment.comment
        on api::section.section
    `,
  },
  {
    it: 'refuses drafts without a right to them',
    query: 'articles?status=draft',
    may: ['article.find'],
    gives: '403 access.drafts',
  },
  {
    it: 'refuses a publication filter, which tells of drafts',
    query: 'articles?publicationFilter=modified',
    may: ['article.find'],
    gives: '403 access.drafts',
  },
  {
    it: 'shows drafts of the types whose drafts the caller may find',
    query: 'articles?status=draft&populate=section,tags',
    may: ['article.find', 'article.findDraft', 'section.find', 'tag.find'],
    gives: `
      drafts
      + section
    `,
  },
  {
    it: 'shows the fields that a right is restricted to',
    query: 'articles',
    may: ['article.find'],
    rules: { 'article.find': { fields: ['title', 'section'] } },
    gives: `
      searchable: title, section
      fields id, documentId, title
    `,
  },
  {
    it: 'refuses another field',
    query: 'articles?fields=body',
    may: ['article.find'],
    rules: { 'article.find': { fields: ['title'] } },
    gives: '400 query.invalid-key: body',
  },
  {
    it: 'refuses a filter by another field',
    query: 'articles?filters[body]=a',
    may: ['article.find'],
    rules: { 'article.find': { fields: ['title'] } },
    gives: '400 query.invalid-key: body',
  },
  {
    it: 'refuses a sort by another field',
    query: 'articles?sort=body',
    may: ['article.find'],
    rules: { 'article.find': { fields: ['title'] } },
    gives: '400 query.invalid-key: body',
  },
  {
    it: 'leaves out another field that is populated',
    query: 'articles?populate=section,tags',
    may: ['article.find', 'section.find', 'tag.find'],
    rules: { 'article.find': { fields: ['title', 'tags'] } },
    gives: `
      searchable: title, tags
      fields id, documentId, title
      + tags
    `,
  },
  {
    it: 'shows the rows that a right is restricted to',
    query: 'articles?fields=title',
    may: ['article.find'],
    rules: { 'article.find': { where: { section: { name: 'News' } } } },
    gives: `
      rows: section{name = "News"}
      fields title
    `,
  },
  {
    it: 'fills in the values of the user',
    query: 'articles?fields=title',
    may: ['article.find'],
    rules: { 'article.find': { where: { section: { editor: '$user.id' } } } },
    user: { id: '7' },
    gives: `
      rows: section{editor{id = 7}}
      fields title
    `,
  },
  {
    it: 'shows no row to a caller without the value',
    query: 'articles?fields=title',
    may: ['article.find'],
    rules: { 'article.find': { where: { $not: { section: { editor: '$user.id' } } } } },
    gives: `
      rows: id is never
      fields title
    `,
  },
  {
    it: 'lets a condition name a private attribute',
    query: 'articles?fields=title',
    may: ['article.find'],
    rules: { 'article.find': { where: { note: 'open' } } },
    gives: `
      rows: note = "open"
      fields title
    `,
  },
  {
    it: 'shows no row by a condition on a removed attribute',
    query: 'articles?fields=title',
    may: ['article.find'],
    rules: { 'article.find': { where: { colour: 'red' } } },
    gives: `
      rows: id is never
      fields title
    `,
  },
  {
    it: 'shows no row by a condition with an empty group',
    query: 'articles?fields=title',
    may: ['article.find'],
    rules: { 'article.find': { where: { $or: [] } } },
    gives: `
      rows: id is never
      fields title
    `,
  },
  {
    it: 'restricts populated rows by the right to find them',
    query: 'articles?fields=title&populate=section',
    may: ['article.find', 'section.find'],
    rules: { 'section.find': { fields: ['name'], where: { name: { $ne: 'Secret' } } } },
    gives: `
      rows of api::section.section: name <> "Secret"
      fields title
      + section
        fields id, documentId, name
    `,
  },
  {
    it: 'shows of attached files the fields that the caller may find',
    query: 'articles?fields=title&populate=cover',
    may: ['article.find'],
    rules: { 'plugin::upload.content-api.find': { fields: ['url'] } },
    gives: `
      fields title
      + cover
        fields id, documentId, url
    `,
  },
];

const casesAsStrapi: readonly Case[] = [
  {
    it: 'needs no right to drafts',
    query: 'articles?status=draft&populate=tags',
    may: ['article.find', 'tag.find'],
    gives: `
      drafts
      + tags
    `,
  },
  {
    it: 'leaves out a relation whose type the caller may not find',
    query: 'articles?populate=section',
    may: ['article.find'],
    gives: 'as by default',
  },
];

testProfiles(ReadStages, { specification: cases, strapi: casesAsStrapi }, (stages, input) =>
  outcome(() => stages.authorise({ query: input.query, rights: rightsOf(input) }), printPermitted),
);
