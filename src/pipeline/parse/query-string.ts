import qs from 'qs';
import type { Limits } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { invalidKey } from '../../errors/invalid-key.ts';

/** A value in a query string as `qs` parses it. A parameter without `=` is null. */
export type QueryValue = string | null | QueryValue[] | QueryObject;
export interface QueryObject {
  readonly [key: string]: QueryValue;
}

export const saysNothing = (...values: readonly (QueryValue | undefined)[]): boolean =>
  values.every((value) => value === undefined || value === null || value === '');

export const isQueryObject = (value: QueryValue | undefined): value is QueryObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a query string with bracketed keys: `a[b]=1&a[c][]=2` gives `{a: {b: '1', c: ['2']}}`.
 *  Throws for a query that exceeds a limit, instead of dropping a part. qs, and so Strapi, drops
 *  keys like `constructor` with their conditions; `refusePrototypeNames` preserves them. */
export function parseQueryString(text: string, limits: Limits, refusePrototypeNames: boolean): QueryObject {
  if (text === '') return {};
  if (Buffer.byteLength(text) > limits.queryBytes) throw ApiError.of('limit.query-bytes', { limit: limits.queryBytes });
  // qs always drops `__proto__`, whatever its options are.
  if (refusePrototypeNames && text.includes('proto')) {
    const parameter = parameterNames(text).find((name) => /(?:^|\[)__proto__(?:[\][]|$)/.test(name));
    if (parameter !== undefined) throw invalidKey('__proto__', null, parameter.split('[', 1)[0] ?? '');
  }
  try {
    return qs.parse(text, {
      strictNullHandling: true,
      arrayLimit: limits.listValues,
      depth: limits.depth,
      parameterLimit: limits.parameters,
      throwOnLimitExceeded: true,
      strictDepth: true,
      plainObjects: refusePrototypeNames,
      allowPrototypes: refusePrototypeNames,
    }) as QueryObject;
  } catch (error) {
    if (error instanceof RangeError) throw limitError(error, text, limits);
    throw error;
  }
}

/** qs distinguishes exceeded limits only by its message, which does not name the parameter. */
function limitError(error: RangeError, text: string, limits: Limits): ApiError {
  if (error.message.startsWith('Input depth')) {
    const parameter = longestBy(text, (name) => name.split('[').length);
    return ApiError.of('limit.depth', { parameter, limit: limits.depth }, { key: parameter, source: 'query' });
  }
  if (error.message.startsWith('Parameter limit')) return ApiError.of('limit.parameters', { limit: limits.parameters });
  // The items of each list: indexes, as in `filters[$or][7][title]`, and repeated values.
  const lists = new Map<string, Set<string>>();
  const add = (list: string, item: string) => lists.set(list, (lists.get(list) ?? new Set()).add(item));
  for (const [position, name] of parameterNames(text).entries()) {
    for (const { index, 1: item } of name.matchAll(/\[(\d*)\]/g)) add(name.slice(0, index), item || `${position}th`);
    if (!/\[\d*\]$/.test(name)) add(name, `${position}th`);
  }
  const parameter = [...lists].sort((a, b) => b[1].size - a[1].size)[0]?.[0] ?? '';
  return ApiError.of('limit.list', { parameter, limit: limits.listValues });
}

function parameterNames(text: string): string[] {
  return text.split('&').map((part) => qsDecode(part.split('=', 1)[0] ?? ''));
}

function longestBy(text: string, size: (name: string) => number): string {
  let longest = '';
  let largest = 0;
  for (const name of parameterNames(text)) {
    const own = size(name);
    if (own > largest) [longest, largest] = [name, own];
  }
  return longest.length > 100 ? `${longest.slice(0, 100)}…` : longest;
}

function qsDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
