import { describe, expect, it } from 'vitest';
import type { DescribedAttribute, DescribedType } from '../../../http/endpoints/me/described-me.ts';
import { chosenColumns, columnsOf, usualColumns } from './columns.ts';
import type { Condition } from './conditions.ts';
import { linksQuery, namedLinksQuery, queryText, rowsQuery, stateQuery, totalQuery } from './list-query.ts';
import { readView, viewChanges, viewQuery, writeConditions } from './view-url.ts';

const attribute = (name: string, type: string, more: Partial<DescribedAttribute> = {}): DescribedAttribute => ({
  name,
  type,
  label: name,
  canRead: true,
  canCreate: true,
  canUpdate: true,
  required: false,
  unique: false,
  localized: false,
  hasColumn: !['relation', 'media', 'component', 'dynamiczone', 'password'].includes(type),
  isSystem: false,
  ...more,
});

const system = (name: string, type: string) => attribute(name, type, { isSystem: true });

const articles: DescribedType = {
  uid: 'api::article.article',
  kind: 'collectionType',
  path: '/api/articles',
  singularName: 'article',
  pluralName: 'articles',
  label: 'Articles',
  draftAndPublish: true,
  localized: true,
  hasHistory: false,
  hasSchedule: false,
  hasSearch: false,
  title: 'title',
  groups: [],
  actions: { find: { isRestricted: false }, findDraft: { isRestricted: false } },
  attributes: [
    system('id', 'integer'),
    system('documentId', 'string'),
    attribute('title', 'string'),
    attribute('body', 'blocks'),
    attribute('kind', 'enumeration', { enum: ['walk', 'recipe'] }),
    attribute('minutes', 'integer'),
    attribute('visitedOn', 'date'),
    attribute('eventAt', 'datetime'),
    attribute('opensAt', 'time'),
    attribute('featured', 'boolean'),
    attribute('secret', 'string', { canRead: false }),
    attribute('category', 'relation', { relation: 'manyToOne', target: 'api::category.category', isMany: false }),
    attribute('tags', 'relation', { relation: 'manyToMany', target: 'api::tag.tag', isMany: true }),
    attribute('anything', 'relation', { relation: 'morphToOne', isMany: false }),
    attribute('cover', 'media', { isMany: false, target: 'plugin::upload.file', allowedTypes: ['images'] }),
    system('updatedAt', 'datetime'),
    system('publishedAt', 'datetime'),
    system('locale', 'string'),
  ],
};
const { findDraft: _, ...withoutDrafts } = articles.actions;
const published: DescribedType = { ...articles, actions: withoutDrafts };
const categories: DescribedType = { ...articles, uid: 'api::category.category', title: 'name' };
const typeOf = (uid: string | undefined) => (uid === 'api::category.category' ? categories : undefined);

const read = (query: string, type = articles) => readView(new URLSearchParams(query), type, 'en');
const now = new Date('2024-06-15T10:00:00');
const rows = (query: string, columns: readonly string[] = [], type = articles) =>
  rowsQuery({ type, view: read(query, type), columns: chosenColumns(type, columns), typeOf, now }).split('&');
const filters = (where: string) => rows(`where=${where}`).filter((each) => each.startsWith('filters') || each.startsWith('publication'));

