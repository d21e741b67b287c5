/** The types of `@lectern/client` with those of the demo: each case is a front end's code, and what its editor shows. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadModel } from '../../src/model/load/load-model.ts';
import { typescriptOf } from '../../src/typescript/typescript-of-model.ts';
import { type Checked, typeCheck } from '../support/type-check.ts';

interface Case {
  readonly it: string;
  readonly code: string;
  /** Part of the only message of the compiler; without it, the code compiles. */
  readonly error?: string;
  /** The type of `shown`, as editors show it. */
  readonly shows?: string;
  /** What editors offer at the mark in the code. */
  readonly offers?: readonly string[];
}

const withoutSchema = `
import { createClient } from '../../client/src/index.ts';
const client = createClient({ baseURL: 'http://127.0.0.1:1337/api' });
const articles = client.collection('articles');
`;
const withSchema = `
import { createClient, type CreateInput, type Entry, type ListParams, type UpdateInput } from '../../client/src/index.ts';
import type { Article, ArticleInput, Category, Schema } from './types.ts';
const client = createClient<Schema>({ baseURL: 'http://127.0.0.1:1337/api' });
const articles = client.collection('articles');
declare function present<T>(call: PromiseLike<{ data: T }>): Promise<NonNullable<T>>;
`;

/** `filters` of a list of articles. */
const filters = (text: string) => `await articles.find({ filters: ${text} });`;
const populate = (text: string) => `await articles.find({ populate: ${text} });`;
const first = (params: string) => `export const [shown] = await present(articles.find(${params}));`;

const narrowing: readonly Case[] = [
  {
    it: 'without populate, a document has its own attributes',
    code: first("{ fields: ['title', 'kind'] }"),
    shows: "{ id: number; documentId: string; title: string; kind: 'essay' | 'report' | 'recipe' | 'walk' | null; } | undefined",
  },
  {
    it: 'one field may be a text',
    code: first("{ fields: 'slug' }"),
    shows: '{ id: number; documentId: string; slug: string; } | undefined',
  },
  {
    it: 'what was not selected is missing',
    code: `${first("{ fields: ['title'] }")} shown?.slug;`,
    error: "Property 'slug' does not exist",
  },
  { it: 'without fields, all are there', code: `${first('')} shown?.slug.at(0); shown?.readingMinutes?.toFixed();` },
  { it: 'with *, too', code: `${first("{ fields: '*' }")} shown?.slug.at(0);` },
  { it: 'no relation is there without populate', code: `${first('')} shown?.category;`, error: "Property 'category' does not exist" },
  { it: 'private attributes are nowhere', code: `${first('')} shown?.editorNotes;`, error: "Property 'editorNotes' does not exist" },
  {
    it: 'a populated relation is there, or null',
    code: first("{ fields: 'slug', populate: { author: { fields: ['name'] } } }"),
    shows:
      '{ id: number; documentId: string; slug: string; author: { id: number; documentId: string; name: string; } | null; } | undefined',
  },
  {
    it: 'nested populate narrows what is nested',
    code: first("{ fields: 'slug', populate: { category: { fields: 'name', populate: { parent: { fields: 'slug' } } } } }"),
    shows:
      '{ id: number; documentId: string; slug: string; category: { id: number; documentId: string; name: string; parent: { id: number; documentId: string; slug: string; } | null; } | null; } | undefined',
  },
  { it: 'a name', code: `${first("{ populate: 'tags' }")} shown?.tags[0]?.name.at(0);` },
  { it: 'a list of names', code: `${first("{ populate: ['tags', 'cover'] }")} shown?.tags[0]?.name.at(0); shown?.cover?.url.at(0);` },
  { it: 'dotted paths', code: `${first("{ populate: ['category.parent', 'blocks.file'] }")} shown?.category?.parent?.name.at(0);` },
  {
    it: 'a path populates no more than it names',
    code: `${first("{ populate: ['category.parent'] }")} shown?.category?.children;`,
    error: "Property 'children' does not exist",
  },
  {
    it: '* populates one level',
    code: `${first("{ populate: '*' }")} shown?.tags[0]?.articles;`,
    error: "Property 'articles' does not exist",
  },
  {
    it: 'false populates nothing',
    code: `${first('{ populate: { tags: false, cover: true } }')} shown?.tags;`,
    error: "Property 'tags' does not exist",
  },
  { it: 'count gives the number', code: `${first('{ populate: { tags: { count: true } } }')} shown?.tags.count.toFixed();` },
  {
    it: 'a zone is a union by component',
    code: `${first('{ populate: { blocks: true } }')}
      for (const block of shown?.blocks ?? []) {
        if (block.__component === 'shared.quote') block.body.at(0);
        else if (block.__component === 'shared.call-to-action') block.label.at(0);
      }`,
  },
  {
    it: 'on leaves out what it does not name, and narrows what it does',
    code: first(
      "{ fields: 'slug', populate: { blocks: { on: { 'shared.quote': true, 'shared.media': { fields: 'caption', populate: { file: { fields: 'url' } } } } } } }",
    ),
    shows:
      "{ id: number; documentId: string; slug: string; blocks: ({ __component: 'shared.quote'; id: number; body: string; source: string | null; } | { __component: 'shared.media'; id: number; caption: string | null; file: { id: number; documentId: string; url: string; } | null; })[]; } | undefined",
  },
  {
    it: 'drafts may lack what is required',
    code: `${first("{ status: 'draft' }")} shown?.title.length;`,
    error: "'shown.title' is possibly 'null'",
  },
  {
    it: 'and so may what they lead to',
    code: `${first("{ status: 'draft', populate: 'tags' }")} shown?.tags[0]?.name.length;`,
    error: "is possibly 'null'",
  },
  { it: 'published documents do not', code: `${first("{ status: 'published' }")} shown?.title.length;` },
  {
    it: 'findOne narrows',
    code: "export const shown = (await present(articles.findOne('a', { fields: ['title'] })));",
    shows: '{ id: number; documentId: string; title: string; }',
  },
  {
    it: 'so does a single type',
    code: "export const shown = (await present(client.single('homepage').find({ fields: ['heading'] })));",
    shows: '{ id: number; documentId: string; heading: string; }',
  },
  {
    it: 'and a write',
    code: "export const shown = (await present(articles.update('a', { title: 'b' }, { fields: ['title'] })));",
    shows: '{ id: number; documentId: string; title: string; }',
  },
  {
    it: 'Entry names such a document',
    code: "export const title = (article: Entry<Schema, 'articles', { populate: ['author'] }>) => article.author?.name.at(0);",
  },
  { it: 'a document is one of the interface', code: `${first("{ populate: '*' }")} export const one: Article | undefined = shown;` },
  { it: 'the meta is that of pages', code: 'const { meta } = await articles.find(); meta?.pagination.pageCount.toFixed();' },
  {
    it: 'or that of offsets',
    code: 'const { meta } = await articles.find({ pagination: { start: 5 } }); meta?.pagination.limit.toFixed();',
  },
  {
    it: 'without a count, there is no total',
    code: 'const { meta } = await articles.find({ pagination: { withCount: false } }); meta?.pagination.total;',
    error: "Property 'total' does not exist",
  },
];

