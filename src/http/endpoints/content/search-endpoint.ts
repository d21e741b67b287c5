/** `GET /api/_search`: a full-text search in several types. Each type is read as its list would be, with the caller's
 *  rights; the lists are merged by rank. */
import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { invalidKey } from '../../../errors/invalid-key.ts';
import type { ContentModel, ContentType } from '../../../model/content-model.ts';
import type { AnswerRead } from '../../../pipeline/call.ts';
import { ReadableTypes } from '../../../rights/readable-types.ts';
import type { Rights } from '../../../rights/rights.ts';
import { type FoundEntry, foundEntry, mergedByRank, readOfType, type TypeToSearch } from '../../../search/found-entries.ts';
import type { SearchIndex, SearchIndexes } from '../../../search/search-index.ts';
import { searchTerms } from '../../../search/search-words.ts';
import { digestOf } from '../../../text/digest.ts';
import { handlingOf, type Route } from '../../routes/routes.ts';
import type { Endpoint } from '../../send-response.ts';
import { askList, fewAtATime, respondingUnread, Unread } from './ask-list.ts';

export interface SearchEndpointParts {
  readonly answer: AnswerRead;
  readonly model: ContentModel;
  readonly config: Config;
  readonly routes: readonly Route[];
  readonly searchIndexes?: SearchIndexes | undefined;
}

const usualPageSize = 25;
const maxPageSize = 100;
/** Entries that can be paged through: each page reads those before it, of each type. */
const maxEntries = 200;

/** Undefined if no type has a full-text search. */
export function searchEndpoint({ answer, config, routes, searchIndexes }: SearchEndpointParts): Endpoint | undefined {
  if (searchIndexes === undefined) return undefined;
  const listed = new Set(
    routes.flatMap((route) =>
      route.serves.kind === 'content' && route.serves.target !== 'document' && handlingOf(route) === 'served' ? [route.serves.type] : [],
    ),
  );
  const indexes = [...searchIndexes.values()].filter(({ type }) => listed.has(type));

  return respondingUnread(async (call) => {
    const query = readQuery(call.query, config);
    const terms = searchTerms(query.q);
    if (terms.length === 0) throw ApiError.of('search.words', { path: 'q' });
    const { rights } = call.actor;
    const permitted = indexes.filter(({ type }) => rights.allows(`${type.uid}.find`));
    const wanted = namedTypes(permitted, query.types).flatMap((index) => typeToSearch(index, rights, query.status, config));
    const needed = query.page * query.pageSize;

    async function search(of: TypeToSearch): Promise<{ of: TypeToSearch; total: number; entries: readonly FoundEntry[] }> {
      const { type } = of.index;
      const restriction = rights.restriction(`${type.uid}.find`);
      const entries: FoundEntry[] = [];
      for (;;) {
        const limit = Math.min(needed - entries.length, typeof config.api.maxLimit === 'number' ? config.api.maxLimit : maxEntries);
        const text = readOfType(of, { ...query, start: entries.length, limit });
        const list = await askList(answer, { type, restriction, query: text, isWhole: true }, call);
        if (!list.ok) throw new Unread(list.outcome);
        for (const row of list.rows) entries.push(foundEntry(row, of, terms));
        if (entries.length >= Math.min(needed, list.total) || list.rows.length === 0) return { of, total: list.total, entries };
      }
    }
    const found = await fewAtATime(wanted, search);
    const total = found.reduce((sum, each) => sum + each.total, 0);
    const { page, pageSize } = query;
    const shown = mergedByRank(
      found.map(({ entries }) => entries),
      needed,
    ).slice(needed - pageSize);
    const body = JSON.stringify({
      data: shown.map(({ show }) => show()),
      meta: {
        pagination: { page, pageSize, pageCount: Math.ceil(total / pageSize), total },
        types: Object.fromEntries(found.map(({ of, total: its }) => [of.index.type.uid, its])),
      },
    });
    return { status: 200, body, digest: digestOf(body), headers: { 'cache-control': 'private, no-cache' } };
  });
}

/** The type with the columns that the caller may read, by the rule of reads; empty if there are none. */
export function typeToSearch(
  index: SearchIndex,
  rights: Rights,
  status: string | null,
  { policies }: Pick<Config, 'policies'>,
): TypeToSearch[] {
  const aboutDrafts = policies.draftsNeedRight && status === 'draft';
  const right = rights.restriction(`${index.type.uid}.find`);
  const fields = new ReadableTypes(rights, policies, aboutDrafts).rootRestriction(right, index.type)?.fields;
  const columns = index.columns.filter(({ attribute }) => fields?.has(attribute) ?? true);
  return columns.length === 0 ? [] : [{ index, columns, fields }];
}

function namedTypes(permitted: readonly SearchIndex[], names: string | null): readonly SearchIndex[] {
  if (names === null) return permitted;
  const isNamed = ({ uid, pluralName, singularName }: ContentType, name: string) => [uid, pluralName, singularName].includes(name);
  const listed = names.split(',').map((name) => name.trim());
  // A type that the caller may not find is as unknown as one that does not exist.
  const unknown = listed.find((name) => !permitted.some(({ type }) => isNamed(type, name)));
  if (unknown !== undefined)
    throw ApiError.of('search.type', { received: unknown.slice(0, 100), known: permitted.map(({ type }) => type.pluralName) });
  return permitted.filter(({ type }) => listed.some((name) => isNamed(type, name)));
}

const known = ['q', 'types', 'locale', 'status', 'pagination[page]', 'pagination[pageSize]'];

function readQuery(text: string, { api, limits }: Config) {
  if (Buffer.byteLength(text) > limits.queryBytes) throw ApiError.of('limit.query-bytes', { limit: limits.queryBytes });
  const parameters = new URLSearchParams(text);
  for (const name of parameters.keys()) if (!known.includes(name)) throw invalidKey(name, null, name);
  const number = (name: string, usual: number): number => {
    const received = parameters.get(`pagination[${name}]`);
    if (received === null) return usual;
    const value = /^\d{1,9}$/.test(received) ? Number(received) : 0;
    if (value < 1) throw ApiError.of('pagination.page', { name, received: received.slice(0, 100) });
    return value;
  };
  const page = number('page', 1);
  const greatest = typeof api.maxLimit === 'number' ? Math.min(api.maxLimit, maxPageSize) : maxPageSize;
  const pageSize = Math.min(number('pageSize', usualPageSize), greatest);
  if (page * pageSize > maxEntries) throw ApiError.of('search.page', { limit: maxEntries });
  const get = (name: string) => parameters.get(name);
  return { q: get('q') ?? '', types: get('types'), locale: get('locale'), status: get('status'), page, pageSize };
}
