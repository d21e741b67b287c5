/** Documents by their titles: to choose from, and to name those that a filter asks for. */
import { signal } from '@preact/signals';
import { type DescribedType, defaultLocale, typeOf } from '../server/me.ts';
import { request } from '../server/request.ts';
import type { ChosenDocument } from './jobs.ts';
import { queryText, scopeOf, usualSort } from './list-query.ts';
import { titleText } from './values-text.ts';

type Found = Readonly<Record<string, unknown>> & { readonly documentId: string };
/** Users come without an envelope, and without pages. */
type Body = readonly Found[] | { readonly data: readonly Found[] };

export interface Search {
  readonly locale?: string | undefined;
  readonly limit: number;
  /** Those that were changed last are found without sorting all that contain the text. */
  readonly order?: 'title' | 'latest';
  readonly signal?: AbortSignal;
}

/** Those whose title contains the text, in the order of their titles unless said otherwise.
 *  Rejects only when `signal` aborts. */
export async function findDocuments(
  type: DescribedType,
  text: string,
  { locale, limit, signal, order = 'title' }: Search,
): Promise<readonly ChosenDocument[]> {
  const { title = 'documentId' } = type;
  const latest = usualSort(type);
  const filters = text === '' ? undefined : { [title]: { $containsi: text } };
  const query = queryText({
    ...asked(type, locale),
    sort: order === 'title' || latest === undefined ? title : `${latest.name}:${latest.direction}`,
    filters,
    ...pageOf(type, limit),
  });
  const found = await read(type, query, signal);
  return found.slice(0, limit);
}

/** Of one list in a query, `limits.listValues`. */
const mostTitles = 100;
const titles = signal<ReadonlyMap<string, string>>(new Map());
const keyOf = (uid: string, documentId: string, locale: string | undefined) =>
  `${uid} ${documentId} ${typeOf(uid)?.localized ? (locale ?? defaultLocale()) : ''}`;

/** Undefined until it is known; `loadTitles` asks for it. */
export const knownTitle = (uid: string, documentId: string, locale: string | undefined): string | undefined =>
  titles.value.get(keyOf(uid, documentId, locale));

export function rememberTitles(uid: string, documents: readonly ChosenDocument[], locale: string | undefined): void {
  const own = documents.map(({ documentId, title }) => [keyOf(uid, documentId, locale), title] as const);
  titles.value = new Map([...titles.value, ...own]);
}

/** `isAgain`: also those that are known, as they may have changed. */
export async function loadTitles(uid: string, documentIds: readonly string[], locale: string | undefined, isAgain = false): Promise<void> {
  const type = typeOf(uid);
  const wanted = documentIds.filter((id) => isAgain || knownTitle(uid, id, locale) === undefined);
  if (type === undefined) return;
  for (let from = 0; from < wanted.length; from += mostTitles) {
    const some = wanted.slice(from, from + mostTitles);
    const query = queryText({ ...asked(type, locale), filters: { documentId: { $in: some } }, ...pageOf(type, some.length) });
    rememberTitles(uid, await read(type, query), locale);
  }
}

const asked = (type: DescribedType, locale: string | undefined) => ({
  ...scopeOf(type, locale),
  fields: [...new Set(['documentId', ...(type.title === undefined ? [] : [type.title])])],
});

const pageOf = ({ uid }: DescribedType, limit: number) =>
  uid.startsWith('api::') ? { pagination: { pageSize: limit, withCount: false } } : {};

async function read(type: DescribedType, query: string, signal?: AbortSignal): Promise<readonly ChosenDocument[]> {
  const { json } = await request<Body>('GET', type.path, { query, signal });
  const found = json === undefined ? [] : 'data' in json ? json.data : json;
  return found.map((row) => ({ documentId: row.documentId, title: titleText(type, row) }));
}
