/** The first stage of a write: parses the query string and the body into a `WriteRequest`. */
import type { Policies } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { KnownNames } from '../../rights/known-names.ts';
import type { ReadCall, WriteCall } from '../call.ts';
import { parseBody } from './body/parse-body.ts';
import type { BodyData } from './body/types.ts';
import { checkLocale, takesAnyStatusAndLocale } from './locales.ts';
import { type ParseParts, readRequest } from './parse-read.ts';
import { parseQueryString, type QueryObject, type QueryValue } from './query-string.ts';
import type { LocaleIfMade, ReadRequest, Status, WriteLocale, WriteRequest } from './types.ts';

const withBody: ReadonlySet<WriteCall['action']> = new Set<WriteCall['action']>(['create', 'update']);

/** Reads the query and the body of a write. Throws an `ApiError` for the first invalid parameter,
 *  then for the first invalid key of the body.
 *
 *  PATCH of `{"data": {"title": "Bread", "tags": ["abc"]}}` gives `data: {kind: 'entry', entry:
 *  {scalars: {title: 'Bread'}, relations: {tags: {kind: 'set', targets: ['abc']}}, …}}` and
 *  `partial: true`; the key `nope` throws `body.invalid-key`. */
export function parseWrite(call: WriteCall, parts: ParseParts): WriteRequest {
  const { type, action } = call;
  const { config } = parts;
  const query = parseQueryString(call.query, config.limits, config.policies.refusePrototypeNames);
  const onlyOne = withBody.has(action);
  if (onlyOne && type.localized) checkOneLocale(query.locale);
  const read = readRequest(responseCall(call), query, parts);
  if (type.localized && takesAnyStatusAndLocale(config)) checkLocales(query.locale, parts);
  const status = writtenStatus(query, read.status);
  if (action === 'delete' && type.draftAndPublish && query.status === 'draft') throw ApiError.of('delete.draft');
  if (onlyOne && call.unreadBody !== undefined) throw unreadError(call.unreadBody, config.policies);
  const data = onlyOne ? readBody(call, parts) : undefined;
  return {
    type,
    action,
    documentId: call.documentId,
    locale: localeOf(call, query, parts),
    localeIfMade: localeIfMade(call, query, parts),
    status,
    data,
    partial: call.partial || config.policies.partialPut,
    restriction: call.restriction,
    ifMatch: call.ifMatch,
    response: responseRequest(read, responseStatus(action) ?? (type.draftAndPublish ? status : read.status)),
  };
}

function readBody({ type, body, isForm = false, actor: { rights }, restriction }: WriteCall, { model, config }: ParseParts): BodyData {
  const { limits, policies } = config;
  const known = new KnownNames({ model, config, rights, type });
  try {
    return parseBody(body, type, { model, limits, policies, known, writable: restriction?.fields });
  } catch (error) {
    throw isForm && error instanceof ApiError && error.code === 'body.no-data' ? error.helpedBy(sentAsForm) : error;
  }
}

/** `curl -d` and `URLSearchParams` send this media type unless the caller names another one. */
const sentAsForm =
  'The body was sent as a form (application/x-www-form-urlencoded) without data: send JSON with the header Content-Type: application/json';

const unreadError = (problem: string, { refuseMediaTypes }: Policies): ApiError =>
  refuseMediaTypes ? ApiError.of('body.media-type', { problem }) : ApiError.of('body.no-data').helpedBy(problem);

/** Returns the read of the response: one document, with the same parameters as a GET. */
const responseCall = ({ type, query, actor, restriction, envelope }: WriteCall): ReadCall => ({
  type,
  target: { kind: 'one', by: 'id', key: '' },
  query,
  actor,
  restriction,
  envelope,
});

/** The response's read by row id. Filters, sort and pagination were checked, and have no effect. */
const responseRequest = (read: ReadRequest, status: Status): ReadRequest => ({
  ...read,
  status,
  locale: { kind: 'any' },
  fallback: undefined,
  publicationFilter: undefined,
  search: undefined,
  selection: { ...read.selection, filter: undefined, sort: [] },
});

/** The status of the row that an action writes; undefined if the query decides. */
const responseStatus = (action: WriteCall['action']): Status | undefined =>
  action === 'publish' ? 'published' : action === 'discardDraft' ? 'draft' : undefined;

/** As recorded, an empty status means the draft; without a status, the published version. */
const writtenStatus = (query: QueryObject, status: Status): Status => (query.status === '' || query.status === null ? 'draft' : status);

/** Without `api.strictDocumentParams`, a malformed locale of a read matches nothing. A write would
 *  store it. */
function checkLocales(locale: QueryValue | undefined, parts: ParseParts): void {
  const listed = (Array.isArray(locale) ? locale : [locale]).filter((code) => code !== undefined && code !== null && code !== '');
  for (const code of listed) if (code !== '*') checkLocale(code, parts);
}

function checkOneLocale(locale: QueryObject[string] | undefined): void {
  if (locale === undefined || locale === null || locale === '') return;
  if (typeof locale !== 'string' || locale === '*') {
    const received = Array.isArray(locale) ? locale.join(',') : typeof locale === 'string' ? locale : JSON.stringify(locale);
    throw ApiError.of('locale.one', { received: received.slice(0, 100) });
  }
}

function localeOf(call: WriteCall, query: QueryObject, parts: ParseParts): WriteLocale {
  if (!call.type.localized) return { kind: 'one', code: null };
  const locale = query.locale;
  if (locale === '*') return { kind: 'all' };
  if (Array.isArray(locale)) return { kind: 'several', codes: locale.filter((code) => typeof code === 'string') };
  if (typeof locale === 'string' && locale !== '') return { kind: 'one', code: locale };
  const inBody = parts.config.policies.localeInBody && call.action === 'create' ? bodyLocale(call.body) : undefined;
  if (inBody === undefined) return { kind: 'one', code: parts.locales.byDefault };
  checkLocale(inBody, parts);
  return { kind: 'one', code: String(inBody) };
}

/** Returns the locale in the body of a write that makes the document of a single type, if it is
 *  missing. Only then is the locale checked. */
function localeIfMade(call: WriteCall, { locale }: QueryObject, parts: ParseParts): LocaleIfMade | undefined {
  const { type, action, body } = call;
  const isUpdate = action === 'update' && type.kind === 'singleType' && type.localized;
  if (!isUpdate || !parts.config.policies.localeInBody || (typeof locale === 'string' && locale !== '')) return undefined;
  const inBody = bodyLocale(body);
  if (inBody === undefined) return undefined;
  try {
    checkLocale(inBody, parts);
    return { code: String(inBody) };
  } catch (error) {
    if (error instanceof ApiError) return { refusal: error.toData() };
    throw error;
  }
}

/** Returns `data.locale`, unless it is null or empty. */
function bodyLocale(body: unknown): unknown {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
  const locale = typeof data === 'object' && data !== null && 'locale' in data ? data.locale : undefined;
  return locale === null || locale === '' ? undefined : locale;
}
