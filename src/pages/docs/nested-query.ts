/** Writes objects of a query in brackets. Swagger UI does it for the first level alone:
 *  `filters[title]={"$contains":"a"}` becomes `filters[title][$contains]=a`. */
export function withNestedQuery(url: string, base: string): string {
  const parsed = new URL(url, base);
  const query = new URLSearchParams();
  for (const [name, value] of parsed.searchParams) for (const [key, text] of pairsOf(name, jsonIn(name, value))) query.append(key, text);
  // Brackets, commas, colons and dollar signs are easier to read as they are.
  const text = query.toString().replaceAll(/%(?:5B|5D|2C|3A|24)/g, decodeURIComponent);
  parsed.search = text === '' ? '' : `?${text}`;
  return parsed.href;
}

const nested = /^(?:filters|populate|pagination)(?:\[|$)/;

/** Only these parameters have objects: the value of another one may look like JSON. */
function jsonIn(name: string, value: string): unknown {
  if (!nested.test(name) || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function pairsOf(name: string, value: unknown): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => pairsOf(`${name}[${key}]`, inner));
}
