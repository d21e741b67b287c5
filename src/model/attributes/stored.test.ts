import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attributeOf, outcome } from '../../../test/support/body-values.ts';
import type { ScalarType } from '../content-model.ts';
import type { StoredValue } from './attribute-type.ts';
import { fromSelected } from './stored.ts';

describe('a column', () => {
  const cases: readonly { type: ScalarType; selected: unknown; is: StoredValue }[] = [
    { type: 'string', selected: null, is: null },
    { type: 'string', selected: 'a', is: 'a' },
    { type: 'string', selected: 5, is: '5' },
    { type: 'integer', selected: 5, is: 5 },
    { type: 'decimal', selected: '12.50', is: 12.5 },
    { type: 'float', selected: 'heavy', is: null },
    { type: 'biginteger', selected: '9223372036854775807', is: 9223372036854775807n },
    { type: 'biginteger', selected: '9.0e+15', is: 9000000000000000n },
    { type: 'biginteger', selected: '', is: null },
    { type: 'boolean', selected: 1, is: true },
    { type: 'boolean', selected: false, is: false },
    { type: 'date', selected: '2024-02-29', is: '2024-02-29' },
    { type: 'date', selected: 1675382400000, is: '2023-02-03' },
    { type: 'time', selected: '10:20:30.500', is: '10:20:30.500' },
    { type: 'datetime', selected: 1675382400000, is: 1675382400000 },
    { type: 'datetime', selected: '2023-02-03T00:00:00.000Z', is: 1675382400000 },
    { type: 'datetime', selected: 'soon', is: null },
    { type: 'timestamp', selected: 1675382400000n, is: 1675382400000 },
    { type: 'json', selected: '{"a": 1}', is: '{"a": 1}' },
    { type: 'json', selected: 'just text', is: '"just text"' },
    { type: 'json', selected: 10, is: '10' },
    { type: 'blocks', selected: '[]', is: '[]' },
  ];
  it.each(cases)('$type $selected', ({ type, selected, is }) => expect(fromSelected(selected, attributeOf({ type }))).toBe(is));

  it('stored values are read back from the column', () => {
    const columns: readonly [ScalarType, fc.Arbitrary<unknown>][] = [
      ['text', fc.string()],
      ['float', fc.double({ noNaN: true, noDefaultInfinity: true })],
      ['biginteger', fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)],
      ['boolean', fc.boolean()],
      ['datetime', fc.date({ min: new Date(0), noInvalidDate: true, max: new Date('9999-01-01') }).map((each) => each.toISOString())],
      ['json', fc.jsonValue().filter((each) => typeof each === 'object' && each !== null)],
    ];
    for (const [type, values] of columns) {
      fc.assert(
        fc.property(values, (value) => {
          const stored = outcome({ type }, value) as StoredValue;
          const selected = typeof stored === 'bigint' ? String(stored) : stored;
          expect(fromSelected(selected, attributeOf({ type }))).toBe(stored);
        }),
      );
    }
  });
});
