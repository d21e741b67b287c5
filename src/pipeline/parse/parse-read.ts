/** The first stage: the query string of a read becomes a `ReadRequest`. */
import type { Config } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { invalidKey, withMeant } from '../../errors/invalid-key.ts';
import type { Locales } from '../../locales/locales.ts';
import { castBoolean } from '../../model/attributes/boolean.ts';
import type { ContentModel, ContentType } from '../../model/content-model.ts';
import { searchOf } from '../../model/visibility.ts';
import { KnownNames } from '../../rights/known-names.ts';
import type { SearchIndex, SearchIndexes } from '../../search/search-index.ts';
import { searchTerms } from '../../search/search-words.ts';
import type { ReadCall } from '../call.ts';
import type { UnlistedComponents } from '../unlisted-components.ts';
import { ParseContext, readPattern } from './context.ts';
import type { DefaultPopulate } from './default-populate.ts';
import { fieldsOf } from './fields.ts';
import { parseFilters } from './filters.ts';
import { parseFallback, parseLocale, takesAnyStatusAndLocale } from './locales.ts';
import { parsePagination, parseWindow, parseWindowOfOne, refuseMisplaced } from './pagination.ts';
import { parseCursor } from './parse-cursor.ts';
import { parseGrouping, parseGroupPage } from './parse-grouping.ts';
import { parseRelated } from './parse-related.ts';
import type { PlanParameters } from './plan-parameters.ts';
import { parsePopulate } from './populate.ts';
import { isQueryObject, parseQueryString, type QueryObject, type QueryValue, saysNothing } from './query-string.ts';
import { withSelections } from './selection-layers.ts';
import { parseSort } from './sort.ts';
import {
  type Filter,
  type FullText,
  type Pagination,
  type PublicationFilter,
  publicationFilters,
  type ReadRequest,
  type Search,
  type Selection,
  type Status,
} from './types.ts';

/** The key of a full-text search in the filters of a type. */
const searchKey = '$search';

/** Every parameter that Strapi knows at the top level, and ours (`selection`, `fallback`); any other
 *  is refused in strict mode. */
const knownParameters = new Set([
  'filters',
  'sort',
  'fields',
  'populate',
  'selection',
  'status',
  'locale',
  'fallback',
  'page',
  'pageSize',
  'start',
  'limit',
  '_q',
  'publicationFilter',
  'hasPublishedVersion',
  'pagination',
  'count',
  'ordering',
]);

/** Those with an effect at the top level, for the error of a misspelt one. */
const namedParameters = [...knownParameters].filter((name) => !['page', 'pageSize', 'start', 'limit', 'count', 'ordering'].includes(name));

/** Parameters that choose a page in other APIs, and did in Strapi 3. */
const pagesElsewhere = new Set(['offset', 'skip', 'take', 'size', 'per_page', 'perPage', 'page_size', '_start', '_limit', '_page']);

/** The parameters of groups. */
const groupParameters: ReadonlySet<string> = new Set([
  ...['filters', 'status', 'locale', 'publicationFilter', 'hasPublishedVersion', '_q'],
  ...['groupBy', 'count', 'avg', 'sum', 'min', 'max', 'sort', 'pagination'],
]);

export interface ParseParts {
  readonly model: ContentModel;
  readonly config: Config;
  readonly locales: Locales;
  readonly unlisted: UnlistedComponents;
  /** Undefined if no type has a full-text search. */
  readonly searchIndexes?: SearchIndexes | undefined;
  /** For a GET whose query has no `populate`. */
  readonly defaultPopulate?: DefaultPopulate;
  /** Undefined if the plan is for this query only. */
  readonly planParameters?: PlanParameters | undefined;
}

/** Reads the parameters of a GET. Throws an `ApiError` that names the first invalid parameter.
 *
 *  `filters[price][$gt]=5&sort=title` becomes a selection with the filter
 *  `{kind: 'comparison', attribute: price, comparison: {operator: '>', value: 5}}` and the sort
 *  `[{hops: [], attribute: title, direction: 'asc'}]`; `filters[nope]=1` throws
 *  `query.invalid-key`. */
export function parseRead(call: ReadCall, parts: ParseParts): ReadRequest {
  const { config } = parts;
  const query = parseQueryString(call.query, config.limits, config.policies.refusePrototypeNames);
  parts.planParameters?.locate(query);
  const byDefault =
    saysNothingOfPopulation(query) && !isGrouped(call) && call.envelope !== 'bare' ? parts.defaultPopulate?.get(call.type.uid) : undefined;
  const request = readRequest(call, query, parts, byDefault);
  if (config.policies.queriesAsStrapi && call.target.kind !== 'list' && call.envelope !== 'bare') {
    refuseSeveralLocales(query.locale, call.type, config);
    // Strapi passes `start` to the database as an offset, and there is no second document.
    if (parseWindowOfOne(query) > 0) throw ApiError.of('document.not-found');
  }
  return request;
}

