/** Groups of documents with their numbers, which follow from the rows that a list of the caller's would have. */
import { describe, expect, it } from 'vitest';
import type { SeedData, SeedDocument } from '../../../src/demo-content/content.ts';
import { profilesOn } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import { relation, schemaFiles, translated } from '../../support/schema-files.ts';
import { seedLocales } from '../../support/seeds.ts';
import { errorOf, idOf, useProject } from '../../support/served-project.ts';

const files = schemaFiles({
  article: {
    drafts: true,
    attributes: {
      title: { type: 'string' },
      rating: { type: 'integer' },
      price: { type: 'decimal' },
      views: { type: 'biginteger' },
      featured: { type: 'boolean' },
      day: { type: 'date' },
      at: { type: 'datetime' },
      margin: { type: 'integer', private: true },
      extra: { type: 'json' },
      category: relation('manyToOne', 'category'),
      chief: relation('manyToOne', 'chief'),
      tags: relation('manyToMany', 'category'),
    },
  },
  category: { plural: 'categories', drafts: true, attributes: { name: { type: 'string' }, rank: { type: 'integer' } } },
  chief: { attributes: { name: { type: 'string' } } },
  page: { localized: true, attributes: { title: { type: 'string', ...translated }, size: { type: 'integer', ...translated } } },
  home: { single: true, attributes: { title: { type: 'string' } } },
});

const of = (type: string, ...actions: string[]) => actions.map((action) => `api::${type}.${type}.${action}`);
const entry = (key: string, data: SeedData, more: Partial<SeedDocument> = {}): SeedDocument => ({
  key,
  status: 'published',
  data,
  ...more,
});
const document = (key: string, data: SeedData, more?: Partial<SeedDocument>) => entry(key, { title: key, ...data }, more);

const articles = [
  document('a', { rating: 4, price: 1.5, views: '9007199254740993', category: 'bread', chief: 'ada', day: '2024-01-05' }),
  document('b', { rating: 5, price: 2.25, category: 'bread', chief: 'ben', day: '2024-01-31', featured: true }),
  document('g', { category: 'bread' }),
  document('c', { rating: 2, price: 3, category: 'sea', day: '2023-12-31', at: '2024-01-31T23:59:59.999Z' }),
  document('d', { at: '1969-12-31T23:59:59.500Z' }),
  // The published version links a category that only has a draft.
  document('e', { rating: 3, category: 'secret', chief: 'ada' }),
  document('f', { rating: 100, category: 'sea' }, { status: 'draft' }),
];
const everyArticle = 6;

const types = [
  {
    type: 'api::chief.chief',
    documents: [entry('ada', { name: 'Ada' }), entry('ben', { name: 'Ben' })],
  },
  {
    type: 'api::category.category',
    documents: [
      entry('bread', { name: 'Bread', rank: 1 }),
      entry('sea', { name: 'sea', rank: 2 }),
      entry('secret', { name: 'Secret', rank: 3 }, { status: 'draft' }),
    ],
  },
  { type: 'api::article.article', documents: articles },
  {
    type: 'api::page.page',
    documents: [
      entry('one', { title: 'One', size: 1 }, { translations: [{ locale: 'de', status: 'published', data: { title: 'Eins', size: 10 } }] }),
      entry('two', { title: 'Two', size: 2 }),
    ],
  },
];

const bread = { documentId: idOf('category', 'bread'), name: 'Bread' };
const sea = { documentId: idOf('category', 'sea'), name: 'sea' };
const ada = { documentId: idOf('chief', 'ada'), name: 'Ada' };
const ben = { documentId: idOf('chief', 'ben'), name: 'Ben' };

