import { expect, it } from 'vitest';
import { humanSize, kilobytes } from './human-size.ts';

it.each([
  [0, 0],
  [4, 0],
  [5, 0.01],
  [94, 0.09],
  [78_724, 78.72],
  [78_725, 78.72],
  [78_726, 78.73],
  [1_000_000, 1000],
])('%d bytes are %d kilobytes', (bytes, size) => {
  expect(kilobytes(bytes)).toBe(size);
});

it.each([
  [999, '999 Bytes'],
  [200_000, '200 KB'],
  [1_500_000, '2 MB'],
])('%d bytes are %s', (bytes, words) => {
  expect(humanSize(bytes)).toBe(words);
});
