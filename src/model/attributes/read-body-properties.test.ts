/** What holds for every value of a body. */
import fc from 'fast-check';
import { LosslessNumber } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { bigints, outcome, read, recordedAttributes, type Schema } from '../../../test/support/body-values.ts';
import type { ScalarType } from '../content-model.ts';
import { attributeTypes } from './attribute-types.ts';

const { sold, event, data } = recordedAttributes;

describe('properties', () => {
  it('JSON is stored as it came', () => {
    const value = fc.jsonValue().filter((each) => typeof each !== 'string' && each !== null);
    fc.assert(fc.property(value, (each) => outcome(data, each) === JSON.stringify(each)));
  });
  it('a JSON text is stored as JSON that says the same', () => {
    fc.assert(
      fc.property(fc.json(), (each) => typeof outcome(data, each) === 'string' && JSON.parse(String(outcome(data, each))) !== undefined),
    );
  });
  it('text that is no JSON becomes a JSON text', () => {
    fc.assert(fc.property(fc.string(), (each) => outcome(data, `~${each}`) === JSON.stringify(`~${each}`)));
  });
  it('every 64 bit integer keeps its digits, as text and as a number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (each) => {
        expect(outcome(sold, String(each))).toBe(each);
        expect(outcome(sold, new LosslessNumber(String(each)))).toBe(each);
      }),
    );
  });
  it('every instant is read as it is written', () => {
    const date = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true });
    fc.assert(fc.property(date, (each) => outcome(event, each.toISOString()) === each.getTime()));
  });
  it('nothing makes it throw, and every problem can be written as JSON', () => {
    const schemas: readonly Schema[] = (Object.keys(attributeTypes) as ScalarType[]).map((type) => ({
      type,
      enum: ['a'],
      minLength: 2,
      min: 1,
    }));
    const value = fc.oneof(fc.jsonValue(), fc.anything({ values: [fc.string(), fc.double(), fc.boolean(), fc.constant(null)] }));
    fc.assert(fc.property(fc.constantFrom(...schemas), value, (schema, each) => JSON.stringify(read(schema, each), bigints) !== undefined));
  });
});