const groups: readonly {
  readonly it: string;
  readonly query: string;
  readonly data: unknown;
  readonly path?: string;
  readonly who?: string;
}[] = [
  {
    it: 'a relation has the id and the title of its target; what cannot be populated is null',
    query: 'groupBy=category',
    data: [
      { key: { category: bread }, count: 3 },
      { key: { category: null }, count: 2 },
      { key: { category: sea }, count: 1 },
    ],
  },
  {
    it: 'drafts are counted for who asks for them and may read them',
    query: 'groupBy=category&status=draft&filters[category][$notNull]=true',
    data: [
      { key: { category: bread }, count: 3 },
      { key: { category: sea }, count: 2 },
      { key: { category: { documentId: idOf('category', 'secret'), name: 'Secret' } }, count: 1 },
    ],
  },
  {
    it: 'numbers have average, sum, least and greatest, and nulls are left out',
    query: 'groupBy=category&count&avg=rating&sum=rating,price&min=rating&max=price,day&sort=-key&filters[category][rank][$lt]=3',
    data: [
      {
        key: { category: sea },
        count: 1,
        avg: { rating: 2 },
        sum: { rating: 2, price: 3 },
        min: { rating: 2 },
        max: { price: 3, day: '2023-12-31' },
      },
      {
        key: { category: bread },
        count: 3,
        avg: { rating: 4.5 },
        sum: { rating: 9, price: 3.75 },
        min: { rating: 4 },
        max: { price: 2.25, day: '2024-01-31' },
      },
    ],
  },
  {
    it: 'the numbers of no values are null',
    query: 'groupBy=category&avg=price&max=day&filters[title]=e',
    data: [{ key: { category: null }, avg: { price: null }, max: { day: null } }],
  },
  {
    it: 'big integers keep their digits',
    query: 'max=views&min=views',
    data: [{ key: {}, min: { views: '9007199254740993' }, max: { views: '9007199254740993' } }],
  },
  {
    it: 'without a key, all documents are one group',
    query: 'count&avg=rating',
    data: [{ key: {}, count: everyArticle, avg: { rating: 3.5 } }],
  },
  { it: 'also none', query: 'avg=rating&count&filters[title]=nothing', data: [{ key: {}, count: 0, avg: { rating: null } }] },
  { it: 'groups without documents are not there', query: 'groupBy=title&filters[title]=nothing', data: [] },
  {
    it: 'dates by year, month and day',
    query: 'groupBy=day:month&sort=key&filters[day][$notNull]=true',
    data: [
      { key: { day: '2023-12' }, count: 1 },
      { key: { day: '2024-01' }, count: 2 },
    ],
  },
  { it: 'years', query: 'groupBy=day:year&filters[day][$gt]=2024-01-01', data: [{ key: { day: '2024' }, count: 2 }] },
  {
    it: 'moments in UTC, also before 1970',
    query: 'groupBy=at:day&sort=key&filters[at][$notNull]=true',
    data: [
      { key: { at: '1969-12-31' }, count: 1 },
      { key: { at: '2024-01-31' }, count: 1 },
    ],
  },
  { it: 'whole moments', query: 'groupBy=at&filters[title]=c', data: [{ key: { at: '2024-01-31T23:59:59.999Z' }, count: 1 }] },
  {
    it: 'two keys',
    query: 'groupBy=chief,featured&sort=key&filters[chief][$notNull]=true',
    data: [
      { key: { chief: ada, featured: null }, count: 2 },
      { key: { chief: ben, featured: true }, count: 1 },
    ],
  },
  {
    it: 'filters of the list',
    query: 'groupBy[0]=chief&filters[category][name]=Bread&filters[rating]=5',
    data: [{ key: { chief: ben }, count: 1 }],
  },
  {
    it: 'the smallest groups first',
    query: 'groupBy=category&sort=count',
    data: [
      { key: { category: sea }, count: 1 },
      { key: { category: null }, count: 2 },
      { key: { category: bread }, count: 3 },
    ],
  },
  { it: 'one locale', path: 'pages', query: 'sum=size', data: [{ key: {}, sum: { size: 3 } }] },
  {
    it: 'every locale, in which a document counts once each',
    path: 'pages',
    query: 'groupBy=locale&count&sum=size&locale=*&sort=key',
    data: [
      { key: { locale: 'de' }, count: 1, sum: { size: 10 } },
      { key: { locale: 'en' }, count: 2, sum: { size: 3 } },
    ],
  },
  // Leaks: what is hidden is in no group and in no number.
  {
    it: 'a caller with some rows has numbers of these',
    who: 'public',
    query: 'count&sum=rating',
    data: [{ key: {}, count: 3, sum: { rating: 9 } }],
  },
  {
    it: 'targets that the caller cannot find are null',
    who: 'public',
    query: 'groupBy=category&count',
    data: [
      { key: { category: null }, count: 2 },
      { key: { category: { documentId: sea.documentId } }, count: 1 },
    ],
  },
];

const refusals: readonly {
  readonly it: string;
  readonly query: string;
  readonly error: readonly [number, string];
  readonly who?: string;
  readonly path?: string;
}[] = [
  { it: 'without the right', who: 'lister', query: 'count', error: [403, 'Forbidden'] },
  { it: 'without the right to list', who: 'counter', query: 'count', error: [403, 'Forbidden'] },
  { it: 'by a private attribute', query: 'groupBy=margin', error: [400, 'Invalid key margin'] },
  { it: 'of a private attribute', query: 'sum=margin', error: [400, 'Invalid key margin'] },
  { it: 'by an attribute outside of the restriction', who: 'public', query: 'groupBy=price', error: [400, 'Invalid key price'] },
  { it: 'of one', who: 'public', query: 'max=price', error: [400, 'Invalid key price'] },
  {
    it: 'by a relation to a type that the caller cannot find',
    who: 'aggregator',
    query: 'groupBy=chief',
    error: [400, 'Invalid key chief'],
  },
  { it: 'of drafts without the right', who: 'aggregator', query: 'status=draft', error: [403, 'findDraft'] },
  { it: 'by a relation to many', query: 'groupBy=tags', error: [400, 'Invalid key tags'] },
  { it: 'by JSON', query: 'groupBy=extra', error: [400, 'Invalid key extra'] },
  { it: 'through a relation', query: 'groupBy=category.rank', error: [400, 'Invalid key category.rank'] },
  { it: 'by the month of a text', query: 'groupBy=title:month', error: [400, 'Expected title, or the year, month or day of a date'] },
  { it: 'the sum of a text', query: 'sum=title', error: [400, 'Invalid key title'] },
  { it: 'the average of dates', query: 'avg=day', error: [400, 'Invalid key day'] },
  { it: 'by three attributes', query: 'groupBy=title,day,at', error: [400, 'at most 2 different attributes'] },
  { it: 'by one attribute twice', query: 'groupBy=at:day,at:month', error: [400, 'at most 2 different attributes'] },
  { it: 'in another order', query: 'sort=rating', error: [400, 'Expected count, -count, key or -key'] },
  { it: 'unknown parameters', query: 'groupby=title', error: [400, 'Invalid key groupby'] },
  { it: 'parameters of lists', query: 'populate=*', error: [400, 'Invalid key populate'] },
  { it: 'pages', query: 'pagination[page]=2', error: [400, 'pagination[limit] alone'] },
  { it: 'no limit', query: 'pagination[limit]=0', error: [400, "Invalid parameter at 'limit'"] },
  { it: 'objects', query: 'groupBy[title][x]=1', error: [400, 'names of attributes'] },
];

