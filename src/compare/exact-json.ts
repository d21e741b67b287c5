/** Reads and writes JSON without rounding long numbers, as JavaScript would. */

import { isObject, type JsonObject } from '../text/json.ts';

/** A number that JavaScript's numbers cannot hold. */
export class LongNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

export const isPlainObject = (value: unknown): value is JsonObject => isObject(value) && !(value instanceof LongNumber);

/** The deepest levels of JSON that are compared. */
export const deepest = 200;

/** A key that no server writes. */
const marker = '\u0000number';
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
const markedNumber = /"\\u0000number:([^"\\]*)"/g;
/** Every number of so many digits is exact. */
const exactDigits = 15;

/** Throws a SyntaxError for a text that is no JSON. */
export function parseExactly(text: string): unknown {
  // Before the search, as invalid JSON may have very many unterminated strings, each searched to
  // the end of the text.
  const value: unknown = JSON.parse(text);
  let isMarked = false;
  const marked = text.replaceAll(tokens, (token) => {
    if (token.startsWith('"') || token.length <= exactDigits || String(Number(token)) === token) return token;
    isMarked = true;
    return JSON.stringify({ [marker]: token });
  });
  if (!isMarked) return value;
  return JSON.parse(marked, (_, each: unknown) => {
    const digits = typeof each === 'object' && each !== null ? Object.getOwnPropertyDescriptor(each, marker)?.value : undefined;
    return typeof digits === 'string' ? new LongNumber(digits) : each;
  });
}

/** The JSON text of such a value. */
export const writeExactly = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (each instanceof LongNumber ? `${marker}:${each.digits}` : each)).replaceAll(
    markedNumber,
    '$1',
  );