const parameters: readonly Case[] = [
  {
    it: 'filters compare',
    code: filters(
      "{ title: { $contains: 'a', $not: { $startsWithi: 'b' } }, readingMinutes: { $between: [1, 5] }, featured: true, kind: ['walk', 'essay'], visitedOn: { $null: true } }",
    ),
  },
  {
    it: 'filters go through relations',
    code: filters(
      "{ category: { parent: { slug: 'bread' } }, tags: { name: { $in: ['a'] } }, seo: { metaTitle: 'a' }, author: 5, cover: { $null: true } }",
    ),
  },
  {
    it: 'filters have groups',
    code: filters("{ $or: [{ kind: 'essay' }, { $and: [{ slug: 'a' }, { $not: { tags: { $or: [{ slug: 'a' }, { id: 5 }] } } }] }] }"),
  },
  { it: 'filters take dates', code: filters("{ eventAt: { $gte: new Date() }, createdAt: { $lt: '2024-01-01' } }") },
  { it: 'filters refuse an unknown attribute', code: filters("{ title: 'a', titel: 'b' }"), error: "'titel' does not exist in type" },
  { it: 'and one of another type', code: filters("{ category: { name: 'a', title: 'b' } }"), error: "'title' does not exist in type" },
  { it: 'and an unknown operator', code: filters("{ title: { $about: 'a' } }"), error: "'$about' does not exist in type" },
  { it: 'and a value of another type', code: filters("{ readingMinutes: 'many' }"), error: "'string' is not assignable to type" },
  { it: 'and a value outside of an enumeration', code: filters("{ kind: 'poem' }"), error: '\'"poem"\' is not assignable to type' },
  { it: 'and a private attribute', code: filters("{ editorNotes: 'a' }"), error: "'editorNotes' does not exist in type" },
  { it: 'and a way through a zone', code: filters('{ blocks: { id: 5 } }'), error: "'blocks' does not exist in type" },
  { it: 'sort by attributes', code: "await articles.find({ sort: ['title', 'readingMinutes:desc', 'category.name'] });" },
  { it: 'sort by an object', code: "await articles.find({ sort: { category: { name: 'desc' } } });" },
  { it: 'sort refuses an unknown attribute', code: "await articles.find({ sort: 'titel' });", error: '"titel"' },
  { it: 'and another direction', code: "await articles.find({ sort: 'title:up' });", error: '"title:up"' },
  {
    it: 'fields refuse an unknown attribute',
    code: "await articles.find({ fields: ['titel'] });",
    error: `'"titel"' is not assignable to type`,
  },
  { it: 'and a relation', code: "await articles.find({ fields: ['category'] });", error: `'"category"' is not assignable to type` },
  { it: 'populate refuses an unknown name', code: populate("'nope'"), error: `'"nope"' is not assignable to type` },
  { it: 'in a list', code: populate("['tags', 'nope']"), error: `'"nope"' is not assignable to type` },
  { it: 'in an object', code: populate('{ tags: true, nope: true }'), error: "is not assignable to type 'true & NoSuchName'" },
  { it: 'a scalar attribute', code: populate('{ tags: true, title: true }'), error: "is not assignable to type 'true & NoSuchName'" },
  { it: 'below another', code: populate('{ category: { populate: { parent: true, nope: true } } }'), error: 'NoSuchName' },
  { it: 'an unknown option', code: populate("{ category: { fields: ['name'], limit: 5 } }"), error: 'NoSuchName' },
  { it: 'an unknown field', code: populate("{ category: { fields: ['nope'] } }"), error: `'"nope"' is not assignable to type` },
  { it: 'a filter on an unknown attribute', code: populate("{ tags: { filters: { slug: 'a', nope: 'b' } } }"), error: 'NoSuchName' },
  {
    it: 'a component that the zone does not have',
    code: populate("{ blocks: { on: { 'shared.quote': true, 'shared.seo': true } } }"),
    error: 'NoSuchName',
  },
  { it: 'fields of a zone itself', code: populate("{ blocks: { fields: ['id'], count: true } }"), error: 'NoSuchName' },
  { it: 'an unknown parameter is refused', code: 'await articles.find({ page: 1 });', error: "'page' does not exist in type" },
  {
    it: 'both kinds of pages are refused',
    code: 'await articles.find({ pagination: { page: 1, limit: 5 } });',
    error: 'is not assignable to type',
  },
  { it: 'an unknown type is refused', code: "client.collection('article');", error: `'"article"' is not assignable to parameter` },
  { it: 'a single type is no collection', code: "client.collection('homepage');", error: `'"homepage"' is not assignable to parameter` },
  {
    it: 'parameters can stand by themselves',
    code: "export const params: ListParams<Schema, 'articles'> = { fields: ['title'], populate: { category: true }, status: 'draft', locale: 'de', fallback: ['fr', 'en'] };",
  },
  {
    it: 'and are checked there',
    code: "export const params: ListParams<Schema, 'articles'> = { populate: { nope: true } };",
    error: "'nope' does not exist in type",
  },
];

