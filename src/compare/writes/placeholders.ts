/** Placeholders such as `${3.data.documentId}`: a value of the response to line 3, which each
 *  server generates itself. `$${` is the text `${`. */
import { isObject } from '../../text/json.ts';
import { LongNumber } from '../exact-json.ts';

export interface Reference {
  readonly line: number;
  /** The path in the body of the response: `data.documentId`, `data.0.id`. */
  readonly path: string;
}

/** A value that may replace a placeholder: a text, a number, true or false. */
export type Scalar = string | number | boolean | LongNumber;

/** What is kept of a response that has no value at a path. */
export class Missing {
  readonly status: number;

  constructor(status: number) {
    this.status = status;
  }
}

/** The values of one server, by `keyOf`. */
export type Values = ReadonlyMap<string, Scalar | Missing>;

export const keyOf = ({ line, path }: Reference) => `${line}.${path}`;

/** A text is not a valid placeholder, or a server did not send its value. */
export class PlaceholderError extends Error {}

const placeholder = /\$\$\{|\$\{([^{}]*)(\}?)/g;
const reference = /^(\d{1,6})\.([^.]{1,100}(?:\.[^.]{1,100}){0,19})$/;
const maxShown = 80;
/** Characters; longer texts and numbers are not ids or tokens. */
const maxValueLength = 16_384;

/** The placeholders in the text's order. Throws a PlaceholderError for an invalid one. */
export function referencesIn(text: string): readonly Reference[] {
  return [...text.matchAll(placeholder)].flatMap((found) => (found[0] === '$${' ? [] : [readReference(found)]));
}

function readReference([match, inner = '', end]: RegExpMatchArray | readonly string[]): Reference {
  const found = end === '}' ? reference.exec(inner) : null;
  if (found?.[2] !== undefined) return { line: Number(found[1]), path: found[2] };
  throw new PlaceholderError(
    `${match?.slice(0, maxShown)} is not a placeholder: \${3.data.documentId} is a value of the response to line 3, and $\${ is the text \${`,
  );
}

/** Replaces placeholders by values as `change` returns them. Throws a PlaceholderError if a value
 *  is missing. */
export function fillText(text: string, values: Values, change: (value: string) => string = (value) => value): string {
  return text.replaceAll(placeholder, (...found: string[]) =>
    found[0] === '$${' ? '${' : change(textOf(valueFor(readReference(found), values))),
  );
}

/** Replaces the placeholders in all texts of a JSON value. A text that is only a placeholder
 *  becomes the value with its type. */
export function fillJson(value: unknown, values: Values): unknown {
  if (typeof value === 'string') {
    const [only] = /^\$\{[^{}]*\}$/.test(value) ? referencesIn(value) : [];
    return only === undefined ? fillText(value, values) : valueFor(only, values);
  }
  if (Array.isArray(value)) return value.map((each) => fillJson(each, values));
  if (!isObject(value) || value instanceof LongNumber) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fillJson(each, values)]));
}

const textOf = (value: Scalar) => (value instanceof LongNumber ? value.digits : String(value));

function valueFor(wanted: Reference, values: Values): Scalar {
  const value = values.get(keyOf(wanted));
  if (value !== undefined && !(value instanceof Missing)) return value;
  const status = value === undefined ? '' : `, with status ${value.status},`;
  throw new PlaceholderError(`the response to line ${wanted.line}${status} has no value at ${wanted.path}`);
}

/** The value at a path; undefined if there is none, or it cannot replace a placeholder. */
export function scalarAt(body: unknown, path: string): Scalar | undefined {
  let value = body;
  for (const key of path.split('.')) {
    if (!(isObject(value) || Array.isArray(value)) || !Object.prototype.propertyIsEnumerable.call(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  if (!(typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value instanceof LongNumber))
    return undefined;
  return textOf(value).length > maxValueLength ? undefined : value;
}
