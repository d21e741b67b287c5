/** Documents that share links with another one. What is hidden from the caller decides nothing. */
import { describe, expect, it } from 'vitest';
import type { SeedData, SeedDocument } from '../../../src/demo-content/content.ts';
import { engines } from '../../support/engines.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { idOf, useProject } from '../../support/served-project.ts';

const files = schemaFiles({
  article: {
    drafts: true,
    attributes: {
      title: { type: 'string' },
      rating: { type: 'integer' },
      tags: relation('manyToMany', 'tag'),
      category: relation('manyToOne', 'category'),
      hidden: relation('manyToMany', 'tag', { private: true }),
    },
  },
  tag: { attributes: { name: { type: 'string' }, secret: { type: 'boolean' } } },
  category: { plural: 'categories', attributes: { name: { type: 'string' } } },
});

const entry = (key: string, data: SeedData, more: Partial<SeedDocument> = {}): SeedDocument => ({
  key,
  status: 'published',
  data,
  ...more,
});
const article = (key: string, data: SeedData, more?: Partial<SeedDocument>) => entry(key, { title: key, ...data }, more);
const types = [
  {
    type: 'api::tag.tag',
    documents: ['sea', 'fog', 'salt']
      .map((name) => entry(name, { name, secret: false }))
      .concat(entry('spy', { name: 'spy', secret: true })),
  },
  { type: 'api::category.category', documents: [entry('walks', { name: 'walks' })] },
  {
    type: 'api::article.article',
    documents: [
      article('a', { tags: ['sea', 'fog', 'spy'], category: 'walks' }),
      article('b', { tags: ['sea'], rating: 1 }),
      article('c', { tags: ['sea', 'fog'], rating: 2 }),
      article('d', { tags: ['salt'], category: 'walks', hidden: ['sea'] }),
      article('e', { tags: ['spy'] }),
      article('f', { tags: ['sea', 'fog'] }, { status: 'draft' }),
      article('g', {}),
    ],
  },
];

const find = (...names: readonly string[]) => names.map((name) => `api::${name}.${name}.find`);
const a = `/api/articles/${idOf('article', 'a')}/related`;

const lists: readonly (readonly [it: string, who: string, query: string, titles: readonly string[]])[] = [
  ['the most shared links come first', 'full', 'via=tags&sort=title', ['c', 'b', 'e']],
  ['links of several relations add up', 'full', 'via=tags,category&sort=title', ['c', 'b', 'd', 'e']],
  ['one relation to one', 'full', 'via=category', ['d']],
  ['filters are those of the list', 'full', 'via=tags&filters[rating][$lt]=2', ['b']],
  ['drafts are those of the list', 'full', 'via=tags&status=draft&sort=title&filters[title][$ne]=e', ['c', 'f', 'b']],
  ['a page has its total', 'full', 'via=tags&pagination[pageSize]=1&sort=title', ['c']],
  ['a target that the caller may not find is not shared', 'public', 'via=tags&sort=title', ['c', 'b']],
];

describe.each(engines)('%s', (engine) => {
  describe.each(['strapi', 'specification'])('profile %s', (profile) => {
    const project = useProject(engine, {
      files,
      types,
      env: { LECTERN_PROFILE: profile },
      public: find('article', 'tag'),
      rules: { public: { 'api::tag.tag.find': { where: { secret: { $eq: false } } } } },
    });
    const get = async (who: string, url: string) => {
      const { status, text } = await project.ask(who, 'GET', url);
      return { status, ...JSON.parse(text) };
    };

    it.each(lists)('%s', async (_, who, query, titles) => {
      const { status, data, error } = await get(who, `${a}?${query}`);
      expect({ status, error, titles: data?.map(({ title }: { title: string }) => title) }).toEqual({
        status: 200,
        error: undefined,
        titles,
      });
    });

    it('a page has a total, and without links there is none', async () => {
      expect((await get('full', `${a}?via=tags&pagination[pageSize]=1`)).meta.pagination).toMatchObject({ total: 3 });
      const g = `/api/articles/${idOf('article', 'g')}`;
      expect((await get('full', `${g}/related?via=tags`)).data).toEqual([]);
    });

    it.each([
      ['no via', 'full', '', 'tags, category'],
      ['a private relation', 'full', '?via=hidden', 'tags, category'],
      ['an attribute', 'full', '?via=tags,title', 'tags, category'],
      ['a relation to a type that the caller may not find', 'public', '?via=category', 'tags'],
    ])('%s is refused with the names of the relations', async (_, who, query, names) => {
      expect(await get(who, a + query)).toMatchObject({
        status: 400,
        error: { message: `Invalid via parameter. Expected one or several of the relations ${names}` },
      });
    });

    it('what is not found has nothing related', async () => {
      expect((await get('full', '/api/articles/none/related?via=tags')).status).toBe(404);
      expect((await get('public', `/api/articles/${idOf('article', 'f')}/related?via=tags`)).status).toBe(404);
      expect((await get('full', `${a}?via=tags&pagination[cursor]=true`)).status).toBe(400);
    });
  });
});
