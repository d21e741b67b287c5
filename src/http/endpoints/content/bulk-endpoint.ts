/** `PATCH /api/articles?filters…`: one write for every document that a filter matches and the caller
 *  may change, all of them or none. */
import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { LocalesSource } from '../../../locales/locales.ts';
import type { ContentType } from '../../../model/content-model.ts';
import type { AnswerBatch, AnswerRead, BatchOutcome, RefusedOperations, WriteCall } from '../../../pipeline/call.ts';
import { together, withoutFields } from '../../../rights/restrictions.ts';
import { type JsonObject, objectAt, objectsAt, parsedObject } from '../../../text/json.ts';
import { rowVersion } from '../../../text/row-version.ts';
import { textOfBody } from '../../../text/text-of-body.ts';
import { unreadBody } from '../../bodies/unread-body.ts';
import type { CountFurther } from '../../rate-limits/request-rate-limit.ts';
import { handlingOf, type Route } from '../../routes/routes.ts';
import type { EndpointCall, EndpointResponse } from '../../send-response.ts';
import { respondingUnread, Unread } from './ask-list.ts';
import { type BulkChange, bulkQuery, readBulkBody } from './bulk-request.ts';
import { refuseVisitors } from './refuse-visitors.ts';

export interface BulkParts {
  readonly routes: readonly Route[];
  readonly answer: AnswerRead;
  readonly answerBatch: AnswerBatch;
  readonly locales: LocalesSource;
  readonly countFurther: CountFurther;
  readonly config: Config;
}

/** How often the documents are looked up, if one of them changes before it is written. */
const mostAttempts = 3;

export function bulkEndpoint(type: ContentType, parts: BulkParts) {
  const { config } = parts;
  return respondingUnread(async (call) => {
    // One request of a stranger would cost as much as hundreds.
    refuseVisitors(call);
    const unread = unreadBody(call.request, config.api.prefix);
    if (unread !== undefined) throw ApiError.of('bulk.shape', { message: unread });
    const change = readBulkBody(call.request.body, type, config.limits.bulk);
    const bulk = { ...change, ...bulkQuery(call.query, type, change.action) };
    const { rights } = call.actor;
    const right = `${type.uid}.${change.action === 'unpublish' ? 'publish' : change.action}`;
    if (!rights.allows(`${type.uid}.find`) || !rights.allows(right)) throw ApiError.of('access.forbidden');
    for (const each of [`${type.uid}.find`, right])
      if (!isServed(each, type, parts.routes)) throw ApiError.of('route.has-custom-code', { action: each });
    // The request itself has counted as the first one.
    await parts.countFurther(change.expected - 1, call);
    for (let left = mostAttempts; ; left--) {
      const outcome = await attempt({ ...bulk, right }, type, call, parts);
      if (left === 1 || !isOutdated(outcome.refused)) return respond(outcome, bulk);
    }
  });
}

/** Custom code for a route that Lectern does not run decides what is listed and changed there. */
const isServed = (right: string, type: ContentType, routes: readonly Route[]): boolean =>
  routes.some(
    (route) =>
      route.action === right &&
      (route.serves.kind === 'write' || route.serves.kind === 'content') &&
      route.serves.type === type &&
      handlingOf(route) === 'served',
  );

interface Bulk extends BulkChange {
  /** Which documents: parts of a query string. */
  readonly filters: readonly string[];
  readonly locale: string | undefined;
  readonly status: 'draft' | 'published';
  readonly right: string;
}

interface BulkOutcome extends BatchOutcome {
  readonly documentIds: readonly string[];
}

