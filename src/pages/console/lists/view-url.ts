/** What a list shows, as the query of its URL: `?q=fog&where=kind.anyOf.walk*title.contains.sea`. */
import type { DescribedType } from '../../../http/endpoints/me/described-me.ts';
import { isSortable } from './columns.ts';
import { type Condition, filterablesOf, isComplete, type Operator } from './conditions.ts';

export interface Sort {
  /** The name of an attribute. */
  readonly name: string;
  readonly direction: 'asc' | 'desc';
}

export interface ListView {
  readonly search: string;
  /** Undefined for the usual order. */
  readonly sort: Sort | undefined;
  /** The first one is 1. */
  readonly page: number;
  readonly size: number;
  /** Undefined for types without locales. */
  readonly locale: string | undefined;
  readonly conditions: readonly Condition[];
  /** Whether the URL has conditions or a sort that the type does not have any more, or not for
   *  this user. */
  readonly hasUnknown: boolean;
}

export const pageSizes = [10, 25, 50, 100] as const;
const usualSize = 25;

export function readView(query: URLSearchParams, type: DescribedType, defaultLocale: string | undefined): ListView {
  const sort = readSort(query.get('sort') ?? '', type);
  const { conditions, hasUnknown } = readConditions(query.get('where') ?? '', type);
  const size = Number(query.get('size'));
  return {
    search: query.get('q') ?? '',
    sort,
    page: Math.max(1, Math.trunc(Number(query.get('page'))) || 1),
    size: (pageSizes as readonly number[]).includes(size) ? size : usualSize,
    locale: type.localized ? (query.get('locale') ?? defaultLocale) : undefined,
    conditions,
    hasUnknown: hasUnknown || (query.has('sort') && sort === undefined),
  };
}

function readSort(text: string, type: DescribedType): Sort | undefined {
  const [name = '', direction] = text.split('.');
  const attribute = type.attributes.find((each) => each.name === name);
  if (attribute === undefined || !isSortable(attribute)) return undefined;
  return { name, direction: direction === 'desc' ? 'desc' : 'asc' };
}

/** Parameters for `setQuery`; whatever changes, the list begins with its first page. */
export function viewChanges(changes: Partial<Omit<ListView, 'hasUnknown'>>): Readonly<Record<string, string>> {
  return {
    page: changes.page === undefined || changes.page === 1 ? '' : String(changes.page),
    ...(changes.search === undefined ? {} : { q: changes.search }),
    ...('sort' in changes ? { sort: changes.sort === undefined ? '' : `${changes.sort.name}.${changes.sort.direction}` } : {}),
    ...(changes.size === undefined ? {} : { size: changes.size === usualSize ? '' : String(changes.size) }),
    ...(changes.conditions === undefined ? {} : { where: writeConditions(changes.conditions) }),
  };
}

/** What a saved view remembers of a query. */
export function viewQuery(query: URLSearchParams): string {
  const kept = new URLSearchParams();
  for (const name of ['q', 'where', 'sort', 'size', 'locale']) {
    const value = query.get(name);
    if (value !== null && value !== '') kept.set(name, value);
  }
  return kept.toString();
}

/** URLs write `.` and `*` as they are; values may contain them. */
const escaped = (value: string): string => encodeURIComponent(value).replaceAll('.', '%2E').replaceAll('*', '%2A');

export const writeConditions = (conditions: readonly Condition[]): string =>
  conditions.map(({ attribute, operator, values }) => [attribute, operator, ...values.map(escaped)].join('.')).join('*');

function readConditions(text: string, type: DescribedType): { readonly conditions: readonly Condition[]; readonly hasUnknown: boolean } {
  if (text === '') return { conditions: [], hasUnknown: false };
  const filterables = new Map(filterablesOf(type).map((each) => [each.name, each]));
  const parts = text.split('*');
  const conditions = parts.flatMap((part): Condition[] => {
    const [attribute = '', operator = '', ...values] = part.split('.');
    const filterable = filterables.get(attribute);
    const condition = { attribute, operator: operator as Operator, values: values.map(unescaped) };
    return filterable !== undefined && isComplete(condition, filterable) ? [condition] : [];
  });
  return { conditions, hasUnknown: conditions.length < parts.length };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
