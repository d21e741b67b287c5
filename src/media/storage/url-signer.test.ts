import { describe, expect, it } from 'vitest';
import { s3Settings } from '../../../test/support/s3-settings.ts';
import { urlSigner } from './url-signer.ts';

const s3 = { ...s3Settings, private: true };
const secret = 's'.repeat(32);
const own = 'https://media.s3.eu-central-1.amazonaws.com/a.png';
const start = 1_800_000_000;

/** When a URL expires that is signed `seconds` after `start`, in seconds from `start`. */
function expiry(seconds: number, signedFor = 900): number {
  const url = urlSigner({ s3, secret, signedFor }, () => (start + seconds) * 1000)(own) ?? '';
  return Number(new URL(url, 'http://localhost').searchParams.get('expires')) - start;
}

describe('The signed address of a private file', () => {
  it('is good for signedFor at least, and for twice that at most', () => {
    for (const signedFor of [60, 61, 900, 604_800])
      for (const seconds of [0, 0.001, 1, 59.999, 60, 61, 899, 899.999, 900, 12_345.678]) {
        const left = expiry(seconds, signedFor) - seconds;
        expect(left).toBeGreaterThanOrEqual(signedFor);
        expect(left).toBeLessThanOrEqual(2 * signedFor);
      }
  });

  it('is the same for a while, so that responses and their tags are', () => {
    expect(new Set([1, 300, 899, 900].map((seconds) => expiry(seconds)))).toEqual(new Set([1800]));
    expect(expiry(901)).toBe(2700);
  });

  it('is made anew when the window has passed', () => {
    let seconds = 1;
    const sign = urlSigner({ s3, secret, signedFor: 900 }, () => (start + seconds) * 1000);
    const [first, again] = [sign(own), sign(own)];
    seconds = 901;
    expect(again).toBe(first);
    expect(sign(own)).not.toBe(first);
    expect(sign(own)).toContain(`expires=${start + 2700}`);
  });

  it('is made for files of the bucket alone', () => {
    const sign = urlSigner({ s3, secret, signedFor: 900 });
    expect(sign(own)).toMatch(/^\/uploads\/a\.png\?expires=\d+&signature=[\w-]{43}$/);
    for (const url of ['/uploads/a.png', 'https://example.org/a.png', `${own}?expires=1`, '']) expect(sign(url)).toBeUndefined();
  });
});
