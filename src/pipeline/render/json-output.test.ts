import { expect, it } from 'vitest';
import type { Row } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import { JsonOutput } from './json-output.ts';

const seed = 7;
/** What JSON escapes, characters of several bytes, unpaired surrogates, and texts that are not
 *  written character by character. */
const parts = ['a', '"', '\\', '\n', '\u0000', '\u007f', 'é', '€', '😀', '\ud800', '\udc00', '\u2028', 'long '.repeat(20)];
const limits = [1024, 5000, 70_000];

interface Written {
  readonly json: string;
  readonly write: (output: JsonOutput) => void;
}

it(`writes what JSON.stringify gives, and refuses what is longer than the limit (seed ${seed})`, () => {
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const text = () => Array.from({ length: random(12) }, () => parts[random(parts.length)]).join('');
  const rows: readonly Row[] = [[1], [2], [3]];
  const outcomes = { written: 0, refused: 0 };
  for (let round = 0; round < 600; round++) {
    const shared = new Map<Row, string>();
    const randomPart = (): Written => {
      const value = text();
      const json = JSON.stringify(value);
      switch (random(4)) {
        case 0:
          return { json, write: (output) => output.text(value) };
        case 1:
          return { json: `[${json}]`, write: (output) => output.json(`[${json}]`) };
        case 2:
          return { json: ',"é":', write: (output) => output.encoded(Buffer.from(',"é":')) };
        default: {
          const row = rows[random(rows.length)] ?? [];
          const first = shared.get(row) ?? json;
          shared.set(row, first);
          return { json: first, write: (output) => output.shared(row, () => output.text(value)) };
        }
      }
    };
    const all = Array.from({ length: random(200) }, randomPart);
    const expected = all.map(({ json }) => json).join('');
    const limit = limits[round % limits.length] ?? 0;
    const result = () => {
      const output = new JsonOutput(limit);
      for (const { write } of all) write(output);
      return Buffer.from(output.take()).toString();
    };
    if (Buffer.byteLength(expected) <= limit) {
      expect(result()).toBe(expected);
      outcomes.written++;
    } else {
      expect(result).toThrow(ApiError);
      outcomes.refused++;
    }
  }
  expect(Math.min(outcomes.written, outcomes.refused)).toBeGreaterThan(100);
});
