import { expect, it } from 'vitest';
import type { Row } from '../../dialects/dialect.ts';
import type { RowTest } from '../compile/types.ts';
import { type BoundTest, heldValues } from './held-values.ts';

const seed = 11;
const letters = ['a', 'b', 'B', ' ', 'é', '€', '😀', '\0', '-'];
const value = { kind: 'value', value: '' } as const;
const shape: RowTest = {
  kind: 'and',
  operands: [
    { kind: 'text', index: 0, value, folds: false, negated: false },
    { kind: 'number', index: 1, operator: '>', value },
    { kind: 'text', index: 2, value, folds: false, negated: false },
    { kind: 'equal text', index: 0, value },
  ],
};

it(`finds the rows that a comparison of each text finds (seed ${seed})`, () => {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const text = (length: number) => Array.from({ length: random(length) }, () => letters[random(letters.length)]).join('');
  const rows: Row[] = Array.from({ length: 2000 }, (_, id) => [
    id,
    random(20) === 0 ? null : text(12),
    random(20) === 0 ? null : random(100),
    random(20) === 0 ? null : text(300),
  ]);
  const held = heldValues(rows, shape);
  const passes = (test: BoundTest, row: Row): boolean => {
    if ('operands' in test) {
      const results = test.operands.map((operand) => passes(operand, row));
      return test.kind === 'and' ? !results.includes(false) : results.includes(true);
    }
    const stored = row[test.index + 1];
    if (test.kind === 'number')
      return typeof stored === 'number' && (test.operator === '=' ? stored === test.number : stored > test.number);
    if (test.kind === 'equal text') return stored === test.text;
    return typeof stored === 'string' && stored.includes(test.text) !== test.negated;
  };
  let found = 0;
  for (let round = 0; round < 400; round++) {
    const oneText = (): BoundTest => ({ kind: 'text', index: random(2) * 2, text: text(7), negated: random(3) === 0 });
    const number: BoundTest = { kind: 'number', index: 1, operator: random(3) === 0 ? '=' : '>', number: random(100) };
    const equalText: BoundTest = { kind: 'equal text', index: 0, text: random(4) === 0 ? text(3) : String(rows[random(2000)]?.[1] ?? '') };
    const operands: BoundTest[] = [oneText(), number, random(3) === 0 ? equalText : oneText()];
    const test: BoundTest =
      random(3) === 0 ? (random(2) === 0 ? oneText() : equalText) : { kind: random(2) === 0 ? 'and' : 'or', operands };
    const expected = rows.filter((row) => passes(test, row)).map(([id]) => id);
    expect([...(held?.idsOf(test) ?? [])], JSON.stringify(test)).toEqual(expected);
    found += expected.length > 0 && expected.length < 2000 ? 1 : 0;
  }
  expect(found).toBeGreaterThan(200);
});
