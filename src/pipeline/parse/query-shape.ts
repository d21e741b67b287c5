/** The first step of a read: divides a query into its shape, the key of cached plans, and the
 *  values that may be parameters of a plan. */
import type { Limits } from '../../config/config.ts';

export interface QueryShape {
  /** The entire query string. */
  readonly text: string;
  /** The query with NUL in place of each value; undefined if it shares no plan with others. */
  readonly shape: string | undefined;
  /** The values that `shape` leaves out, decoded, in order. */
  readonly values: readonly string[];
}

/** The query string of a request that does not share plans with others. */
export const unshapedQuery = (text: string): QueryShape => ({ text, shape: undefined, values: [] });

/** `filters[slug][$eq]=a+b&sort=title` has the value `a b`. Reads the text exactly as qs does. An
 *  empty value is part of the shape, because qs may drop it, and so are values that decide about
 *  the SQL: those of `$null` and `$notNull`. The parser decides which others become parameters. */
export function shapeOf(text: string, limits: Pick<Limits, 'queryBytes' | 'parameters'>): QueryShape {
  // The parser refuses too long texts before it reads them. A NUL stands for a value in shapes.
  if (text === '' || text.includes('%00') || text.includes('\0') || Buffer.byteLength(text) > limits.queryBytes) return unshapedQuery(text);
  const parts = text
    .replace(/%5B/gi, '[')
    .replace(/%5D/gi, ']')
    .split('&', limits.parameters + 1);
  if (parts.length > limits.parameters) return unshapedQuery(text);
  const values: string[] = [];
  let shape = '';
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? '';
    if (index > 0) shape += '&';
    const bracket = part.indexOf(']=');
    const end = bracket === -1 ? part.indexOf('=') : bracket + 1;
    if (end > 0 && end < part.length - 1 && isParameterized(decoded(part.slice(0, end)))) {
      values.push(decoded(part.slice(end + 1)));
      shape += `${part.slice(0, end)}=\0`;
    } else shape += part;
  }
  return { text, shape, values };
}

/** The query with a marker for each value: NUL and its index. A query with NUL has no shape. */
export function markedText(shape: string): string {
  let index = 0;
  return shape.replace(/\0/g, () => `\0${index++}`);
}

/** Returns the index of a marked value; undefined for text of the query itself. */
export const markedIndex = (text: string): number | undefined => (text.charCodeAt(0) === 0 ? Number(text.slice(1)) : undefined);

const parameterizedKeys = new Set([
  '_q',
  'pagination[page]',
  'pagination[pageSize]',
  'pagination[start]',
  'pagination[limit]',
  'pagination[after]',
]);

/** Without a regular expression: the caller chooses the key, which may be long. */
function isParameterized(key: string): boolean {
  if (parameterizedKeys.has(key)) return true;
  if (!key.startsWith('filters[') && !(key.startsWith('populate[') && key.includes('][filters]['))) return false;
  return key.endsWith(']') && !key.endsWith('[$null]') && !key.endsWith('[$notNull]');
}

/** Decodes as qs does. */
function decoded(text: string): string {
  const spaced = text.includes('+') ? text.replace(/\+/g, ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
