/** The documents that a relation can link to: how they are asked for, and how they are called. Pure. */
import type { DescribedType } from '../../../../http/endpoints/me/described-me.ts';
import type { LinkedDocument } from '../../document/values.ts';

export interface TargetSearch {
  readonly type: DescribedType;
  /** Undefined where the type has no locales. */
  readonly locale: string | undefined;
  /** Whether drafts are linked, too. */
  readonly isDraft: boolean;
  /** A part of the title, or of any text if the type has no title. */
  readonly text: string;
  readonly page: number;
  readonly status?: 'never-published' | 'modified' | undefined;
  readonly sort?: string | undefined;
}

const pageSize = 20;

export function searchQuery({ type, locale, isDraft, text, page, status, sort }: TargetSearch): string {
  const { title } = type;
  const hasColumn = type.attributes.some(({ name, hasColumn: has }) => name === title && has);
  const words = text.trim();
  const search = title !== undefined && hasColumn ? `filters[${title}][$containsi]` : '_q';
  const parts: (readonly [string, string])[] = [
    ...fieldsOf(type).map((name, index) => [`fields[${index}]`, name] as const),
    ...(words === '' ? [] : [[search, words] as const]),
    ...scopeOf({ type, locale, isDraft }),
    ...(status === undefined ? [] : [['publicationFilter', status] as const]),
    ...(sort !== undefined || (title !== undefined && hasColumn) ? [['sort', sort ?? `${title}:asc`] as const] : []),
    ['pagination[page]', String(page)],
    ['pagination[pageSize]', String(pageSize)],
  ];
  return encoded(parts);
}

/** Which of these drafts have never been published. */
export const unpublishedQuery = (scope: Pick<TargetSearch, 'type' | 'locale'>, ids: readonly string[]): string =>
  encoded([
    ['fields[0]', 'documentId'],
    ...ids.map((id, index) => [`filters[documentId][$in][${index}]`, id] as const),
    ...scopeOf({ ...scope, isDraft: true }),
    ['publicationFilter', 'never-published'],
    ['pagination[pageSize]', String(ids.length)],
  ]);

const scopeOf = ({ type, locale, isDraft }: Pick<TargetSearch, 'type' | 'locale' | 'isDraft'>): readonly (readonly [string, string])[] => [
  ...(type.localized && locale !== undefined ? [['locale', locale] as const] : []),
  ...(isDraft && showsDrafts(type) ? [['status', 'draft'] as const] : []),
];

/** Whether the caller sees drafts of the type, which links of drafts lead to. */
export const showsDrafts = ({ draftAndPublish, actions }: DescribedType): boolean => draftAndPublish && actions.findDraft !== undefined;

const encoded = (parts: readonly (readonly [string, string])[]): string =>
  parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');

const fieldsOf = ({ title, localized }: DescribedType): readonly string[] => [
  ...new Set(['documentId', ...(title === undefined ? [] : [title]), ...(localized ? ['locale'] : [])]),
];

/** What names the document for people. */
export function titleOf(document: LinkedDocument, type: DescribedType | undefined): string {
  const names = type?.title === undefined ? ['name', 'title', 'username'] : [type.title];
  const found = names.map((name) => document[name]).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' ? found : document.documentId;
}

/** The rows of a response and how many pages there are. Users come as a plain list. */
export function pageOf(
  body: unknown,
  page: number,
): { readonly rows: readonly LinkedDocument[]; readonly pages: number; readonly total?: number } {
  if (Array.isArray(body)) return { rows: body, pages: body.length < pageSize ? page : page + 1 };
  const { data, meta } = (body ?? {}) as {
    readonly data?: readonly LinkedDocument[];
    readonly meta?: { readonly pagination?: { readonly pageCount?: number; readonly total?: number } };
  };
  const { pageCount = page, total } = meta?.pagination ?? {};
  return { rows: data ?? [], pages: pageCount, ...(total === undefined ? {} : { total }) };
}
