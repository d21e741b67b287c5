/** The requests of a list: a page of rows, and then what has to be populated (docs/query.md). */
import type { DescribedAttribute, DescribedType } from '../../../http/endpoints/me/described-me.ts';
import { type Column, isPopulated } from './columns.ts';
import { showsDrafts, statusName } from './conditions.ts';
import { filtersOf } from './list-filters.ts';
import type { ListView, Sort } from './view-url.ts';

type TypeOf = (uid: string | undefined) => DescribedType | undefined;

/** `{ fields: ['title'], filters: { kind: { $eq: 'walk' } } }` → `fields[0]=title&filters[kind][$eq]=walk` */
export function queryText(parameters: Readonly<Record<string, unknown>>): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => written(value, name))
    .join('&');
}

function written(value: unknown, path: string): readonly string[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((each, index) => written(each, `${path}[${index}]`));
  if (typeof value === 'object' && value !== null) return Object.entries(value).flatMap(([key, each]) => written(each, `${path}[${key}]`));
  return [
    `${encodeURIComponent(path).replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%24', '$')}=${encodeURIComponent(String(value))}`,
  ];
}

/** Drafts where the caller may see them, and the locale. */
export const scopeOf = (type: DescribedType, locale: string | undefined): Readonly<Record<string, unknown>> => ({
  status: showsDrafts(type) ? 'draft' : undefined,
  locale: type.localized ? locale : undefined,
});

export interface RowsQuery {
  readonly type: DescribedType;
  readonly view: ListView;
  readonly columns: readonly Column[];
  readonly typeOf: TypeOf;
  /** For conditions on the last days. */
  readonly now: Date;
}

/** A page of rows, with nothing but what its columns show, and without their total: counting what a
 *  search finds reads the whole table, while its first rows are often found at once. */
export function rowsQuery(query: RowsQuery): string {
  const { type, view, columns, typeOf } = query;
  const scalars = columns.flatMap(({ attribute }) => (attribute === undefined || isPopulated(attribute) ? [] : [attribute.name]));
  return queryText({
    ...scopeOf(type, view.locale),
    fields: [...new Set(['documentId', ...(type.title === undefined ? [] : [type.title]), ...scalars])],
    sort: sortText(type, view.sort ?? usualSort(type), typeOf),
    ...narrowed(query),
    pagination: { page: view.page, pageSize: view.size, withCount: false },
  });
}

/** How many rows there are on all pages. */
export const totalQuery = (query: RowsQuery): string =>
  queryText({ ...scopeOf(query.type, query.view.locale), fields: ['documentId'], ...narrowed(query), pagination: { pageSize: 1 } });

function narrowed({ type, view: { search, conditions }, now }: RowsQuery) {
  const status = conditions.find(({ attribute }) => attribute === statusName && isStatus(type));
  return {
    _q: search.trim() === '' ? undefined : search.trim(),
    filters: filtersOf(type, conditions, now),
    publicationFilter: status === undefined ? undefined : publicationFilters[status.values[0] ?? ''],
  };
}

const isStatus = (type: DescribedType) => !type.attributes.some(({ name }) => name === statusName);

const publicationFilters: Readonly<Record<string, string>> = { draft: 'never-published', modified: 'modified', published: 'unmodified' };

/** What was changed last comes first. */
export const usualSort = (type: DescribedType): Sort | undefined =>
  type.attributes.some(({ name, canRead }) => name === 'updatedAt' && canRead) ? { name: 'updatedAt', direction: 'desc' } : undefined;

function sortText(type: DescribedType, sort: Sort | undefined, typeOf: TypeOf): string | undefined {
  const attribute = type.attributes.find(({ name }) => name === sort?.name);
  if (sort === undefined || attribute === undefined) return undefined;
  const path = isPopulated(attribute) ? `${sort.name}.${typeOf(attribute.target)?.title ?? 'documentId'}` : sort.name;
  return `${path}:${sort.direction}`;
}

/** Which of these documents have that state; the server compares the versions. */
export const stateQuery = (type: DescribedType, locale: string | undefined, ids: readonly string[], state: 'draft' | 'modified'): string =>
  queryText({
    ...scopeOf(type, locale),
    fields: ['documentId'],
    publicationFilter: publicationFilters[state],
    filters: { documentId: { $in: ids } },
    pagination: { pageSize: ids.length, withCount: false },
  });

const mediaFields = ['name', 'url', 'mime', 'ext', 'formats', 'alternativeText', 'focalPoint', 'updatedAt'];

/** How many links are shown by name in one cell; more are only counted. */
export const namedLinks = 5;

/** The linked documents and files of these rows. Of attributes that are lists, only how many there
 *  are: one document can be linked with thousands. */
export function linksQuery(
  type: DescribedType,
  locale: string | undefined,
  ids: readonly string[],
  attributes: readonly DescribedAttribute[],
  typeOf: TypeOf,
): string {
  return queryText({
    ...scopeOf(type, locale),
    fields: ['documentId'],
    filters: { documentId: { $in: ids } },
    populate: Object.fromEntries(
      attributes.map((attribute) => [attribute.name, attribute.isMany === true ? { count: true } : linkedFields(attribute, typeOf)]),
    ),
  });
}

/** The links of one attribute that is a list, of rows that have few of them. */
export const namedLinksQuery = (
  type: DescribedType,
  locale: string | undefined,
  ids: readonly string[],
  attribute: DescribedAttribute,
  typeOf: TypeOf,
): string =>
  queryText({
    ...scopeOf(type, locale),
    fields: ['documentId'],
    filters: { documentId: { $in: ids } },
    populate: { [attribute.name]: linkedFields(attribute, typeOf) },
  });

function linkedFields({ type, target }: DescribedAttribute, typeOf: TypeOf): unknown {
  if (type === 'media') return { fields: mediaFields };
  const found = typeOf(target);
  // Of users of Strapi's panel the server says which attributes there are.
  if (found === undefined) return true;
  return { fields: [...new Set(['documentId', ...(found.title === undefined ? [] : [found.title])])] };
}
