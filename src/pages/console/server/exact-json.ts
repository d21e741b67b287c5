/** JSON whose numbers keep their digits. One that a JavaScript number would round is a String object
 *  of its digits: no text that JSON contains can be mistaken for it, and IndexedDB stores it. */
import { isSafeNumber, parse } from 'lossless-json';

/** A number that JavaScript would round: `12345678901234567890`. */
// biome-ignore lint/complexity/noBannedTypes: the object, not the primitive value.
export type ExactNumber = String;

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** What is written unquoted must be a number. */
export const isExactNumber = (value: unknown): value is ExactNumber => value instanceof String && jsonNumber.test(value.toString());

const readNumber = (digits: string): unknown => (isSafeNumber(digits) ? Number(digits) : new String(digits));

interface Duplicate {
  readonly key: string;
  readonly position: number;
}

/** Throws a SyntaxError, or what `onDuplicateKey` throws. */
export const readExact = (text: string, onDuplicateKey?: (duplicate: Duplicate) => never): unknown =>
  parse(text, null, { parseNumber: readNumber, ...(onDuplicateKey === undefined ? {} : { onDuplicateKey }) });

/** As `JSON.stringify` writes values. */
export function writeExact(value: unknown, indent = '', before = ''): string {
  if (isExactNumber(value)) return value.toString();
  if (typeof value !== 'object' || value === null || value instanceof String || 'toJSON' in value) return JSON.stringify(value) ?? 'null';
  const inner = before + indent;
  const parts = Array.isArray(value)
    ? value.map((each) => writeExact(each, indent, inner))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([key, each]) => `${JSON.stringify(key)}:${indent === '' ? '' : ' '}${writeExact(each, indent, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (parts.length === 0) return `${open}${close}`;
  const line = indent === '' ? '' : '\n';
  return `${open}${line}${parts.map((part) => inner + part).join(`,${line}`)}${line}${before}${close}`;
}

/** The value with JavaScript's numbers. */
export function rounded(value: unknown): unknown {
  if (isExactNumber(value)) return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, rounded(each)]));
}