describe('the URL of a list', () => {
  it('says what is usual with nothing', () => {
    expect(read('')).toEqual({ search: '', sort: undefined, page: 1, size: 25, locale: 'en', conditions: [], hasUnknown: false });
  });

  it('says everything that a list shows', () => {
    expect(read('q=fog&sort=minutes.desc&page=3&size=50&locale=fr&where=kind.anyOf.walk.recipe*minutes.over.4')).toEqual({
      search: 'fog',
      sort: { name: 'minutes', direction: 'desc' },
      page: 3,
      size: 50,
      locale: 'fr',
      conditions: [
        { attribute: 'kind', operator: 'anyOf', values: ['walk', 'recipe'] },
        { attribute: 'minutes', operator: 'over', values: ['4'] },
      ],
      hasUnknown: false,
    });
  });

  it.each(['a.b*c', '50 % off', 'ü / ?&=#', '*', '.', '%2E', '"', '+1'])('keeps the value %s', (value) => {
    const conditions: readonly Condition[] = [
      { attribute: 'title', operator: 'contains', values: [value] },
      { attribute: 'title', operator: 'isEmpty', values: [] },
    ];
    const query = new URLSearchParams({ where: writeConditions(conditions) }).toString();
    expect(read(query).conditions).toEqual(conditions);
  });

  it.each([
    ['an unknown attribute', 'where=nope.is.a'],
    ['one that may not be read', 'where=secret.is.a'],
    ['an operator of another type', 'where=title.over.3'],
    ['an operator that there is not', 'where=title.constructor.a'],
    ['no value', 'where=kind.anyOf'],
    ['too many values', 'where=minutes.over.1.2'],
    ['a number that is none', 'where=minutes.over.many'],
    ['a day that is none', 'where=visitedOn.on.yesterday'],
    ['a word that the enumeration lacks', 'where=kind.anyOf.novel'],
    ['a relation to any type', 'where=anything.isEmpty'],
    ['an order by what has none', 'sort=tags.asc'],
  ])('drops %s, and says so', (_, query) => {
    expect(read(query)).toMatchObject({ conditions: [], sort: undefined, hasUnknown: true });
  });

  it.each([
    ['page=-2', 1],
    ['page=x', 1],
    ['page=2.7', 2],
  ])('%s is page %i', (query, page) => {
    expect(read(query).page).toBe(page);
  });

  it('has no status for those who see no drafts', () => {
    expect(read('where=status.anyOf.draft', published).hasUnknown).toBe(true);
  });

  it('begins with the first page whatever changes', () => {
    expect(viewChanges({ search: 'fog' })).toEqual({ page: '', q: 'fog' });
    expect(viewChanges({ sort: { name: 'title', direction: 'asc' } })).toEqual({ page: '', sort: 'title.asc' });
    expect(viewChanges({ sort: undefined })).toEqual({ page: '', sort: '' });
    expect(viewChanges({ page: 3 })).toEqual({ page: '3' });
  });

  it('is saved without the page, in one order', () => {
    expect(viewQuery(new URLSearchParams('page=4&sort=title.asc&q=fog&other=1'))).toBe('q=fog&sort=title.asc');
  });
});

