import { createHash, timingSafeEqual } from 'node:crypto';
import { bearerToken } from './bearer-token.ts';

/** Returns a function that checks whether the header `Authorization` has this token. */
export function createTokenCheck(token: string): (authorization: string | undefined) => boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (authorization) => {
    const received = bearerToken(authorization);
    // Digests have the same length, and comparing them takes the same time wherever they differ.
    return received !== undefined && timingSafeEqual(digest(received), expected);
  };
}