/** Like `parseRead`, without the rules only for GET. A write reads its response's parameters with
 *  it. `byDefault` is populated without being requested. */
export function readRequest(call: ReadCall, query: QueryObject, parts: ParseParts, byDefault?: QueryValue): ReadRequest {
  const { config } = parts;
  const { queriesAsStrapi } = config.policies;
  // Endpoints of plugins (users, files) accept any parameter; `start` and `limit` are at the top.
  const bare = call.envelope === 'bare';
  const list = call.target.kind === 'list';
  const grouped = isGrouped(call);
  const isRelated = call.target.kind === 'list' && call.target.relatedTo !== undefined;
  // Users and files have no status and no locales, and Strapi ignores these parameters for them.
  const said: QueryObject =
    bare && queriesAsStrapi ? { ...query, status: null, locale: null, fallback: null, hasPublishedVersion: null } : query;
  const { type } = call;
  const known = new KnownNames({ ...parts, rights: call.actor.rights, type });
  const context = new ParseContext({ ...parts, bare, planParameters: parts.planParameters, known });
  // The parameters are checked in Strapi's order, since the first wrong one is reported.
  const publicationFilter = parsePublicationFilter(said);
  if (grouped) refuseUnknown(query, groupParameters, [...groupParameters]);
  else if (config.api.strictParams && !bare) {
    const { via: _, ...others } = query;
    refuseUnknown(isRelated ? others : query, knownParameters, namedParameters);
  }
  const related = isRelated ? parseRelated(query.via, type, context) : undefined;
  const searchIndex = parts.searchIndexes?.get(type.uid);
  const { fullText, filters } = searchIn(query.filters, searchIndex, context);
  const ranks = searchIndex === undefined ? 'unknown' : fullText === undefined ? 'without a search' : 'known';
  const layers = withSelections([query], type, '', context);
  const selection: Selection = {
    schema: type,
    filter: parseRootFilters(filters, call, context),
    sort: grouped ? [] : parseSort(query.sort, type, context, 'sort', ranks),
    fields: fieldsOf(layers, type, context, 'fields'),
    populate: parsePopulate(byDefault === undefined ? layers.map(({ populate }) => populate) : [byDefault], type, context),
    endsHere: false,
  };
  if (
    list &&
    !bare &&
    !config.policies.populateWithPagination &&
    call.populatesPages !== true &&
    byDefault === undefined &&
    selection.populate.length > 0 &&
    isQueryObject(query.pagination) &&
    Object.keys(query.pagination).length > 0
  ) {
    throw ApiError.of('populate.with-pagination');
  }
  // As recorded from Strapi, numbers of an unused pagination are not checked.
  const page = (value: QueryValue | undefined) => (grouped ? parseGroupPage(value) : parsePagination(value, config.api));
  const most = call.target.kind === 'list' ? call.target.most : undefined;
  if (most !== undefined && !saysAnything(selection.filter)) throw ApiError.of('bulk.filter');
  const pagination = !list
    ? ({ kind: 'none' } as const)
    : most !== undefined
      ? firstEntries(most)
      : bare
        ? parseWindow(query)
        : page(query.pagination);
  if (list && !bare && most === undefined) parts.planParameters?.parameterizePagination(query.pagination, page);
  if (isRelated && pagination.kind === 'cursor') throw ApiError.of('cursor.sort', { path: 'shared links' });
  const status = parseStatus(said.status, config);
  const locale = parseLocale(said, type, call.target.kind, parts);
  const fallback = parseFallback(said, parts, context);
  if (!bare && !queriesAsStrapi) refuseMisplaced(query, config.api.strictParams);
  const misplaced = (['page', 'pageSize'] as const).find((name) => !saysNothing(query[name]));
  if (!bare && queriesAsStrapi && list && misplaced !== undefined) throw ApiError.of('pagination.place', { received: misplaced });
  return {
    type,
    target: call.target.kind,
    keyedBy: call.target.kind === 'one' ? call.target.by : 'documentId',
    envelope: call.envelope,
    restriction: call.restriction,
    selection,
    isPopulatedByDefault: byDefault !== undefined,
    status,
    locale,
    fallback,
    publicationFilter,
    search: parseSearch(context.marked(query)._q, type, context),
    fullText,
    pagination,
    cursor: pagination.kind === 'cursor' ? parseCursor(context.marked(query.pagination), selection.sort, type, context) : undefined,
    grouping: grouped ? parseGrouping(query, type, context) : undefined,
    related,
  };
}

/** Whether a filter has a condition: `filters[$and]=` has none. */
function saysAnything(filter: Filter | undefined): boolean {
  if (filter?.kind === 'not') return saysAnything(filter.operand);
  return filter?.kind === 'and' || filter?.kind === 'or' ? filter.operands.some(saysAnything) : filter !== undefined;
}