async function attempt(bulk: Bulk, type: ContentType, call: EndpointCall, parts: BulkParts): Promise<BulkOutcome> {
  const { action, data, expected, dryRun, status, right } = bulk;
  const { actor, caller } = call;
  const locale = type.localized ? (bulk.locale ?? (await parts.locales.current(undefined)).byDefault) : bulk.locale;
  const inLocale = locale === undefined ? [] : [`locale=${encodeURIComponent(locale)}`];
  const { rows, total } = await matching({ ...bulk, query: [...bulk.filters, `status=${status}`, ...inLocale] }, type, call, parts);
  if (total !== expected) throw ApiError.of('bulk.count', { count: total, expected }, { count: total });
  const writesStatus = action === 'update' && type.draftAndPublish ? [`status=${status}`] : [];
  const operations = rows.map(
    ({ documentId, version }): WriteCall => ({
      ...{ type, action, documentId, partial: true, query: [...writesStatus, ...inLocale].join('&') },
      body: data === undefined ? undefined : { data },
      actor,
      restriction: actor.rights.restriction(right),
      envelope: 'flat',
      ifMatch: version === undefined ? undefined : [version],
      idempotencyKey: undefined,
      dryRun,
    }),
  );
  const outcome = await parts.answerBatch(
    { operations, body: undefined, idempotencyKey: undefined, dryRun, dataVersion: undefined, isWithoutReferences: true },
    caller,
  );
  return { ...outcome, documentIds: rows.map(({ documentId }) => documentId) };
}

interface Match {
  readonly documentId: string;
  /** Undefined if the caller may not see when the document was changed. */
  readonly version: string | undefined;
}

/** The documents that the caller may both list and change. Neither a list nor a change of each would
 *  say less, and nothing else decides what is counted. */
async function matching(
  { query, right }: Pick<Bulk, 'right'> & { readonly query: readonly string[] },
  type: ContentType,
  { actor, caller }: EndpointCall,
  { answer, config }: BulkParts,
): Promise<{ readonly rows: readonly Match[]; readonly total: number }> {
  const { rights } = actor;
  const find = rights.restriction(`${type.uid}.find`);
  const updatedAt = type.attributes.get('updatedAt');
  const sees = updatedAt !== undefined && !updatedAt.private && find?.fields?.has('updatedAt') !== false;
  const outcome = await answer(
    {
      type,
      target: { kind: 'list', most: config.limits.bulk },
      query: [...query, `fields=documentId${sees ? ',updatedAt' : ''}`, 'populate=', 'sort=id'].join('&'),
      actor,
      restriction: together([find, withoutFields(rights.restriction(right))]),
      envelope: 'flat',
      // A cached response may be older than what others have written.
      isAfterWrite: true,
    },
    caller,
  );
  if (outcome.status !== 200) throw new Unread(outcome);
  const body = parsedObject(textOfBody(outcome.body)) ?? {};
  const rows = objectsAt(body, 'data').map(matchOf);
  return { rows, total: totalIn(body) };
}

function matchOf({ id, documentId, updatedAt }: JsonObject): Match {
  const time = typeof updatedAt === 'string' ? Date.parse(updatedAt) : Number.NaN;
  return { documentId: String(documentId), version: Number.isNaN(time) ? undefined : rowVersion(id, time) };
}

function totalIn(body: JsonObject): number {
  const { total } = objectAt(objectAt(body, 'meta'), 'pagination');
  if (typeof total !== 'number') throw new Error('a list for a write has no total');
  return total;
}

/** Whether documents were refused only because they have changed since they were looked up. */
const isOutdated = (refused: RefusedOperations | undefined): boolean =>
  refused !== undefined && refused.more === 0 && refused.errors.every(({ code }) => code === 'document.changed');

function respond({ documentIds, refused, ...outcome }: BulkOutcome, { dryRun }: Pick<Bulk, 'dryRun'>): EndpointResponse {
  const count = documentIds.length;
  const { errors = [], more = 0 } = refused ?? {};
  const problems = errors.map(({ operation, ...problem }) => ({ documentId: documentIds[operation], ...problem }));
  const listed = { errors: problems, ...(more === 0 ? {} : { more }) };
  if (dryRun && (refused !== undefined || outcome.status === 200)) {
    const data = { count, documentIds, valid: refused === undefined, ...listed };
    return { ...outcome, status: 200, body: JSON.stringify({ data }) };
  }
  if (refused !== undefined) throw ApiError.of('bulk.refused', { count: refused.count }, listed);
  return outcome.status === 200 ? { ...outcome, body: JSON.stringify({ data: { count, documentIds }, meta: {} }) } : outcome;
}
