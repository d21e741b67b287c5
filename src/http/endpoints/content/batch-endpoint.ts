/** `POST /api/_batch`: several writes in one transaction. Each needs the right that its own route
 *  needs. */

import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { ContentModel, ContentType } from '../../../model/content-model.ts';
import type { AnswerBatch, BatchOutcome, WriteAction, WriteCall } from '../../../pipeline/call.ts';
import { isObject, type JsonObject } from '../../../text/json.ts';
import { orMeant } from '../../../text/nearest.ts';
import { unreadBody } from '../../bodies/unread-body.ts';
import { versionsOf } from '../../etag.ts';
import type { CountFurther } from '../../rate-limits/request-rate-limit.ts';
import { handlingOf, type Route } from '../../routes/routes.ts';
import type { Endpoint, EndpointCall } from '../../send-response.ts';
import { refuseVisitors } from './refuse-visitors.ts';
import { idempotencyKey } from './write-endpoint.ts';

export interface BatchParts {
  readonly model: ContentModel;
  readonly routes: readonly Route[];
  readonly answerBatch: AnswerBatch;
  readonly countFurther: CountFurther;
  readonly config: Pick<Config, 'limits' | 'rateLimit'> & { readonly api: { readonly prefix: string } };
}

/** By the key that names the type: what is done, and the keys beside it. `connect` adds links. */
const kinds = {
  create: { action: 'create', keys: ['data', 'status', 'locale'] },
  update: { action: 'update', keys: ['documentId', 'data', 'status', 'locale', 'ifMatch'] },
  connect: { action: 'update', keys: ['documentId', 'data', 'status', 'locale', 'ifMatch'] },
  publish: { action: 'publish', keys: ['documentId', 'locale', 'ifMatch'] },
  unpublish: { action: 'unpublish', keys: ['documentId', 'locale', 'ifMatch'] },
  delete: { action: 'delete', keys: ['documentId', 'locale', 'ifMatch'] },
} as const satisfies Readonly<Record<string, { readonly action: WriteAction; readonly keys: readonly string[] }>>;

type Kind = keyof typeof kinds;
const isKind = (key: string): key is Kind => Object.hasOwn(kinds, key);

export function batchEndpoint(parts: BatchParts): Endpoint {
  const { answerBatch, config, countFurther } = parts;
  return async (call) => {
    // One request of a stranger would cost as much as hundreds.
    refuseVisitors(call);
    const { request, dataVersion, caller } = call;
    const unread = unreadBody(request, config.api.prefix);
    if (unread !== undefined) throw shape(unread);
    const { operations, dryRun } = readBody(request.body, config);
    // The request itself has counted as the first one.
    await countFurther(operations.length - 1, call);
    const outcome = await answerBatch(
      {
        operations: operations.map((each) => writeOrError(each, dryRun, call, parts)),
        body: request.body,
        idempotencyKey: idempotencyKey(request.headers),
        dryRun,
        dataVersion,
      },
      caller,
    );
    return dryRun ? found(outcome) : outcome.repeated ? { ...outcome, headers: { 'idempotent-replayed': 'true' } } : outcome;
  };
}

const shape = (message: string) => ApiError.of('batch.shape', { message });

function readBody(body: unknown, config: BatchParts['config']): { readonly operations: readonly unknown[]; readonly dryRun: boolean } {
  if (!isObject(body)) throw shape('The body must be an object with the list operations');
  const { operations, dryRun = false, ...others } = body;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw shape(`Unknown key ${unknown}; the keys are operations and dryRun`);
  if (typeof dryRun !== 'boolean') throw shape('dryRun must be true or false');
  if (!Array.isArray(operations) || operations.length === 0) throw shape('operations must be a list of at least one operation');
  checkLength(operations.length, config);
  return { operations, dryRun };
}

/** What is more than a window permits could never be sent, however long the caller waits. */
function checkLength(count: number, { limits, rateLimit }: BatchParts['config']): void {
  const perWindow = rateLimit.max ?? Number.POSITIVE_INFINITY;
  if (count > limits.batch) throw ApiError.of('limit.batch', { count, limit: limits.batch, setting: 'limits.batch' });
  if (count > perWindow) throw ApiError.of('limit.batch', { count, limit: perWindow, setting: 'rateLimit.max' });
}