describe.each(engines)('%s: groups', (engine) => {
  describe.each(profilesOn(engine))('profile %s', (profile) => {
    const api = useProject(engine, {
      files,
      types,
      locales: seedLocales('en', 'de'),
      tokens: {
        lister: of('article', 'find'),
        counter: of('article', 'aggregate'),
        aggregator: [...of('article', 'find', 'aggregate'), ...of('category', 'find')],
      },
      public: [...of('article', 'find', 'aggregate'), ...of('category', 'find')],
      rules: {
        public: {
          'api::article.article.find': { fields: ['title', 'rating', 'category'], where: { rating: { $lt: 5 } } },
          'api::category.category.find': { fields: ['rank'], where: { rank: 2 } },
        },
      },
      env: { LECTERN_PROFILE: profile },
    });
    const ask = (query: string, { who = 'full', path = 'articles' }: { readonly who?: string; readonly path?: string } = {}) =>
      api.ask(who, 'GET', `/api/${path}/_aggregate?${query}`);

    it.each(groups.filter(({ who }) => who === undefined || profile === 'specification'))('$it', async ({ query, data, ...as }) => {
      const response = await ask(query, as);
      expect([response.status, response.json()]).toEqual([200, { data, meta: { limit: 100, more: false } }]);
    });

    it.each(refusals.filter(({ query }) => query !== 'status=draft' || profile === 'specification'))(
      '$it: refused',
      async ({ query, error, ...as }) => {
        const [status, message] = error;
        const response = await ask(query, as);
        expect([response.status, errorOf(response).message]).toEqual([status, expect.stringContaining(message)]);
      },
    );

    it('counts as a list of the same caller does', async () => {
      for (const who of ['full', 'public', 'aggregator'])
        for (const query of ['', 'filters[rating][$gt]=2', 'filters[category][rank][$lt]=3', '_q=a', 'filters[$not][title]=a']) {
          const { meta } = (await api.ask(who, 'GET', `/api/articles?${query}`)).json() as { meta: { pagination: { total: number } } };
          const { data } = (await ask(`${query}&count`, { who })).json() as { data: readonly [{ count: number }] };
          expect([who, query, data[0].count]).toEqual([who, query, meta.pagination.total]);
        }
    });

    it('says whether there are more groups', async () => {
      const some = (await ask('groupBy=title&sort=key&pagination[limit]=2')).json();
      expect(some).toEqual({
        data: [
          { key: { title: 'a' }, count: 1 },
          { key: { title: 'b' }, count: 1 },
        ],
        meta: { limit: 2, more: true },
      });
      expect((await ask('groupBy=title&pagination[limit]=6')).json()).toMatchObject({ meta: { limit: 6, more: false } });
      expect((await ask('groupBy=title&pagination[limit]=9999')).json()).toMatchObject({ meta: { limit: 1000 } });
    });

    it('follows writes', async () => {
      const before = await ask('groupBy=category&max=rating&filters[title]=new');
      expect(before.json()).toMatchObject({ data: [] });
      const path = await api.make('/api/articles', { title: 'new', rating: 7, category: bread.documentId });
      const max = async () => ((await ask('groupBy=category&max=rating&filters[title]=new')).json() as { data: unknown }).data;
      await expect.poll(max).toEqual([{ key: { category: bread }, max: { rating: 7 } }]);
      await api.write('PATCH', path, { rating: 8, category: sea.documentId });
      await expect.poll(max).toEqual([{ key: { category: sea }, max: { rating: 8 } }]);
      expect((await api.ask('full', 'DELETE', path)).status).toBe(204);
      await expect.poll(max).toEqual([]);
    });

    it('is not for single types', async () => {
      expect((await ask('count', { path: 'home' })).status).toBe(404);
    });
  });
});
