import { describe, expect, it } from 'vitest';
import { type NumberType, numberText, readNumber, separatorOf } from './number-text.ts';

describe('readNumber', () => {
  it.each<[type: NumberType, text: string, separator: string, value: unknown]>([
    ['integer', '', '.', null],
    ['integer', ' 042 ', '.', 42],
    ['integer', '-7', '.', -7],
    ['integer', '9007199254740991', '.', 9007199254740991],
    ['biginteger', '9007199254740993', '.', '9007199254740993'],
    ['biginteger', '+0042', '.', '42'],
    ['biginteger', '-9223372036854775808', '.', '-9223372036854775808'],
    ['decimal', '12.50', '.', 12.5],
    ['decimal', '12,50', ',', 12.5],
    ['decimal', '12.5', ',', 12.5],
    ['decimal', '0.1', '.', 0.1],
    ['decimal', '.5', '.', 0.5],
    ['decimal', '−3', '.', -3],
    ['float', '1e21', '.', 1e21],
    ['float', '1.5E-7', '.', 1.5e-7],
    ['float', '0.000', '.', 0],
    ['decimal', '1234.567', ',', 1234.567],
  ])('%s %j with %j is %j', (type, text, separator, value) => {
    expect(readNumber(text, type, separator)).toEqual({ ok: true, value });
  });

  it.each<[type: NumberType, text: string, separator: string, problem: string]>([
    ['integer', '1.5', '.', 'fields.grouped'],
    ['integer', '12x', '.', 'fields.notInteger'],
    ['integer', '0x10', '.', 'fields.notInteger'],
    ['integer', '9007199254740993', '.', 'fields.tooLarge'],
    ['biginteger', '9223372036854775808', '.', 'fields.tooLarge'],
    ['biginteger', '1'.repeat(5000), '.', 'fields.tooLarge'],
    ['decimal', 'twelve', '.', 'fields.notNumber'],
    ['decimal', '1,000', '.', 'fields.grouped'],
    ['decimal', '1.000', ',', 'fields.grouped'],
    ['decimal', '1 000', ',', 'fields.grouped'],
    ['decimal', '1.000,5', ',', 'fields.grouped'],
    ['decimal', '1,2,3', ',', 'fields.notNumber'],
    ['decimal', '0x10', '.', 'fields.notNumber'],
    ['decimal', 'Infinity', '.', 'fields.notNumber'],
    ['float', '1e999', '.', 'fields.tooLarge'],
    ['decimal', '0.12345678901234567890', '.', 'fields.tooPrecise'],
  ])('refuses %s %j with %j: %s', (type, text, separator, problem) => {
    expect(readNumber(text, type, separator)).toEqual({ ok: false, problem });
  });
});

it('shows a number with all of its digits, as its reader writes it', () => {
  expect(numberText(1234.5, ',')).toBe('1234,5');
  expect(numberText('9007199254740993', ',')).toBe('9007199254740993');
  expect(numberText(null, '.')).toBe('');
  expect(numberText('1.x', ',')).toBe('1.x');
  expect(separatorOf('de')).toBe(',');
  expect(separatorOf('en')).toBe('.');
});