const added: readonly Case[] = [
  {
    it: 'a search gives the words by type',
    code: `const { data, meta } = await client.search({ q: 'fog', types: ['articles', 'api::author.author'], locale: '*' }).orThrow();
      for (const hit of data) if (hit.type === 'api::article.article') hit.highlights.summary?.[0]?.at(0);
      meta.types['api::article.article']?.toFixed();`,
  },
  {
    it: 'and names attributes of the type alone',
    code: `const { data } = await client.search({ q: 'fog' }).orThrow();
      for (const hit of data) if (hit.type === 'api::author.author') hit.highlights.readingMinutes;`,
    error: "Property 'readingMinutes' does not exist",
  },
  {
    it: 'lists are searched and sorted by rank',
    code: "await articles.find({ filters: { $search: 'fog', kind: 'walk' }, sort: '$rank' }); await articles.find({ sort: ['$rank', 'title'] });",
  },
  {
    it: 'a search stands at the top of filters',
    code: filters("{ category: { $search: 'fog' } }"),
    error: "'$search' does not exist in type",
  },
  {
    it: 'pages by cursors have the next one',
    code: `const { meta } = await articles.find({ pagination: { cursor: true, limit: 5 } }).orThrow();
      export const shown = meta.pagination.next;
      if (shown !== null) await articles.find({ pagination: { after: shown } });`,
    shows: 'string | null',
  },
  { it: 'and no number', code: "await articles.find({ pagination: { after: 'a', page: 2 } });", error: 'is not assignable to type' },
  {
    it: 'an estimated count says so',
    code: "export const shown = (await articles.find({ pagination: { withCount: 'estimate' } }).orThrow()).meta.pagination.isEstimate;",
    shows: 'true | undefined',
  },
  {
    it: 'groups have their keys and numbers',
    code: `const { data } = await articles.aggregate({ groupBy: ['kind', 'visitedOn:year'], count: true, avg: 'readingMinutes', max: ['eventAt'] }).orThrow();
      export const [shown] = data;`,
    shows:
      "{ key: { kind: 'essay' | 'report' | 'recipe' | 'walk' | null; visitedOn: string | null; }; count: number; avg: { readingMinutes: number | null; }; max: { eventAt: string | null; }; } | undefined",
  },
  {
    it: 'a related document is one key, and the count is there by itself',
    code: "const { data } = await articles.aggregate({ groupBy: 'category' }).orThrow(); data[0]?.key.category?.documentId.at(0); data[0]?.count.toFixed();",
  },
  {
    it: 'no count where only a function is named',
    code: "const { data } = await articles.aggregate({ sum: 'readingMinutes' }).orThrow(); data[0]?.count;",
    error: "Property 'count' does not exist",
  },
  {
    it: 'related documents are entries of the type',
    code: "const { data } = await articles.related('x', { via: ['category', 'tags'], fields: ['title'] }).orThrow(); data[0]?.title.at(0);",
  },
  {
    it: 'media make nothing related',
    code: "await articles.related('x', { via: 'cover' });",
    error: `'"cover"' is not assignable to type`,
  },
  { it: 'nor do components', code: "await articles.related('x', { via: 'seo' });", error: `'"seo"' is not assignable to type` },
  { it: 'nor texts', code: "await articles.related('x', { via: 'title' });", error: `'"title"' is not assignable to type` },
  { it: 'a text has no sum', code: "await articles.aggregate({ sum: 'title' });", error: `'"title"' is not assignable to type` },
  { it: 'and no step', code: "await articles.aggregate({ groupBy: 'title:year' });", error: `'"title:year"' is not assignable to type` },
  {
    it: 'a long text makes no groups',
    code: "await articles.aggregate({ groupBy: 'body' });",
    error: `'"body"' is not assignable to type`,
  },
  {
    it: 'a batch has operations of each type',
    code: `const { data } = await client.batch([
        { create: 'api::author.author', data: { name: 'Ida' } },
        { create: 'api::article.article', data: { title: 'Fog', author: '$0.documentId' } },
        { create: 'api::article.article', status: 'draft', data: {} },
        { connect: 'api::article.article', documentId: '$1.documentId', data: { tags: ['a'] } },
        { update: 'api::homepage.homepage', data: { heading: 'a' } },
        { publish: 'api::article.article', documentId: '$2.documentId', locale: 'fr' },
      ]).orThrow();
      export const shown = data[0]?.documentId;`,
    shows: 'string | null | undefined',
  },
  {
    it: 'data are those of the type',
    code: "await client.batch([{ create: 'api::author.author', data: { title: 'a', name: 'b' } }]);",
    error: "'title' does not exist in type",
  },
  {
    it: 'what is required is needed',
    code: "await client.batch([{ create: 'api::article.article', data: { slug: 'a' } }]);",
    error: 'title',
  },
  {
    it: 'only relations are connected',
    code: "await client.batch([{ connect: 'api::article.article', documentId: 'a', data: { title: 'a' } }]);",
    error: "'title' does not exist in type",
  },
  {
    it: 'an unknown type is refused in a batch',
    code: "await client.batch([{ delete: 'api::nope.nope', documentId: 'a' }]);",
    error: '"api::nope.nope"',
  },
  {
    it: 'a dry run reports',
    code: "export const shown = (await client.batch([{ delete: 'api::article.article', documentId: 'a' }], { dryRun: true }).orThrow()).data.errors[0]?.operation;",
    shows: 'number | undefined',
  },
  {
    it: 'history and schedule',
    code: `const [version] = (await articles.history('a', { status: 'draft' }).orThrow()).data;
      const former = await articles.formerVersion('a', version?.version ?? 0).orThrow();
      former.data.title?.at(0);
      const restored = await articles.restore('a', 5, { ifMatch: 'b' }).orThrow();
      restored.data.title?.at(0); restored.meta.restored.leftOut[0]?.reason.at(0);
      await articles.schedule('a', { publishAt: new Date(), unpublishAt: null });
      await client.single('homepage').schedule({ publishAt: '2034-01-31T09:00:00Z' });
      await articles.unschedule('a');
      export const shown = (await client.schedules({ state: 'failed' }).orThrow()).data[0]?.action;`,
    shows: "'publish' | 'unpublish' | undefined",
  },
  { it: 'a schedule has a time', code: "await articles.schedule('a', { locale: 'fr' });", error: 'is not assignable' },
];

