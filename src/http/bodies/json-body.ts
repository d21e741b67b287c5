import { isSafeNumber, LosslessNumber, parse } from 'lossless-json';
import secureJsonParse from 'secure-json-parse';
import type { Limits } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';

/** Parses a JSON body that is not empty. Numbers that JavaScript cannot represent exactly become
 *  `LosslessNumber`s: a `biginteger` keeps its digits. Of equal keys the last value counts, and
 *  `__proto__` is refused. `constructor` is an ordinary name. */
export function parseJsonBody(text: string, limits: Pick<Limits, 'bodyDepth'>): unknown {
  if (!/^[ \t\n\r]*[[{]/.test(text)) throw invalid('invalid JSON, only supports object and array');
  if (isDeeperThan(limits.bodyDepth, text)) throw ApiError.of('limit.body-depth', { limit: limits.bodyDepth });
  const value = parsed(text);
  // Parsed again only after a success: messages about broken JSON are those of `JSON.parse`.
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

/** JavaScript represents up to 15 digits exactly, unless the number is very large or close to 0. */
const imprecise = String.raw`-?(?:\d[\d.]{15}|[\d.]+[eE][+-]?\d{3})`;
const isImprecise = new RegExp(`^${imprecise}`);
/** The character before it excludes hashes and file names. A match in a text costs only time. */
const holdsImprecise = new RegExp(String.raw`[[:,\s]${imprecise}`);
/** No number that JavaScript writes is longer. `lossless-json` compares in quadratic time, so it
 *  must not get a million digits. */
const maxPlainLength = 40;

function parseNumber(text: string): number | LosslessNumber {
  if (!isImprecise.test(text) || (text.length <= maxPlainLength && isSafeNumber(text))) return Number(text);
  return new LosslessNumber(text);
}

const quote = 0x22;
const backslash = 0x5c;

/** Whether more than `limit` brackets are open at once. Not parsed: the parser is recursive. */
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

/** The position of the quote that ends the string at `start`; without one, the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at++;
  }
  return text.length;
}
