/** Which texts are e-mail addresses, as in the validator that Strapi uses. */
import { describe, expect, it } from 'vitest';
import { located, outcome, read, recordedAttributes } from '../../../test/support/body-values.ts';

const { contact } = recordedAttributes;

describe('e-mail addresses', () => {
  it.each(['a@b.cd', 'A.b+c@x-y.example', '"a b"@c.de', '"a\\"@b"@c.de', 'ü@ö.äx', 'a@1.b', "o'neil@a.b.c"])('%s is one', (value) =>
    expect(outcome(contact, value)).toBe(value),
  );
  it.each([
    '@b.cd',
    'a@',
    'a@b',
    'a@b.1',
    '.a@b.cd',
    'a.@b.cd',
    'a..b@c.de',
    'a b@c.de',
    'a@b@c.de',
    'a@-b.cd',
    'a@b-.cd',
    ' a@b.cd',
    'a@b.cd\n',
  ])('%j is none', (value) => expect(outcome(contact, value)).toEqual(located('{path} must be a valid email', value)));
  it('100 KB of nonsense take no time', () => {
    const long = 100_000;
    const hard = [`a@${'a.'.repeat(long)}!`, `"${' '.repeat(long)}@b.cd`, `"${' \r\n'.repeat(long)}"@b.cd`, `${'a.'.repeat(long)}@b.cd`];
    const start = performance.now();
    for (const value of hard) expect(read(contact, value).ok).toBe(false);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});