const related = ['author', 'blocks', 'category', 'cover', 'gallery', 'links', 'localizations', 'related', 'seo', 'tags'];

const editing: readonly Case[] = [
  { it: 'the names in populate', code: populate('{ /*|*/ }'), offers: related },
  { it: 'the options of a relation', code: populate('{ tags: { /*|*/ } }'), offers: ['count', 'fields', 'filters', 'populate', 'sort'] },
  { it: 'the names below', code: populate('{ category: { populate: { /*|*/ } } }'), offers: ['articles', 'children', 'parent'] },
  {
    it: 'the components of a zone',
    code: populate('{ blocks: { on: { /*|*/ } } }'),
    offers: ['"shared.call-to-action"', '"shared.media"', '"shared.quote"', '"shared.rich-text"'],
  },
  {
    it: 'the parameters',
    code: 'await articles.find({ /*|*/ });',
    offers: ['_q', 'fallback', 'fields', 'filters', 'locale', 'pagination', 'populate', 'publicationFilter', 'sort', 'status'],
  },
  {
    it: 'the attributes that can be compared',
    code: filters('{ category: { /*|*/ } }'),
    offers: [
      ...[
        'articles',
        'children',
        'createdAt',
        'description',
        'documentId',
        'id',
        'name',
        'parent',
        'position',
        'publishedAt',
        'slug',
        'updatedAt',
      ],
    ],
  },
];

