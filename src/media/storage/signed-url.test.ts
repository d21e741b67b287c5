import { describe, expect, it } from 'vitest';
import { isSigned, signedUrl } from './signed-url.ts';

const secret = 's'.repeat(32);
const signatureOf = (url: string) => new URL(url, 'http://localhost').searchParams.get('signature') ?? '';
const parameters = { width: '1234', expires: '1800000000' };
const signature = signatureOf(signedUrl(secret, 'a b.jpg', parameters));

describe('A signed address', () => {
  it('is the path with the parameters in order, and their HMAC', () => {
    expect(signedUrl(secret, 'a b.jpg', parameters)).toBe(`/uploads/a%20b.jpg?expires=1800000000&width=1234&signature=${signature}`);
    expect(signature).toMatch(/^[\w-]{43}$/);
  });

  it('is known again, whatever the order of its parameters', () => {
    expect(isSigned(secret, 'a b.jpg', { expires: '1800000000', width: '1234' }, signature)).toBe(true);
  });

  it.each([
    ['another file', 'c.jpg', parameters],
    ['the encoded name', 'a%20b.jpg', parameters],
    ['a longer life', 'a b.jpg', { ...parameters, expires: '1900000000' }],
    ['no end', 'a b.jpg', { width: '1234' }],
    ['another variant', 'a b.jpg', { ...parameters, width: '1235' }],
    ['the original', 'a b.jpg', { expires: '1800000000' }],
    ['one more parameter', 'a b.jpg', { ...parameters, format: 'png' }],
    ['parameters in a value', 'a b.jpg', { expires: '1800000000&width=1234' }],
    ['parameters in the name', 'a b.jpg?expires=1800000000&width=1234', {}],
  ])('is not one for %s', (_, key, other: Readonly<Record<string, string>>) => {
    expect(isSigned(secret, key, other, signature)).toBe(false);
  });

  it.each(['', 'x', signature.slice(1), `${signature}AA`, signature.toLowerCase(), 'A'.repeat(43), '\0', 'ä'.repeat(43)])(
    'is not one with the signature %j',
    (other) => {
      expect(isSigned(secret, 'a b.jpg', parameters, other)).toBe(false);
    },
  );

  it('is not one under another secret', () => {
    expect(isSigned('t'.repeat(32), 'a b.jpg', parameters, signature)).toBe(false);
  });
});
