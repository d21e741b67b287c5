import { createHash, timingSafeEqual } from 'node:crypto';
import { bearerToken } from './bearer-token.ts';

/** Returns a function that checks whether the header `Authorization` has this token. */
export function createTokenCheck(token: string): (authorization: string | undefined) => boolean {
  const isToken = createComparison(token);
  return (authorization) => {
    const received = bearerToken(authorization);
    return received !== undefined && isToken(received);
  };
}

/** Returns a function that finds the token in `Authorization`, also where it would not count:
 *  without `Bearer`, with another scheme, beside another word, or as a name or password of
 *  Basic. */
export function createTokenSearch(token: string): (values: readonly string[]) => boolean {
  const isToken = createComparison(token);
  // Only words of its length: hashing those of a long header would take milliseconds.
  const isAmong = (words: readonly string[]) => words.some((word) => word.length === token.length && isToken(word));
  const isFound = (value: string) =>
    isAmong(value.split(/[\s,]+/)) ||
    isAmong(
      Buffer.from(/^basic\s+(\S+)/i.exec(value)?.[1] ?? '', 'base64')
        .toString()
        .split(':'),
    );
  return (values) => values.some(isFound);
}

function createComparison(expectedText: string): (text: string) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(expectedText);
  // Digests have the same length, and comparing them takes the same time wherever they differ.
  return (text) => timingSafeEqual(digest(text), expected);
}
