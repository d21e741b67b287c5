import { expect, it } from 'vitest';
import type { DescribedType } from '../../../../http/endpoints/me/described-me.ts';
import { attribute } from '../../document/described-attribute.ts';
import { pageOf, searchQuery, titleOf, unpublishedQuery } from './targets.ts';

const tag: DescribedType = {
  uid: 'api::tag.tag',
  kind: 'collectionType',
  path: '/api/tags',
  singularName: 'tag',
  pluralName: 'tags',
  label: 'Tag',
  draftAndPublish: true,
  localized: true,
  hasHistory: false,
  hasSchedule: false,
  hasSearch: false,
  actions: { find: { isRestricted: false }, findDraft: { isRestricted: false } },
  title: 'name',
  attributes: [attribute('name', 'string')],
  groups: [],
};
const search = { type: tag, locale: 'de', isDraft: true, text: ' a&b ', page: 2 };
const decoded = (query: string) => query.split('&').map(decodeURIComponent);

it('searches titles, in the locale and the version that the form links to', () => {
  expect(decoded(searchQuery(search))).toEqual([
    'fields[0]=documentId',
    'fields[1]=name',
    'fields[2]=locale',
    'filters[name][$containsi]=a&b',
    'locale=de',
    'status=draft',
    'sort=name:asc',
    'pagination[page]=2',
    'pagination[pageSize]=20',
  ]);
});

it('searches all texts of a type without a title, and asks for no drafts that the caller may not see', () => {
  const { title: _, ...untitled } = tag;
  const type = { ...untitled, localized: false, actions: {} };
  expect(decoded(searchQuery({ ...search, type }))).toEqual([
    'fields[0]=documentId',
    '_q=a&b',
    'pagination[page]=2',
    'pagination[pageSize]=20',
  ]);
});

it('asks which documents have never been published', () => {
  expect(decoded(unpublishedQuery(search, ['a', 'b']))).toEqual(
    expect.arrayContaining(['filters[documentId][$in][1]=b', 'status=draft', 'publicationFilter=never-published', 'locale=de']),
  );
});

it('names a document by its title, else by its documentId', () => {
  expect(titleOf({ documentId: 'x', name: 'Fog' }, tag)).toBe('Fog');
  expect(titleOf({ documentId: 'x', name: null }, tag)).toBe('x');
  expect(titleOf({ documentId: 'x', username: 'ada' }, undefined)).toBe('ada');
});

it('reads pages, also of users', () => {
  const meta = { pagination: { pageCount: 3, total: 41 } };
  expect(pageOf({ data: [{ documentId: 'x' }], meta }, 1)).toEqual({ rows: [{ documentId: 'x' }], pages: 3, total: 41 });
  expect(pageOf([{ documentId: 'x' }], 2)).toEqual({ rows: [{ documentId: 'x' }], pages: 2 });
});