function writeOrError(operation: unknown, dryRun: boolean, call: EndpointCall, parts: BatchParts): WriteCall | ApiError {
  try {
    return writeOf(operation, dryRun, call, parts);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** The write that an operation such as `{create: 'api::article.article', data}` stands for. Throws
 *  an `ApiError` for one that the caller may not make. */
export function writeOf(
  operation: unknown,
  dryRun: boolean,
  { actor }: Pick<EndpointCall, 'actor'>,
  { model, routes }: Pick<BatchParts, 'model' | 'routes'>,
): WriteCall {
  if (!isObject(operation)) throw shape('An operation must be an object such as {"create": "api::article.article", "data": {…}}');
  const named = Object.keys(operation).filter(isKind);
  const [kind] = named;
  if (kind === undefined || named.length > 1)
    throw shape(`An operation must have exactly one of the keys ${Object.keys(kinds).join(', ')}`);
  const { action, keys } = kinds[kind];
  checkKeys(operation, kind);
  const uid = operation[kind];
  const right = `${uid}.${action === 'unpublish' ? 'publish' : action}`;
  const { rights } = actor;
  // An unknown type is a type without rights.
  if (typeof uid !== 'string' || !rights.allows(right)) throw ApiError.of('access.forbidden');
  const type = model.contentTypes.get(uid);
  if (type === undefined || !isServed(type, action, routes)) throw ApiError.of('document.not-found');
  return {
    type,
    action,
    documentId: documentIdOf(operation, type, action),
    partial: true,
    query: queryOf(operation),
    body: (keys as readonly string[]).includes('data') ? { data: dataOf(operation, kind, type) } : undefined,
    actor,
    restriction: rights.restriction(right),
    envelope: 'flat',
    ifMatch: typeof operation.ifMatch === 'string' ? versionsOf(operation.ifMatch) : undefined,
    idempotencyKey: undefined,
    dryRun,
  };
}

/** Custom code for a route that Lectern does not run counts as no route, as for the route itself. */
const isServed = ({ uid }: ContentType, action: WriteAction, routes: readonly Route[]): boolean =>
  routes.some(
    (route) =>
      route.serves.kind === 'write' && route.serves.type.uid === uid && route.serves.action === action && handlingOf(route) === 'served',
  );

function checkKeys(operation: JsonObject, kind: Kind): void {
  const keys: readonly string[] = kinds[kind].keys;
  const unknown = Object.keys(operation).find((key) => key !== kind && !keys.includes(key));
  if (unknown !== undefined) throw shape(`Unknown key ${unknown} of ${kind}${orMeant(unknown, keys)}; the keys are ${keys.join(', ')}`);
  for (const key of ['status', 'locale', 'ifMatch'])
    if (operation[key] !== undefined && typeof operation[key] !== 'string') throw shape(`${key} must be a text`);
}

function documentIdOf({ documentId }: JsonObject, type: ContentType, action: WriteAction): string | undefined {
  if (action === 'create' || type.kind === 'singleType') {
    if (documentId !== undefined) throw shape(`${type.uid} is a single type, which has one document: leave out documentId`);
    return undefined;
  }
  if (typeof documentId === 'string' && documentId !== '' && !documentId.includes('\0')) return documentId;
  throw shape('documentId must be that of a document, or one such as $0.documentId');
}

const queryOf = (operation: JsonObject): string =>
  ['status', 'locale']
    .flatMap((name) => (operation[name] === undefined ? [] : [`${name}=${encodeURIComponent(String(operation[name]))}`]))
    .join('&');

/** `{"tags": ["c1x…"]}` of `connect` → `{"tags": {"connect": ["c1x…"]}}` */
function dataOf({ data }: JsonObject, kind: Kind, type: ContentType): unknown {
  if (kind !== 'connect' || !isObject(data)) return data;
  const other = Object.keys(data).find((name) => type.attributes.get(name)?.kind !== 'relation');
  if (other !== undefined) throw shape(`connect: ${other} is no relation of ${type.uid}`);
  return Object.fromEntries(Object.entries(data).map(([name, targets]) => [name, { connect: targets }]));
}

/** What a dry run says, as `/api/_validate` does. */
function found({ refused, ...outcome }: BatchOutcome) {
  if (refused === undefined && outcome.status !== 200) return outcome;
  const { errors = [], more = 0 } = refused ?? {};
  const data = { valid: errors.length === 0 && more === 0, errors, ...(more === 0 ? {} : { more }) };
  return { ...outcome, status: 200, body: JSON.stringify({ data }) };
}
