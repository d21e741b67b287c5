import { describe, expect, it } from 'vitest';
import { bearerToken } from './bearer-token.ts';

const cases: readonly { it: string; header: string | undefined; token: string | undefined }[] = [
  { it: 'reads the word after Bearer', header: 'Bearer abc', token: 'abc' },
  { it: 'ignores the letter case of the scheme', header: 'bEARER abc', token: 'abc' },
  { it: 'accepts any amount of white space', header: 'Bearer \t  abc', token: 'abc' },
  { it: 'takes no header as anonymous', header: undefined, token: undefined },
  { it: 'takes an empty header as anonymous', header: '', token: undefined },
  { it: 'takes Bearer alone as anonymous', header: 'Bearer', token: undefined },
  { it: 'takes Bearer with white space alone as anonymous', header: 'Bearer ', token: undefined },
  { it: 'takes two words as anonymous', header: 'Bearer a b', token: undefined },
  { it: 'takes another scheme as anonymous', header: 'Basic abc', token: undefined },
  { it: 'takes a bare token as anonymous', header: 'abc', token: undefined },
  { it: 'does not find Bearer inside another word', header: 'xBearer abc', token: undefined },
];

describe('the Authorization header', () => {
  it.each(cases)('$it', ({ header, token }) => expect(bearerToken(header)).toBe(token));
});
