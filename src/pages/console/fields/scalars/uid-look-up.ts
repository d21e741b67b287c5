/** The queries that find who has a uid, among the documents that the caller may read. Pure. */
import type { DescribedAttribute, DescribedType } from '../../../../http/endpoints/me/described-me.ts';

export interface UidScope {
  readonly type: DescribedType;
  readonly attribute: DescribedAttribute;
  /** The document whose uid it is. */
  readonly documentId: string | undefined;
  readonly locale: string | undefined;
  readonly isDraft: boolean;
}

export interface Holder {
  readonly documentId: string;
  readonly [attribute: string]: unknown;
}

interface LookUp {
  readonly path: string;
  readonly query: string;
}

export const holderOf = (scope: UidScope, value: string): LookUp => ({
  path: scope.type.path,
  query: queryOf(scope, [[`filters[${scope.attribute.name}][$eq]`, value]], ['documentId', scope.type.title ?? 'documentId'], 1),
});

export const takenOf = (scope: UidScope, candidates: readonly string[]): LookUp => ({
  path: scope.type.path,
  query: queryOf(
    scope,
    candidates.map((each, index) => [`filters[${scope.attribute.name}][$in][${index}]`, each]),
    [scope.attribute.name],
    candidates.length,
  ),
});

function queryOf(
  { documentId, locale, isDraft }: UidScope,
  filters: readonly (readonly [string, string])[],
  fields: readonly string[],
  pageSize: number,
): string {
  const parts: (readonly [string, string])[] = [
    ...filters,
    ...(documentId === undefined ? [] : [['filters[documentId][$ne]', documentId] as const]),
    ...[...new Set(fields)].map((name, index) => [`fields[${index}]`, name] as const),
    ...(locale === undefined ? [] : [['locale', locale] as const]),
    ...(isDraft ? [['status', 'draft'] as const] : []),
    ['pagination[pageSize]', String(pageSize)],
  ];
  return parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}
