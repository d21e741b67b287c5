import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { isQueryObject, type QueryObject, type QueryValue } from './query-string.ts';
import type { Pagination } from './types.ts';

/** The limit of a list without one; responses show -1, as Strapi's do. */
const unlimited = Number.MAX_SAFE_INTEGER;

/** Reads `pagination`. Numbers out of range are clamped, as recorded; fractions are refused.
 *
 *  `pagination[page]=3&pagination[pageSize]=10` gives
 *  `{kind: 'page', page: 3, pageSize: 10, withCount: true, offset: 20, limit: 10}`; a page together
 *  with a start throws `pagination.mixed`. */
export function parsePagination(value: QueryValue | undefined, api: Config['api']): Pagination {
  const parameters = isQueryObject(value) ? value : {};
  const { page, pageSize, start, limit } = parameters;
  const paged = page !== undefined || pageSize !== undefined;
  const offset = start !== undefined || limit !== undefined;
  const byCursor = cursorPage(parameters, api);
  if (byCursor !== undefined) return byCursor;
  if (paged && offset) throw ApiError.of('pagination.mixed');
  const isEstimate = parameters.withCount === 'estimate';
  const counted = { withCount: isEstimate || parseWithCount(parameters.withCount, api.withCount), ...(isEstimate ? { isEstimate } : {}) };
  if (offset) {
    const from = startAt(start === undefined ? 0 : Math.max(0, toNumber(start)));
    const size = parseSize(limit, api);
    return { kind: 'offset', start: from, limit: size, ...counted, offset: offsetOf(from) };
  }
  const size = parseSize(pageSize, api);
  if (size === unlimited) return { kind: 'page', page: 1, pageSize: -1, ...counted, offset: 0, limit: unlimited };
  const number = page === undefined ? 1 : Math.max(1, toNumber(page));
  const from = startAt((number - 1) * size);
  return { kind: 'page', page: number, pageSize: size, ...counted, offset: offsetOf(from), limit: size };
}

/** `pagination[cursor]=true&pagination[limit]=10`, and `after` instead of `cursor` on later pages. */
function cursorPage({ cursor, after, withCount, limit, ...others }: QueryObject, api: Config['api']): Pagination | undefined {
  if (after === undefined && !(cursor === 'true' || cursor === 't' || cursor === '1')) return undefined;
  const other = pageParameterOf(others) ?? (withCount === undefined || withCount === 'false' ? undefined : 'withCount');
  if (other !== undefined) throw ApiError.of('cursor.mixed', { received: other });
  // Whether an entry follows shows whether there is a next page.
  return { kind: 'cursor', limit: Math.min(parseSize(limit, api), unlimited - 1) + 1, offset: 0, withCount: false };
}

const pageParameterOf = (parameters: QueryObject) => Object.keys(parameters).find((key) => pageParameters.has(key));

const pageParameters: ReadonlySet<string> = new Set(['page', 'pageSize', 'start', 'limit']);
const paginationKeys: ReadonlySet<string> = new Set([...pageParameters, 'withCount', 'cursor', 'after']);

/** Throws for `page`, `pageSize`, `start` and `limit` outside of `pagination`, where they would
 *  have no effect; with `strict`, also for unknown keys in it. */
export function refuseMisplaced(query: QueryObject, strict: boolean): void {
  const outside = pageParameterOf(query);
  if (outside !== undefined) throw ApiError.of('pagination.place', { received: outside });
  const { pagination = '' } = query;
  if (!strict || pagination === '' || pagination === null) return;
  if (!isQueryObject(pagination)) throw ApiError.of('pagination.place', { received: 'pagination' });
  const unknown = Object.keys(pagination).find((key) => !paginationKeys.has(key));
  if (unknown !== undefined) throw ApiError.of('pagination.place', { received: `pagination[${unknown.slice(0, maxShown)}]` });
}

/** Characters of a key in a message. */
const maxShown = 100;

/** Reads `start` and `limit` of a list without pages by default: `start=5&limit=10` gives
 *  `{kind: 'offset', start: 5, limit: 10, …}`. */
export function parseWindow({ start, limit }: QueryObject): Pagination {
  if (start === undefined && limit === undefined) return { kind: 'none' };
  const from = startAt(start === undefined ? 0 : Math.max(0, toNumber(start)));
  const size = limit === undefined ? unlimited : toNumber(limit);
  if (!Number.isInteger(size)) throw ApiError.of('pagination.limit', { received: String(size) });
  const max = size < 0 ? unlimited : Math.min(size, unlimited);
  return { kind: 'offset', start: from, limit: max, withCount: false, offset: offsetOf(from) };
}

/** Reads `start` of one document. As in Strapi, other parameters are checked without effect. */
export function parseWindowOfOne({ page, pageSize, start, limit }: QueryObject): number {
  const [number, size, from, max] = [page, pageSize, start, limit].map((value) => (value === '' || value === null ? undefined : value));
  if ((number ?? size) !== undefined && (from ?? max) !== undefined)
    throw ApiError.of('pagination.place', { received: from === undefined ? 'limit' : 'start' });
  for (const [name, value] of [
    ['page', number],
    ['pageSize', size],
  ] as const) {
    if (value !== undefined && !(toInteger(value) >= 1)) throw ApiError.of('pagination.page', { name, received: String(value) });
  }
  if (max !== undefined && !(toInteger(max) >= 1 || toInteger(max) === -1))
    throw ApiError.of('pagination.limit', { received: String(max) });
  if (from === undefined) return 0;
  if (!(toInteger(from) >= 0)) throw ApiError.of('pagination.start', { name: 'start', received: String(from) });
  return toInteger(from);
}

/** Reads an integer; returns NaN for text that is not a number. */
function toInteger(value: QueryValue): number {
  const number = toNumber(value);
  return Number.isInteger(number) ? number : Number.NaN;
}

function parseSize(value: QueryValue | undefined, api: Config['api']): number {
  const max = api.maxLimit === 'none' ? unlimited : api.maxLimit;
  if (value === undefined) return api.defaultLimit === 'none' ? unlimited : api.defaultLimit;
  const size = toNumber(value);
  // Text that is not a number means no limit, so the largest one applies.
  if (Number.isNaN(size) && api.maxLimit !== 'none') return api.maxLimit;
  if (!Number.isInteger(size)) throw ApiError.of('pagination.limit', { received: String(size) });
  return Math.min(Math.max(1, size), max);
}

function parseWithCount(value: QueryValue | undefined, byDefault: boolean): boolean {
  if (value === undefined || value === null) return byDefault;
  if (value === 'true' || value === 't' || value === '1') return true;
  if (value === 'false' || value === 'f' || value === '0') return false;
  throw ApiError.of('pagination.with-count');
}

function toNumber(value: QueryValue): number {
  if (typeof value === 'string') return Number(value);
  if (Array.isArray(value) && value[0] !== undefined) return value.length === 1 ? toNumber(value[0]) : Number.NaN;
  return value === null ? 0 : Number.NaN;
}

function startAt(value: number): number {
  if (!Number.isInteger(value)) throw ApiError.of('pagination.start', { name: 'start', received: String(value) });
  return value;
}

/** Returns the offset. JavaScript writes numbers beyond 10^21 with an exponent, of which Strapi's
 *  query builder reads only the digits before the point. */
const offsetOf = (start: number): number => Math.min(Number.parseInt(String(start), 10), Number.MAX_SAFE_INTEGER);
