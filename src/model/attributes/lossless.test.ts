import { LosslessNumber } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import {
  type Case,
  described,
  located,
  notDate,
  notInstant,
  notListed,
  notText,
  outcome,
  paragraph,
  recordedAttributes,
  unlocated,
} from '../../../test/support/body-values.ts';

const { name, kind, sold, available, releasedOn, opensAt, event, data, text } = recordedAttributes;

describe('numbers with more digits than JavaScript has', () => {
  const many = new LosslessNumber('12345678901234567890');
  const cases: readonly Case[] = [
    { of: sold, value: new LosslessNumber('1234567890123456789'), becomes: 1234567890123456789n },
    { of: sold, value: new LosslessNumber('-1234567890123456789.000'), becomes: -1234567890123456789n },
    { of: sold, value: new LosslessNumber('1.234567890123456789e18'), becomes: 1234567890123456789n },
    { of: sold, value: new LosslessNumber('0.00000000000000000e999'), becomes: 0n },
    {
      of: sold,
      value: many,
      becomes: located('{path} must be between -9223372036854775808 and 9223372036854775807', '12345678901234567890'),
    },
    {
      of: sold,
      value: new LosslessNumber('1e999999999'),
      becomes: located('{path} must be between -9223372036854775808 and 9223372036854775807', `1${'0'.repeat(20)}`),
    },
    {
      of: sold,
      value: new LosslessNumber('1234567890123456789.5'),
      becomes: located('{path} must be a valid integer', 1234567890123456800),
    },
    { of: sold, value: new LosslessNumber('1e-999999999'), becomes: located('{path} must be a valid integer', 0) },
    { of: { type: 'decimal' }, value: new LosslessNumber('0.1234567890123456789'), becomes: 0.12345678901234568 },
    { of: { type: 'float' }, value: new LosslessNumber('1e999'), becomes: located('{path} must be a finite number', null) },
    { of: { type: 'integer' }, value: new LosslessNumber('12.000000000000000'), becomes: 12 },
    {
      of: { type: 'integer' },
      value: many,
      becomes: located('{path} must be less than or equal to 9007199254740991', 12345678901234567000),
    },
    { of: name, value: many, becomes: notText('12345678901234567000', 12345678901234567000) },
    { of: name, value: [many], becomes: notText('[\n  "12345678901234567000"\n]', [12345678901234567000]) },
    { of: kind, value: many, becomes: notListed('12345678901234567000') },
    { of: available, value: new LosslessNumber('1.000000000000000000'), becomes: true },
    { of: opensAt, value: many, becomes: unlocated('Expected a string, got a number') },
    { of: releasedOn, value: many, becomes: notDate },
    { of: event, value: new LosslessNumber('1675382400000.0000'), becomes: 1675382400000 },
    { of: event, value: many, becomes: notInstant },
    { of: data, value: many, becomes: '12345678901234567890' },
    { of: data, value: { a: [many, { b: many }] }, becomes: '{"a":[12345678901234567890,{"b":12345678901234567890}]}' },
    {
      of: text,
      value: [{ ...paragraph, id: many }],
      becomes: '[{"type":"paragraph","children":[{"type":"text","text":"x"}],"id":12345678901234567890}]',
    },
  ];
  it.each(described(cases))('$it', (c) => expect(outcome(c.of, c.value)).toEqual(c.becomes));

  it('an object that a client sent in the same form stays an object', () => {
    const forged = { isLosslessNumber: true, value: '1,"admin":true' };
    expect(outcome(data, forged)).toBe(JSON.stringify(forged));
    expect(outcome(data, { isLosslessNumber: true, value: '5' })).toBe('{"isLosslessNumber":true,"value":"5"}');
  });
});
