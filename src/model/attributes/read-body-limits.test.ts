/** What a value of a body may cost to read. */
import { describe, expect, it } from 'vitest';
import { located, outcome, paragraph, read, recordedAttributes } from '../../../test/support/body-values.ts';
import type { ScalarType } from '../content-model.ts';
import type { ValueProblem } from './attribute-type.ts';
import { attributeTypes } from './attribute-types.ts';

const { name, count, sold, event, data, text } = recordedAttributes;

describe('deep and large values', () => {
  const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
  const tooDeep = located('{path} must not be nested deeper than 1000 levels');

  it('json of a thousand levels is stored', () => expect(outcome(data, nested(1000))).toBe('['.repeat(1000) + ']'.repeat(1000)));
  it.each([1001, 10_000, 500_000])('json of %i levels is refused', (levels) => {
    expect(outcome(data, nested(levels))).toEqual(tooDeep);
    expect(outcome(data, '['.repeat(levels) + ']'.repeat(levels))).toEqual(tooDeep);
  });
  it('blocks of 10,000 levels are refused', () => {
    expect(outcome(text, nested(10_000))).toEqual(tooDeep);
    expect(outcome(text, [{ ...paragraph, more: nested(10_000) }])).toEqual(tooDeep);
  });
  it.each(Object.keys(attributeTypes) as ScalarType[])('%s with 100,000 levels is read or refused', (type) => {
    const result = read({ type, enum: ['a'] }, nested(100_000));
    expect(JSON.stringify(result).length).toBeLessThan(25_000);
  });
  it.each([
    { of: sold, value: `${'0'.repeat(1_000_000)}x` },
    { of: sold, value: '9'.repeat(1_000_000) },
    { of: event, value: `2023-02-03T10.${'1'.repeat(1_000_000)}x` },
    { of: count, value: `${' '.repeat(1_000_000)}x` },
  ])('a $of.type of a million characters is refused in no time', ({ of, value }) => {
    const start = performance.now();
    expect(read(of, value).ok).toBe(false);
    expect(performance.now() - start).toBeLessThan(1000);
  });
  it('a large value is shown in part', () => {
    const result = outcome(name, Array(100_000).fill({ a: 1 })) as ValueProblem;
    expect(result.message.length).toBeLessThan(11_000);
  });
});
