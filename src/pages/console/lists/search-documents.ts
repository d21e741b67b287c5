/** Documents of several types at once, by the full-text search of the server. */
import { type DescribedType, typeOf } from '../server/me.ts';
import { request } from '../server/request.ts';
import { settings } from '../server/settings.ts';
import type { ChosenDocument } from './jobs.ts';
import { queryText, scopeOf } from './list-query.ts';

export interface FoundDocument extends ChosenDocument {
  readonly type: DescribedType;
}

interface Hit {
  readonly type: string;
  readonly documentId: string;
  readonly title?: string | null;
  readonly rank: number;
}

/** The best ones first. Undefined if the server cannot search: an index may not be built. Rejects only
 *  when `signal` aborts. */
export async function searchDocuments(
  types: readonly DescribedType[],
  text: string,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<readonly FoundDocument[] | undefined> {
  // Types whose drafts the user does not see are searched as published.
  const lists = await Promise.all(
    ['draft', undefined].map(async (status) => {
      const some = types.filter((type) => scopeOf(type, undefined).status === status).map(({ uid }) => uid);
      return some.length === 0 ? [] : search({ q: text, types: some.join(','), status, pagination: { pageSize: limit } }, signal);
    }),
  );
  if (lists.includes(undefined)) return undefined;
  return lists
    .flatMap((hits) => hits ?? [])
    .sort((a, b) => b.rank - a.rank)
    .slice(0, limit)
    .flatMap(({ type: uid, documentId, title }) => {
      const type = typeOf(uid);
      return type === undefined ? [] : [{ type, documentId, title: title || documentId }];
    });
}

async function search(params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<readonly Hit[] | undefined> {
  const query = queryText(params);
  const { json } = await request<{ readonly data: readonly Hit[] }>('GET', `${settings.value.prefix}/_search`, { query, signal });
  return json?.data;
}
