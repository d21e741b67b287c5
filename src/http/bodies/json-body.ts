import { isSafeNumber, LosslessNumber, parse } from 'lossless-json';
import secureJsonParse from 'secure-json-parse';
import type { Limits } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';

/** Reads a JSON body that is not empty. Numbers that JavaScript cannot hold exactly are `LosslessNumber`s, so that a `biginteger` keeps its
 *  digits; all others are plain. Of a key that comes twice the last counts, as with `JSON.parse`; `__proto__` is refused wherever it stands.
 *  `constructor` is only a name here: whether it is one of an attribute is not the parser's question. */
export function parseJsonBody(text: string, limits: Pick<Limits, 'bodyDepth'>): unknown {
  if (!/^[ \t\n\r]*[[{]/.test(text)) throw invalid('invalid JSON, only supports object and array');
  if (isDeeperThan(limits.bodyDepth, text)) throw ApiError.of('limit.body-depth', { limit: limits.bodyDepth });
  const value = parsed(text);
  // A second time, and only now: the messages for broken JSON stay those of JSON.parse, whatever digits stand in it.
  return holdsImprecise.test(text) ? parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue }) : value;
}

function parsed(text: string): unknown {
  try {
    return secureJsonParse(text, { protoAction: 'error', constructorAction: 'ignore' });
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid(error.message);
    throw error;
  }
}

const invalid = (problem: string) => ApiError.of('body.invalid-json', { problem });

/** JavaScript keeps numbers of up to 15 digits, unless they are very large or very near to 0. */
const imprecise = String.raw`-?(?:\d[\d.]{15}|[\d.]+[eE][+-]?\d{3})`;
const isImprecise = new RegExp(`^${imprecise}`);
/** In texts as well, where it only costs the time of a second parser. What stands before a number keeps hashes and file names out. */
const holdsImprecise = new RegExp(String.raw`[[:,\s]${imprecise}`);
/** More than the digits, sign, point and exponent of any number that JavaScript writes. The library's comparison takes quadratic time, so
 *  it must not get a number of a million digits. */
const longestPlain = 40;

function parseNumber(text: string): number | LosslessNumber {
  if (!isImprecise.test(text) || (text.length <= longestPlain && isSafeNumber(text))) return Number(text);
  return new LosslessNumber(text);
}

const quote = 0x22;
const backslash = 0x5c;

/** Whether brackets are open at once more often than `limit`, told without parsing: parsing, and all that follows it, is recursive. */
function isDeeperThan(limit: number, text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x5b:
      case 0x7b:
        if (++depth > limit) return true;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
      case quote:
        at = endOfString(text, at);
        break;
    }
  }
  return false;
}

/** The place of the quote that ends the string that begins at `start`; the end of the text when there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at++;
  }
  return text.length;
}
