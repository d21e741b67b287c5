/** Parameters as a query string, in the brackets that the server reads. */
import { usageError } from './errors.ts';

/** `{fields: ['title'], filters: {a: {$in: [1, 2]}}}` gives `fields[0]=title&filters[a][$in][0]=1&filters[a][$in][1]=2`.
 *  Equal parameters give equal texts, so that URLs can be cached: keys are in the order of their names, except those of `sort`, whose order has a meaning.
 *  Undefined values are left out. Throws a LecternError for what a query cannot say. */
export function encodeQuery(params: object, limit: number): string {
  const pairs: string[] = [];
  add(params, '', '', 0);
  const query = pairs.join('&');
  // The text is ASCII: its length is that of its bytes.
  if (query.length > limit) {
    throw usageError(`The query is ${query.length} bytes long, and may have ${limit} (maxQueryBytes; limits.queryBytes of the server)`);
  }
  return query && `?${query}`;

  function add(value: unknown, path: string, key: string, depth: number): void {
    if (value === undefined) return;
    if (value === null) pairs.push(path);
    else if (value instanceof Date) text(Number.isNaN(+value) ? refuse(path, 'an invalid date') : value.toISOString());
    else if (typeof value !== 'object') {
      const isPlain = typeof value === 'number' ? Number.isFinite(value) : /str|bool|big/.test(typeof value);
      text(isPlain ? String(value) : refuse(path, String(value)));
    } else if (depth > 50) refuse(path, 'an object that is nested too deeply, or contains itself');
    else if (Array.isArray(value)) {
      // Without a trace of an empty list, `$in: []` would find everything.
      if (value.length === 0 && /^filters/.test(path) && !/^\$(and|or|not|notIn)$/.test(key)) pairs.push(`${path}[]`);
      // Holes and undefined items leave no gap, which the server would read as an object.
      for (const [index, item] of value.filter((each) => each !== undefined).entries()) add(item, `${path}[${index}]`, key, depth + 1);
    } else {
      // A Map or a Set has no keys: the condition would be lost.
      if (Object.prototype.toString.call(value) !== '[object Object]') refuse(path, `a ${value.constructor?.name}`);
      const keys = Object.keys(value);
      for (const name of /\bsort\b/.test(path) ? keys : keys.sort()) {
        if (/[[\]]/.test(name)) refuse(path, `the key ${name}, which has a bracket`);
        const own = encode(name);
        add((value as Record<string, unknown>)[name], path ? `${path}[${own}]` : own, name, depth + 1);
      }
    }

    function text(written: string): void {
      pairs.push(`${path}=${encode(written)}`);
    }
  }
}

/** `$`, `:` and `,` mean nothing in a query; left as they are, URLs stay short and readable. Throws for half a surrogate pair. */
function encode(text: string): string {
  try {
    return encodeURIComponent(text).replace(/%(24|3A|2C)/g, decodeURIComponent);
  } catch (cause) {
    throw usageError('The query has a text that is not valid Unicode', cause);
  }
}

function refuse(path: string, what: string): never {
  throw usageError(`${path || 'The query'}: ${what} cannot be sent in a query`);
}

/** One segment of a path. Throws for a name that would lead to another path, or to none. */
export function segment(name: string): string {
  // URL parsers resolve dots even when they are percent-encoded.
  if (typeof name !== 'string' || /^\.{0,2}$/.test(name))
    throw usageError(`${JSON.stringify(name)} cannot be a documentId or a name in a path`);
  return `/${encode(name).replaceAll(/[:,$]/g, encodeURIComponent)}`;
}