describe('the query of a list', () => {
  it('reads the columns and no more', () => {
    expect(rows('', ['minutes', 'category', 'cover', 'status', 'nope'])).toEqual([
      'status=draft',
      'locale=en',
      'fields[0]=documentId',
      'fields[1]=title',
      'fields[2]=minutes',
      'sort=updatedAt%3Adesc',
      'pagination[page]=1',
      'pagination[pageSize]=25',
      'pagination[withCount]=false',
    ]);
  });

  it('counts all pages by a query of its own', () => {
    const query = { type: articles, view: read('q=fog&where=minutes.over.3&page=7&sort=title.asc'), columns: [], typeOf, now };
    expect(totalQuery(query).split('&')).toEqual([
      'status=draft',
      'locale=en',
      'fields[0]=documentId',
      '_q=fog',
      'filters[$and][0][minutes][$gt]=3',
      'pagination[pageSize]=1',
    ]);
  });

  it('reads what is published for those who see no drafts', () => {
    expect(rows('', [], published)).not.toContain('status=draft');
  });

  it('searches, and sorts through a relation', () => {
    expect(rows('q=%20fog%20&sort=category.desc')).toEqual(expect.arrayContaining(['_q=fog', 'sort=category.name%3Adesc']));
  });

  it.each([
    ['title.contains.fog', ['filters[$and][0][title][$containsi]=fog']],
    ['title.is.fog', ['filters[$and][0][title][$eqi]=fog']],
    ['title.isNot.fog', ['filters[$and][0][$or][0][title][$nei]=fog', 'filters[$and][0][$or][1][title][$null]=true']],
    ['title.isEmpty', ['filters[$and][0][$or][0][title][$null]=true', 'filters[$and][0][$or][1][title][$eq]=']],
    ['title.isNotEmpty', ['filters[$and][0][title][$notNull]=true', 'filters[$and][0][title][$ne]=']],
    ['kind.anyOf.walk.recipe', ['filters[$and][0][kind][$in][0]=walk', 'filters[$and][0][kind][$in][1]=recipe']],
    ['minutes.between.3.5', ['filters[$and][0][minutes][$between][0]=3', 'filters[$and][0][minutes][$between][1]=5']],
    ['minutes.over.3*minutes.under.5', ['filters[$and][0][minutes][$gt]=3', 'filters[$and][1][minutes][$lt]=5']],
    ['featured.yes', ['filters[$and][0][featured][$eq]=true']],
    ['opensAt.before.08:30', ['filters[$and][0][opensAt][$lt]=08%3A30']],
    ['category.anyOf.abc', ['filters[$and][0][category][documentId][$in][0]=abc']],
    ['tags.isEmpty', ['filters[$and][0][tags][documentId][$null]=true']],
    ['cover.isNotEmpty', ['filters[$and][0][cover][id][$notNull]=true']],
    ['visitedOn.on.2024-02-28', ['filters[$and][0][visitedOn][$gte]=2024-02-28', 'filters[$and][0][visitedOn][$lt]=2024-02-29']],
    [
      'visitedOn.between.2024-02-28.2024-12-31',
      ['filters[$and][0][visitedOn][$gte]=2024-02-28', 'filters[$and][0][visitedOn][$lt]=2025-01-01'],
    ],
    ['visitedOn.lastDays.7', ['filters[$and][0][visitedOn][$gte]=2024-06-09', 'filters[$and][0][visitedOn][$lt]=2024-06-16']],
    ['status.anyOf.modified', ['publicationFilter=modified']],
  ])('asks for %s', (where, expected) => {
    expect(filters(where)).toEqual(expected);
  });

  it('means days of the time zone of the browser', () => {
    const instant = (day: string) => encodeURIComponent(new Date(`${day}T00:00:00`).toISOString());
    expect(filters('eventAt.on.2024-03-31')).toEqual([
      `filters[$and][0][eventAt][$gte]=${instant('2024-03-31')}`,
      `filters[$and][0][eventAt][$lt]=${instant('2024-04-01')}`,
    ]);
    expect(filters('eventAt.after.2024-03-31')).toEqual([`filters[$and][0][eventAt][$gte]=${instant('2024-04-01')}`]);
    expect(filters('eventAt.before.2024-03-31')).toEqual([`filters[$and][0][eventAt][$lt]=${instant('2024-03-31')}`]);
  });

  it('lets no value become another parameter', () => {
    expect(queryText({ filters: { title: { $eq: 'a&status=draft#b' } } })).toBe('filters[title][$eq]=a%26status%3Ddraft%23b');
  });

  it('counts links that are lists, and reads them by name where they are few', () => {
    const [category, tags, cover] = ['category', 'tags', 'cover'].map((name) => articles.attributes.find((each) => each.name === name));
    if (category === undefined || tags === undefined || cover === undefined) throw new Error('the type has them');
    const query = linksQuery(articles, 'fr', ['a', 'b'], [category, tags], typeOf);
    expect(query.split('&')).toEqual([
      'status=draft',
      'locale=fr',
      'fields[0]=documentId',
      'filters[documentId][$in][0]=a',
      'filters[documentId][$in][1]=b',
      'populate[category][fields][0]=documentId',
      'populate[category][fields][1]=name',
      'populate[tags][count]=true',
    ]);
    expect(namedLinksQuery(articles, 'fr', ['a'], tags, typeOf)).toContain('populate[tags]=true');
    expect(linksQuery(articles, 'fr', ['a'], [cover], typeOf)).toContain('populate[cover][fields][0]=name');
  });

  it('asks the server which rows are drafts', () => {
    expect(stateQuery(articles, 'en', ['a'], 'draft').split('&')).toEqual(
      expect.arrayContaining(['status=draft', 'publicationFilter=never-published', 'filters[documentId][$in][0]=a']),
    );
  });
});

describe('the columns of a list', () => {
  it('are, until somebody chooses, those that tell documents apart', () => {
    expect(usualColumns(articles)).toEqual(['cover', 'status', 'category', 'kind', 'updatedAt']);
    expect(usualColumns(published)).toEqual(['cover', 'category', 'kind', 'updatedAt']);
  });

  it('can be all that is readable and fits into a cell', () => {
    const names = columnsOf(articles).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['status', 'id', 'kind', 'tags', 'cover']));
    for (const name of ['title', 'body', 'secret', 'anything', 'locale', 'publishedAt']) expect(names).not.toContain(name);
    expect(columnsOf(published).map(({ name }) => name)).toContain('publishedAt');
  });
});
