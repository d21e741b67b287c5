import { isLosslessNumber } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { parseJsonBody } from './json-body.ts';

const read = (text: string) => parseJsonBody(text, { bodyDepth: 100 });
const nested = (levels: number, open = '{"a":', close = '}') => `${open.repeat(levels - 1)}{}${close.repeat(levels - 1)}`;

/** Lossless numbers as `#digits`, so that they cannot be taken for texts or numbers. */
function shown(value: unknown): unknown {
  if (isLosslessNumber(value)) return `#${value.value}`;
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shown(inner)]));
}

describe('a JSON body', () => {
  const values: readonly (readonly [text: string, value: unknown])[] = [
    ['{}', {}],
    [' \t\r\n[1, "two", null]', [1, 'two', null]],
    ['{"data":{"name":"First","name":"Second"}}', { data: { name: 'Second' } }],
    ['{"data":{"constructor":{"prototype":{"x":1}},"prototype":1}}', { data: { constructor: { prototype: { x: 1 } }, prototype: 1 } }],
    ['{"a":"__proto__"}', { a: '__proto__' }],
    ['{"a":"[[[[{{{{\\"[["}', { a: '[[[[{{{{"[[' }],
  ];
  it.each(values)('%s', (text, value) => expect(read(text)).toEqual(value));

  describe('keeps the digits of numbers', () => {
    const numbers: readonly (readonly [text: string, value: unknown])[] = [
      ['123456789012345', 123456789012345],
      ['9007199254740991', 9007199254740991],
      ['-9007199254740991', -9007199254740991],
      ['9007199254740992', '#9007199254740992'],
      ['9007199254740993', '#9007199254740993'],
      ['-9223372036854775808', '#-9223372036854775808'],
      ['18446744073709551616', '#18446744073709551616'],
      ['0.1', 0.1],
      ['1.10', 1.1],
      ['0.30000000000000004', 0.30000000000000004],
      ['0.1234567890123456', 0.1234567890123456],
      ['0.12345678901234567890123', '#0.12345678901234567890123'],
      ['1234567.123456780000', 1234567.12345678],
      ['123456789.123456789123', '#123456789.123456789123'],
      ['1.00000000000000000000', 1],
      ['1e20', 1e20],
      ['1e999', '#1e999'],
      ['1E-999', '#1E-999'],
      ['1.5e-300', 1.5e-300],
      ['-0', -0],
    ];
    it.each(numbers)('%s', (text, value) => expect(shown(read(`[${text}]`))).toEqual([value]));

    it('whatever else is in the body', () =>
      expect(shown(read('{"big":9007199254740993,"small":1e20,"text":"9007199254740993","list":[1,0.5]}'))).toEqual({
        big: '#9007199254740993',
        small: 1e20,
        text: '9007199254740993',
        list: [1, 0.5],
      }));
    it.each(['[-9007199254740993]', '{"n":9007199254740993}', '[1,9007199254740993]', '[1,\n9007199254740993]', '[\t1e999]'])(
      'wherever they stand: %j',
      (text) => expect(JSON.stringify(shown(read(text)))).toContain('#'),
    );
    it('in the last of equal keys', () =>
      expect(shown(read('{"n":9007199254740993,"n":9007199254740995}'))).toEqual({ n: '#9007199254740995' }));
    it('in time, when there are a million', () => {
      const [value] = read(`[1${'0'.repeat(1_000_000)}1]`) as unknown[];
      expect(isLosslessNumber(value)).toBe(true);
    });
  });

  const refused: readonly (readonly [text: string, problem: string | RegExp])[] = [
    ['null', 'invalid JSON, only supports object and array'],
    ['"text"', 'invalid JSON, only supports object and array'],
    ['5', 'invalid JSON, only supports object and array'],
    ['   ', 'invalid JSON, only supports object and array'],
    ['hello', 'invalid JSON, only supports object and array'],
    ['{"data":{', /^Expected property name or '}' in JSON at position 9/],
    ['{"data":{"name":"Comma",}}', /^Expected double-quoted property name in JSON at position 24/],
    ['{"a":9007199254740993,}', /^Expected double-quoted property name in JSON/],
    ['{"a":"no end', /JSON/],
    ['{"a":"\\', /JSON/],
    ['{} {}', /JSON/],
    ['[1}]', /JSON/],
  ];
  it.each(refused)('refuses %j', (text, problem) =>
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 'body.invalid-json', status: 400, message: expect.stringMatching(problem) }),
    ),
  );

  it.each([
    '{"__proto__":{"x":1},"data":{}}',
    '{"__proto__":null}',
    '{"data":{"data":{"__proto__":{"y":2},"a":1}}}',
    '[[{"__proto__":1}]]',
    '{"\\u005f_proto\\u005F\\u005f":1}',
    '{"__proto__" : 9007199254740993}',
    '{"n":9007199254740993,"a":{"\\u005f\\u005fproto__":{"x":1}}}',
  ])('refuses the prototype in %s', (text) =>
    expect(() => read(text)).toThrow(
      expect.objectContaining({ code: 'body.invalid-json', message: 'Object contains forbidden prototype property' }),
    ),
  );

  it('gives no object a prototype of its own', () => {
    // The inner one is gone when the outer key comes again.
    const value = read('{"a":{"__proto__":{"x":1}},"a":{"n":9007199254740993}}') as { a: object };
    expect(Object.getPrototypeOf(value.a)).toBe(Object.prototype);
  });

  describe('nested', () => {
    it.each([
      ['objects', '{"a":', '}'],
      ['lists', '[', ']'],
      ['lists with long numbers', '[9007199254740993,', ']'],
    ])('100 levels of %s', (_what, open, close) => expect(() => read(nested(100, open, close))).not.toThrow());

    const tooDeep = expect.objectContaining({
      code: 'limit.body-depth',
      status: 400,
      message: expect.stringContaining('100 levels (limits.bodyDepth)'),
    });
    it.each([
      ['101 objects', nested(101)],
      ['101 lists', nested(101, '[', ']')],
      ['10,000 objects', nested(10_000)],
      ['500,000 lists', nested(500_000, '[', ']')],
      ['500,000 lists without end', '['.repeat(500_000)],
      ['10,000 objects with a long number', nested(10_000, '{"n":9007199254740993,"a":')],
    ])('refuses %s', (_what, text) => expect(() => read(text)).toThrow(tooDeep));
    it('a thousand beside each other', () => expect(read(`[${Array.from({ length: 1000 }, () => '{}').join(',')}]`)).toHaveLength(1000));
  });
});