const bodies: readonly Case[] = [
  {
    it: 'a document with everything',
    code: `await articles.create({
      title: 'Fog', kind: 'walk', distance: 5.5, visitedOn: '2024-02-29', eventAt: new Date(), featured: null, facts: { a: [1, null] },
      category: 'a1', author: { documentId: 'a2' }, tags: ['a3', 5], related: { connect: [{ documentId: 'a4', position: { start: true } }], disconnect: ['a5'] }, cover: 7, gallery: [7, 8],
      seo: { metaTitle: 'Fog' }, links: [{ label: 'Map' }, { id: 5, url: 'https://example.org' }],
      blocks: [{ __component: 'shared.quote', body: 'a' }, { __component: 'shared.media', id: 7, caption: null }],
      sidebar: [{ type: 'paragraph', children: [{ type: 'text', text: 'a', bold: true }] }], locale: 'fr',
    });`,
  },
  { it: 'needs what is required', code: "await articles.create({ slug: 'a' });", error: "Property 'title' is missing" },
  { it: 'a draft does not', code: "await articles.create({ slug: 'a' }, { status: 'draft' });" },
  { it: 'nor does a change', code: "await articles.update('a', { slug: 'a' });" },
  {
    it: 'an unknown attribute is refused',
    code: "await articles.create({ title: 'a', titel: 'b' });",
    error: "'titel' does not exist in type",
  },
  {
    it: 'and one that the server sets',
    code: "await articles.update('a', { documentId: 'b' });",
    error: "'documentId' does not exist in type",
  },
  {
    it: 'a value outside of an enumeration is refused',
    code: "await articles.update('a', { kind: 'poem' });",
    error: `'"poem"' is not assignable to type`,
  },
  {
    it: 'null is refused where a value is required',
    code: "await articles.update('a', { title: null });",
    error: "'null' is not assignable to type 'string",
  },
  {
    it: 'an unknown component of a zone is refused',
    code: "await articles.update('a', { blocks: [{ __component: 'shared.seo', metaTitle: 'a' }] });",
    error: `'"shared.seo"' is not assignable to type`,
  },
  {
    it: 'a component needs what it requires, unless it is stored',
    code: "await articles.update('a', { links: [{ url: 'a' }] });",
    error: 'is not assignable to type',
  },
  {
    it: 'a document that was read can be linked',
    code: "const category = {} as Category; await articles.update('a', { category, tags: [] });",
  },
  {
    it: 'inputs have names',
    code: "export const a: CreateInput<Schema, 'articles'> = { title: 'a' } satisfies ArticleInput; export const b: UpdateInput<Schema, 'articles'> = {};",
  },
];