const saysNothingOfPopulation = ({ populate, selection }: QueryObject): boolean =>
  populate === undefined && (selection === undefined || selection === null);

const firstEntries = (limit: number): Pagination => ({ kind: 'offset', start: 0, limit, withCount: true, offset: 0 });

const isGrouped = ({ target }: ReadCall): boolean => target.kind === 'list' && target.isGrouped === true;

/** Takes the full-text search out of the filters of a type that has one. */
function searchIn(
  filters: QueryValue | undefined,
  index: SearchIndex | undefined,
  context: ParseContext,
): { readonly fullText: FullText | undefined; readonly filters: QueryValue | undefined } {
  if (index === undefined || !isQueryObject(filters) || !Object.hasOwn(filters, searchKey)) return { fullText: undefined, filters };
  const { [searchKey]: value = null, ...others } = context.marked(filters);
  const path = `filters[${searchKey}]`;
  if (typeof value !== 'string') throw ApiError.of('filter.value', { path });
  const text = context.text(value);
  context.checkPattern(text, path);
  const terms = searchTerms(text);
  if (terms.length === 0) throw ApiError.of('search.words', { path });
  for (const { words } of terms) context.spend('searchWords', path, words.length);
  return { fullText: { index, terms }, filters: Object.keys(others).length === 0 ? undefined : others };
}

/** For one document, the documentId of the path wins over a filter by documentId. */
function parseRootFilters(filters: QueryValue | undefined, { type, target }: ReadCall, context: ParseContext): Filter | undefined {
  const marked = context.marked(filters);
  const all = parseFilters(marked, type, context, 'filters');
  if (!context.asStrapi || target.kind !== 'one' || !isQueryObject(marked) || marked.documentId === undefined) return all;
  const { documentId: _, ...others } = marked;
  return parseFilters(others, type, context, 'filters');
}

/** Throws for several locales: one document is read in one locale. */
function refuseSeveralLocales(locale: QueryValue | undefined, { localized }: ContentType, config: Config): void {
  if (!localized || typeof locale === 'string' || saysNothing(locale)) return;
  const codes = Array.isArray(locale) ? locale.filter((code) => !saysNothing(code)) : [];
  if (codes.length > 0 || takesAnyStatusAndLocale(config)) throw ApiError.of('locale.one', { received: shown(locale ?? '') });
}

function refuseUnknown(query: QueryObject, known: ReadonlySet<string>, named: readonly string[]): void {
  for (const name of Object.keys(query)) {
    if (known.has(name)) continue;
    const error = invalidKey(name, null, name);
    if (pagesElsewhere.has(name)) throw error.helpedBy(ApiError.of('pagination.place', { received: name }).message);
    throw withMeant(error, name, named);
  }
}

/** Reads `status`. An empty status means published: it must not reveal drafts. Any other one that
 *  is not checked means the drafts, as in Strapi, and needs the right to them. */
function parseStatus(value: QueryValue | undefined, config: Config): Status {
  if (value === undefined || value === null || value === '') return 'published';
  if (value === 'published' || value === 'draft') return value;
  if (takesAnyStatusAndLocale(config)) return 'draft';
  throw ApiError.of('status.value', { received: shown(value) });
}

function parsePublicationFilter(query: QueryObject): PublicationFilter | undefined {
  const filter = query.publicationFilter;
  if (filter !== undefined && filter !== null) {
    const known = publicationFilters.find((name) => name === filter);
    if (known === undefined) {
      throw ApiError.of('publication-filter.value', { expected: publicationFilters }, { source: 'query', param: 'publicationFilter' });
    }
    return known;
  }
  const older = query.hasPublishedVersion;
  if (older === undefined || older === null) return undefined;
  if (older !== 'true' && older !== 'false') throw ApiError.of('has-published-version.value');
  return castBoolean(older) ? 'has-published-version-document' : 'never-published-document';
}

function parseSearch(marked: QueryValue | undefined, type: ContentType, context: ParseContext): Search | undefined {
  if (marked === undefined || marked === null || marked === '') return undefined;
  if (typeof marked !== 'string') throw ApiError.of('search.value');
  const searched = [...type.attributes.values()].filter((attribute) => searchOf(attribute) === 'text').length;
  const text = context.text(marked);
  context.checkPattern(text, '_q', searched);
  const isNumber = isNumeric(text);
  const pattern = readPattern(context.config.limits.patternBytes);
  const read = (other: string) => (isNumeric(other) === isNumber ? pattern(other) : undefined);
  return { text: context.parameterize(marked, text, { read, searched }), isNumber };
}

const isNumeric = (text: string): boolean => text.trim() !== '' && !Number.isNaN(Number(text));

const shown = (value: QueryValue): string => {
  const text =
    Array.isArray(value) && value.every((item) => typeof item === 'string')
      ? value.join(',')
      : typeof value === 'string'
        ? value
        : JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
};
