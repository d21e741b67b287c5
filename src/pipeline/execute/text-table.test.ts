import { expect, it } from 'vitest';
import { TextTable } from './text-table.ts';

const tableOf = (texts: readonly (string | null)[]) => {
  const starts = new Int32Array(texts.length + 1);
  for (const [row, text] of texts.entries()) starts[row + 1] = (starts[row] ?? 0) + (text ?? '').length + 1;
  const isNull = Uint8Array.from(texts, (text) => Number(text === null));
  return new TextTable(texts.map((text) => `${text ?? ''}\0`).join(''), starts, isNull);
};

it('finds the rows with a text, in order, and none that only begin or end like it', () => {
  const texts = ['ab', 'abc', '', null, 'ab', 'b', 'é', 'e\u0301', '😀', 'ab\0', 'AB', ''];
  const table = tableOf(texts);
  for (const text of ['ab', 'abc', '', 'a', 'b', 'é', '😀', '\ud83d', 'ab\0', 'AB', 'ab\0abc', 'nothing'])
    expect(table.rowsOf(text), JSON.stringify(text)).toEqual([...texts.keys()].filter((row) => texts[row] === text));
});

it('finds each of many texts', () => {
  const texts = Array.from({ length: 5000 }, (_, row) => `text ${row % 4000}`);
  const table = tableOf(texts);
  for (let row = 0; row < 1000; row++) expect(table.rowsOf(`text ${row}`)).toEqual([row, row + 4000]);
  expect(table.rowsOf('text 4000')).toEqual([]);
  expect(tableOf([]).rowsOf('')).toEqual([]);
});