const loose: readonly Case[] = [
  {
    it: 'any type can be read, and any attribute of it',
    code: `const { data } = await articles.find({ fields: ['a'], populate: { b: { populate: ['c.d'] } }, filters: { e: { $eq: 5 } }, sort: ['f:desc', 'g'] });
      export const shown = data?.[0]; shown?.b.c.d.at(0).toFixed(); shown?.documentId.at(0);`,
  },
  { it: 'ids are known', code: 'export const shown = (await articles.findOne("a")).data?.id;', shows: 'number | undefined' },
  { it: 'any body can be sent', code: "await articles.create({ a: 1 }); await articles.update('a', { b: [{ c: null }] });" },
  {
    it: 'groups, searches and batches are known in outline',
    code: `const { data } = await articles.aggregate({ groupBy: 'a', avg: ['b'] }).orThrow(); data[0]?.key.a.at(0); data[0]?.avg.b.toFixed();
      (await client.search({ q: 'a', types: 'b' }).orThrow()).data[0]?.highlights.c?.[0]?.at(0);
      await client.batch([{ create: 'api::a.a', data: { b: 1 } }, { delete: 'api::a.a', documentId: '$0.documentId' }]);
      (await articles.formerVersion('a', 1).orThrow()).data.title.at(0);`,
  },
  { it: 'parameters are known', code: 'await articles.find({ page: 1 });', error: "'page' does not exist in type" },
];

const read = (page: string) => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
/** Those of the pages, which also use plain `fetch` and Strapi's client. */
const documentation: readonly Case[] = ['docs/types.md', 'docs/client.md'].flatMap((page) =>
  [...read(page).matchAll(/^```ts\n(import .*?)^```/gms)].map(([, code = ''], index) => ({
    it: `${page}, example ${index + 1}`,
    code: code.replace(/'\.\/[\w-]+\.ts'/, "'./types.ts'").replace("'@lectern/client'", "'../../client/src/index.ts'"),
  })),
);

const groups = {
  narrowing,
  parameters,
  'search, groups, batches, history and schedule': added,
  'what editors offer': editing,
  bodies,
  'without a schema': loose,
  documentation,
};

let types: string;
let checked: Checked;
const fileOf = (group: string, { it: name }: Case) => `${`${group} ${name}`.replaceAll(/\W+/g, '-')}.ts`;

beforeAll(() => {
  const loaded = loadModel(fileURLToPath(new URL('../../examples/blog', import.meta.url)), { customFields: {}, asStrapi: false });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.errors));
  const prelude: Readonly<Record<string, string>> = { 'without a schema': withoutSchema, documentation: '' };
  types = typescriptOf(loaded.model, { fillUids: true, requireRelations: true });
  checked = typeCheck({
    'types.ts': types,
    ...Object.fromEntries(
      Object.entries(groups).flatMap(([group, cases]) =>
        cases.map((each) => [fileOf(group, each), `${prelude[group] ?? withSchema}${each.code}\nexport {};\n`]),
      ),
    ),
  });
});

describe.each(Object.entries(groups))('%s', (group, cases) => {
  it.each(cases)('$it', (each) => {
    const file = fileOf(group, each);
    const errors = checked.errors[file] ?? [];
    if (each.error === undefined) expect(errors).toEqual([]);
    else expect(errors).toEqual([expect.stringContaining(each.error)]);
    if (each.offers !== undefined) expect(checked.offered(file).filter((name) => !name.startsWith('$'))).toEqual(each.offers);
    if (each.shows !== undefined) expect(checked.shownType(file, 'shown').replaceAll('"', "'")).toBe(each.shows);
  });
});

it('the documentation shows an interface as it is written', () => {
  expect(documentation).toHaveLength(5);
  const [, shown = ''] = /^```ts\n(\/\*\*.*?)^```/ms.exec(read('docs/types.md')) ?? [];
  const lines = shown.split('\n').filter((line) => line.trim() !== '' && !line.includes('…'));
  expect(lines.length).toBeGreaterThan(10);
  let from = 0;
  for (const line of lines) {
    from = types.indexOf(`${line}\n`, from);
    expect(from, line).toBeGreaterThan(-1);
  }
});
