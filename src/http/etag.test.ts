import { describe, expect, it } from 'vitest';
import { entityTag, matchesTag, versionsOf } from './etag.ts';

describe('an entity tag', () => {
  it('is one text in quotes, made of version and body', () => expect(entityTag('v1', '{}')).toMatch(/^"v1\.[\w-]{22}"$/));
  it('is the same for a text and its bytes', () => expect(entityTag('v1', '{"é":1}')).toBe(entityTag('v1', Buffer.from('{"é":1}'))));
  it('is another for another body', () => expect(entityTag('v1', '{}')).not.toBe(entityTag('v1', '[]')));
  it('takes a digest that is there already', () => expect(entityTag('v1', '{}', 'abc')).toBe('"v1.abc"'));
});

describe('If-None-Match', () => {
  const cases: readonly (readonly [header: string, known: boolean])[] = [
    ['"a.b"', true],
    ['W/"a.b"', true],
    ['*', true],
    [' * ', true],
    ['"x", "a.b"', true],
    ['"x",W/"a.b","y"', true],
    ['"x, a.b"', false],
    ['"a"', false],
    ['"a.b', false],
    ['a.b', false],
    ['"A.B"', false],
    ['"*"', false],
    ['', false],
    [`${'"'.repeat(50_001)}a.b`, false],
  ];
  it.each(cases)('%.40s: %s', (header, known) => expect(matchesTag(header, '"a.b"')).toBe(known));
});

describe('If-Match', () => {
  const cases: readonly (readonly [header: string, versions: '*' | readonly string[]])[] = [
    ['"a.b"', ['a']],
    ['"a.b", "c.d"', ['a', 'c']],
    ['*', '*'],
    ['W/"a.b"', []],
    ['W/"a.b", "c.d"', ['c']],
    ['"a"', ['a']],
    ['"a.b.c"', ['a']],
    ['""', ['']],
    ['a.b', []],
    ['', []],
  ];
  it.each(cases)('%s: %j', (header, versions) => expect(versionsOf(header)).toEqual(versions));
});
