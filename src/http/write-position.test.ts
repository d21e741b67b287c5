import { describe, expect, it } from 'vitest';
import { beyondAll } from '../dialects/replicas.ts';
import { positionTokens } from './write-position.ts';

const tokens = positionTokens('a secret');
const token = tokens.write(0x1_6b37_4d30n, 1000);
const flip = (text: string, at: number) => text.slice(0, at) + (text[at] === '1' ? '2' : '1') + text.slice(at + 1);

describe('a position that a caller sends', () => {
  it.each<[string, string, number, bigint | undefined]>([
    ['is valid until its end', token, 1000, 0x1_6b37_4d30n],
    ['is refused after its end', token, 1001, undefined],
    ['is refused with another position', flip(token, 0), 0, undefined],
    ['is refused with another end', flip(token, token.indexOf('.') + 1), 0, undefined],
    ['is refused with another signature', flip(token, token.length - 5), 0, undefined],
    ['is refused when signed with another secret', positionTokens('b').write(1n, 1000), 0, undefined],
    ['is refused without a signature', 'ffffffffffffffffffffffff.9999999999', 0, undefined],
    ['is refused with text after it', `${token}x`, 0, undefined],
    ['is refused when empty', '', 0, undefined],
    ['is refused when very long', `${'f'.repeat(100_000)}.1.${'a'.repeat(43)}`, 0, undefined],
  ])('%s', (_, text, time, position) => {
    expect(tokens.read(text, time)).toBe(position);
  });

  it('may be the greatest possible one', () => {
    expect(tokens.read(tokens.write(beyondAll, 1), 1)).toBe(beyondAll);
  });
});
