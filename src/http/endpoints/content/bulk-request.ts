/** The query and the body of a write by filter. */
import { ApiError } from '../../../errors/api-error.ts';
import type { ContentType } from '../../../model/content-model.ts';
import type { WriteAction } from '../../../pipeline/call.ts';
import { isObject, type JsonObject } from '../../../text/json.ts';
import { orMeant } from '../../../text/nearest.ts';

export interface BulkChange {
  readonly action: Extract<WriteAction, 'update' | 'publish' | 'unpublish' | 'delete'>;
  /** Only of an update. */
  readonly data: JsonObject | undefined;
  /** The number of documents that the caller means. */
  readonly expected: number;
  readonly dryRun: boolean;
}

export interface BulkQuery {
  /** Parts of a query string, as they came. */
  readonly filters: readonly string[];
  readonly locale: string | undefined;
  /** The version that the filter looks at. */
  readonly status: 'draft' | 'published';
}

const changes = ['data', 'publish', 'unpublish', 'delete'] as const;
const keys: readonly string[] = [...changes, 'expected', 'dryRun'];

const shape = (message: string) => ApiError.of('bulk.shape', { message });

/** Reads `{"data": {…}, "expected": 217}`; `publish`, `unpublish` or `delete` may be true instead. */
export function readBulkBody(body: unknown, { draftAndPublish, uid }: ContentType, most: number): BulkChange {
  if (!isObject(body)) throw shape('The body must be an object such as {"data": {…}, "expected": 217}');
  const unknown = Object.keys(body).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw shape(`Unknown key ${unknown.slice(0, 100)}${orMeant(unknown, keys)}; the keys are ${keys.join(', ')}`);
  const named = changes.filter((key) => body[key] !== undefined);
  const [change] = named;
  if (change === undefined || named.length > 1) throw shape(`The body must have exactly one of the keys ${changes.join(', ')}`);
  const { data, expected, dryRun = false } = body;
  if (change === 'data' ? !isObject(data) || Object.keys(data).length === 0 : body[change] !== true)
    throw shape(change === 'data' ? 'data must be an object with the values that are changed' : `${change} must be true`);
  if (!draftAndPublish && (change === 'publish' || change === 'unpublish')) throw shape(`${change}: ${uid} has no drafts`);
  if (typeof dryRun !== 'boolean') throw shape('dryRun must be true or false');
  if (typeof expected !== 'number' || !Number.isSafeInteger(expected) || expected < 1)
    throw shape('expected must be the number of documents that the filter matches, a whole number from 1');
  if (expected > most) throw ApiError.of('limit.bulk', { count: expected, limit: most });
  return { action: change === 'data' ? 'update' : change, data: change === 'data' && isObject(data) ? data : undefined, expected, dryRun };
}

/** Other parameters of a list would have no effect, or would choose a page of what is written. */
export function bulkQuery(query: string, { draftAndPublish }: ContentType, action: BulkChange['action']): BulkQuery {
  const filters: string[] = [];
  const others = new Map<string, string>();
  for (const part of query.split('&')) {
    const [[name = '', value = ''] = []] = new URLSearchParams(part);
    if (name === '') continue;
    if (/^filters\[/.test(name)) filters.push(part);
    else if ((name === 'locale' || name === 'status') && !others.has(name)) others.set(name, value);
    else throw shape(`Parameter ${name.slice(0, 100)}: a write by filter takes filters[…], one locale and one status`);
  }
  const locale = others.get('locale') || undefined;
  if (locale === '*') throw ApiError.of('locale.one', { received: locale });
  return { filters, locale, status: statusOf(others.get('status'), draftAndPublish, action) };
}

/** The draft by default: it is what a write changes, and every document has one. */
function statusOf(status: string | undefined, draftAndPublish: boolean, action: BulkChange['action']): BulkQuery['status'] {
  if (status !== undefined && status !== 'draft' && status !== 'published')
    throw ApiError.of('status.value', { received: status.slice(0, 100) });
  if (!draftAndPublish) return 'published';
  return status ?? (action === 'unpublish' ? 'published' : 'draft');
}
