import { describe, expect, it } from 'vitest';
import { type JsonProblem, readJson, writeJson } from './json-text.ts';

describe('reading', () => {
  it('nothing is null', () => {
    expect(readJson(' \n')).toEqual({ ok: true, value: null });
    expect(writeJson(null)).toBe('');
  });
  it.each(['12345678901234567890', '0.12345678901234567891', '-1e400', '1e-400', '[{"a": 9007199254740993}]'])(
    '%s keeps its digits',
    (text) => {
      const read = readJson(text);
      expect(read.ok && writeJson(read.value).replaceAll(/\s/g, '')).toBe(text.replaceAll(/\s/g, ''));
    },
  );
});

describe('mistakes', () => {
  const cases: readonly (readonly [string, JsonProblem, number, number])[] = [
    ['{"a": 1,\n "b" 2}', 'colon', 2, 6],
    ['[1 2]', 'comma', 1, 4],
    ['[1,]', 'value', 1, 4],
    ['{"a":1,}', 'key', 1, 8],
    ['{a: 1}', 'symbol', 1, 2],
    ["['a']", 'symbol', 1, 2],
    ['{"a": 1', 'brace', 1, 8],
    ['[1', 'bracket', 1, 3],
    ['1 2', 'end', 1, 3],
    ['[1, // one\n2]', 'comment', 1, 5],
    ['"a', 'quote', 1, 1],
    ['"\\x"', 'escape', 1, 1],
    ['"a\tb"', 'control', 1, 1],
    ['[1.]', 'number', 1, 2],
    ['undefined', 'symbol', 1, 1],
    ['{"a": 1,\n "a": 2}', 'duplicate', 2, 2],
    ['['.repeat(100_000), 'depth', 1, 1],
  ];
  it.each(cases)('%#: %.20j', (text, problem, line, column) =>
    expect(readJson(text)).toMatchObject({ ok: false, problem, position: { line, column } }),
  );
});
