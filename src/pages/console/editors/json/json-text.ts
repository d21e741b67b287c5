/** JSON values as text and back, and what is wrong with a text. Numbers keep their digits. */
import { type ParseError, parse as parseLeniently, printParseErrorCode } from 'jsonc-parser';
import { type Position, positionAt } from '../../../../text/json-position.ts';
import { readExact, writeExact } from '../../server/exact-json.ts';

export type JsonProblem =
  | 'symbol'
  | 'number'
  | 'key'
  | 'value'
  | 'colon'
  | 'comma'
  | 'brace'
  | 'bracket'
  | 'end'
  | 'comment'
  | 'quote'
  | 'escape'
  | 'control'
  | 'duplicate'
  | 'depth'
  | 'other';

export type JsonReading =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: JsonProblem; readonly key: string; readonly offset: number; readonly position: Position };

/** An empty text is null. */
export function readJson(text: string): JsonReading {
  if (text.trim() === '') return { ok: true, value: null };
  const refused = (problem: JsonProblem, offset: number, key = ''): JsonReading => ({
    ok: false,
    problem,
    key,
    offset,
    position: positionAt(text, offset),
  });
  try {
    return { ok: true, value: readExact(text, refuseDuplicate) };
  } catch (error) {
    if (error instanceof DuplicateKey) return refused('duplicate', error.offset, error.key);
    if (error instanceof RangeError) return refused('depth', 0);
    const { problem, offset } = findMistake(text);
    return refused(problem, offset);
  }
}

class DuplicateKey extends Error {
  readonly key: string;
  readonly offset: number;

  constructor(key: string, offset: number) {
    super(key);
    this.key = key;
    this.offset = offset;
  }
}

function refuseDuplicate({ key, position }: { readonly key: string; readonly position: number }): never {
  // The library counts from the character behind the quote.
  throw new DuplicateKey(key, position - 1);
}

/** Where another parser, which says what it misses, stopped. */
function findMistake(text: string): { readonly problem: JsonProblem; readonly offset: number } {
  const errors: ParseError[] = [];
  try {
    parseLeniently(text, errors, { disallowComments: true });
  } catch {
    return { problem: 'depth', offset: 0 };
  }
  const [first] = errors;
  return first === undefined
    ? { problem: 'other', offset: 0 }
    : { problem: problems[printParseErrorCode(first.error)] ?? 'other', offset: first.offset };
}

const problems: Readonly<Record<string, JsonProblem>> = {
  InvalidSymbol: 'symbol',
  InvalidNumberFormat: 'number',
  UnexpectedEndOfNumber: 'number',
  PropertyNameExpected: 'key',
  ValueExpected: 'value',
  ColonExpected: 'colon',
  CommaExpected: 'comma',
  CloseBraceExpected: 'brace',
  CloseBracketExpected: 'bracket',
  EndOfFileExpected: 'end',
  InvalidCommentToken: 'comment',
  UnexpectedEndOfComment: 'comment',
  UnexpectedEndOfString: 'quote',
  InvalidUnicode: 'escape',
  InvalidEscapeCharacter: 'escape',
  InvalidCharacter: 'control',
};

/** The text that the editor shows for a value. */
export const writeJson = (value: unknown): string => (value === null || value === undefined ? '' : writeExact(value, '  '));
