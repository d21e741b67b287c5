import { describe, expect, it } from 'vitest';
import type { ColumnType } from '../../dialects/column-type.ts';
import { convertValue } from './convert-value.ts';

const cases: readonly (readonly [value: unknown, from: ColumnType, to: ColumnType, result: unknown])[] = [
  ['12', 'string', 'integer', 12],
  ['007', 'string', 'integer', undefined],
  ['-0', 'string', 'integer', undefined],
  ['12.5', 'string', 'integer', undefined],
  ['', 'string', 'integer', undefined],
  ['2147483648', 'string', 'integer', undefined],
  ['2147483648', 'string', 'biginteger', 2147483648n],
  ['9223372036854775808', 'string', 'biginteger', undefined],
  [5, 'float', 'integer', 5],
  [5.5, 'float', 'integer', undefined],
  ['9007199254740993', 'biginteger', 'float', undefined],
  ['0.1', 'string', 'float', 0.1],
  ['1e3', 'string', 'float', 1000],
  ['Infinity', 'string', 'float', undefined],
  ['12.50', 'decimal', 'float', 12.5],
  ['12.50', 'decimal', 'string', '12.5'],
  ['100.00', 'decimal', 'integer', 100],
  [12.345, 'float', 'decimal', undefined],
  ['123456789', 'string', 'decimal', undefined],
  [7, 'integer', 'string', '7'],
  ['x'.repeat(256), 'text', 'string', undefined],
  ['😀'.repeat(255), 'text', 'string', '😀'.repeat(255)],
  [1, 'boolean', 'string', 'true'],
  [0, 'boolean', 'integer', undefined],
  [1, 'integer', 'boolean', true],
  [2, 'integer', 'boolean', undefined],
  ['2026-02-28', 'string', 'date', '2026-02-28'],
  ['2026-02-30', 'string', 'date', undefined],
  [Date.UTC(2026, 1, 28), 'datetime', 'date', '2026-02-28'],
  [Date.UTC(2026, 1, 28, 1), 'datetime', 'date', undefined],
  ['2026-02-28', 'date', 'datetime', Date.UTC(2026, 1, 28)],
  ['2026-02-28T10:00:00+02:00', 'string', 'datetime', Date.UTC(2026, 1, 28, 8)],
  ['2026-02-28T10:00:00', 'string', 'datetime', undefined],
  ['10:30', 'string', 'time', '10:30:00.000'],
  ['10:30:15.5', 'string', 'time', '10:30:15.500'],
  ['25:00', 'string', 'time', undefined],
  ['{"a":1}', 'text', 'json', '{"a":1}'],
  ['5', 'text', 'json', '"5"'],
  [5, 'integer', 'json', '5'],
  ['"a"', 'json', 'string', 'a'],
  ['{"a":1}', 'json', 'text', '{"a":1}'],
  ['{"a":1}', 'json', 'blocks', undefined],
  [null, 'string', 'integer', undefined],
];

describe('a value of another type', () => {
  it.each(cases)('%j, a %s, as %s', (value, from, to, result) => {
    expect(convertValue(value, from, to)).toEqual(result);
  });
});
