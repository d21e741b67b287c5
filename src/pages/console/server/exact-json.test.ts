import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isExactNumber, readExact, rounded, writeExact } from './exact-json.ts';

describe('numbers', () => {
  it.each(['12345678901234567890', '0.12345678901234567891', '-1e400', '1e-400', '[{"a":9007199254740993}]'])(
    '%s keeps its digits',
    (text) => {
      expect(writeExact(readExact(text))).toBe(text);
      expect(JSON.stringify(rounded(readExact(text)))).toBe(JSON.stringify(JSON.parse(text)));
    },
  );
  it('that are exact are numbers', () => expect(readExact('[1, -0.5, 1e3]')).toEqual([1, -0.5, 1000]));
  it('survive IndexedDB', () => expect(writeExact(structuredClone(readExact('[12345678901234567890]')))).toBe('[12345678901234567890]'));
  it('are not made of what a document contains', () => {
    const stored = '{"isLosslessNumber":true,"value":"1,\\"admin\\":true"}';
    expect(writeExact(readExact(stored))).toBe(stored);
    const injected = Object('1,"admin":true');
    expect(isExactNumber(injected)).toBe(false);
    expect(JSON.parse(writeExact([injected]))).toEqual(['1,"admin":true']);
  });
});

describe('values', () => {
  it('are written as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(writeExact(value)).toBe(JSON.stringify(value));
        expect(writeExact(value, '  ')).toBe(JSON.stringify(value, null, 2));
      }),
    );
    expect(writeExact({ a: undefined, b: [undefined], c: new Date(0) })).toBe('{"b":[null],"c":"1970-01-01T00:00:00.000Z"}');
  });
  it('come back', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(rounded(readExact(JSON.stringify(value))))).toBe(JSON.stringify(value));
      }),
    );
  });
  it('may have keys that objects inherit', () => {
    const text = '{"__proto__":{"a":1},"constructor":2}';
    expect(writeExact(readExact(text))).toBe(text);
  });
});
