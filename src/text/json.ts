/** Reads JSON that was written by hand: values of unknown shape, and errors with a position. */
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { type Position, positionAt } from './json-position.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectAt = (object: JsonObject, key: string): JsonObject => {
  const value = object[key];
  return isObject(value) ? value : {};
};

export const stringAt = (object: JsonObject, key: string): string | undefined => {
  const value = object[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const stringsAt = (object: JsonObject, key: string): readonly string[] | undefined => {
  const value = object[key];
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
};

/** The objects in a list. */
export const objectsAt = (object: JsonObject, key: string): readonly JsonObject[] => {
  const value = object[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
};

/** Undefined for a text that is not JSON. */
export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object that a JSON text contains; undefined for anything else. */
export function parsedObject(text: unknown): JsonObject | undefined {
  const value = typeof text === 'string' ? jsonOrUndefined(text) : undefined;
  return isObject(value) ? value : undefined;
}

export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly position: Position; readonly reason: string };

/** Parses a JSON text, without a byte order mark. Reports mistakes with line and column, from 1. */
export function parseJson(text: string): JsonResult {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text;
  try {
    return { ok: true, value: JSON.parse(body) };
  } catch {
    const { offset, reason } = findMistake(body);
    return { ok: false, position: positionAt(body, offset), reason };
  }
}

interface Mistake {
  readonly offset: number;
  readonly reason: string;
}

/** The position at which `JSON.parse` stopped. Its messages have one only in some versions of
 *  Node.js and for some mistakes, so another parser reads a refused text. */
function findMistake(text: string): Mistake {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true });
  } catch {
    // A RangeError: the text is nested too deeply for both parsers.
    return { offset: 0, reason: 'the file is nested too deeply' };
  }
  const [first] = errors;
  if (first === undefined) return { offset: 0, reason: 'this is not JSON' };
  const { error, offset } = first;
  return {
    offset,
    reason: `${offset >= text.length ? 'the file ends too early: ' : ''}${reasons[printParseErrorCode(error)] ?? 'this is not JSON'}`,
  };
}

const reasons: Readonly<Record<string, string>> = {
  InvalidSymbol: 'texts and keys stand in double quotes, and true, false and null are the only words',
  InvalidNumberFormat: 'a number is written like 1, 1.5 or 1e3',
  UnexpectedEndOfNumber: 'a number is written like 1, 1.5 or 1e3',
  PropertyNameExpected: 'a key in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: '":" is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a comma or "}" is expected',
  CloseBracketExpected: 'a comma or "]" is expected',
  EndOfFileExpected: 'the end of the file is expected',
  InvalidCommentToken: 'JSON has no comments',
  UnexpectedEndOfComment: 'JSON has no comments',
  UnexpectedEndOfString: 'the text has no closing double quote in its line',
  InvalidUnicode: '\\u is followed by four hexadecimal digits',
  InvalidEscapeCharacter: 'after a backslash comes one of " \\ / b f n r t u',
  InvalidCharacter: 'control characters in a text are written with a backslash',
};
