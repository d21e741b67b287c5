import { expect, it } from 'vitest';
import { printable } from './printable.ts';
import { printedBytes } from './printed-bytes.ts';

it.each([
  ['a view.png', 'a view.png'],
  ['größe 木.png', 'größe 木.png'],
  ['a\u001b[2Jb.png', 'a\u{FFFD}[2Jb.png'],
  ['a\nb\rc', 'a\u{FFFD}b\u{FFFD}c'],
  ['a\u202egnp.exe', 'a\u{FFFD}gnp.exe'],
])('%j is printed as %j', (name, printed) => {
  expect(printable(name)).toBe(printed);
});

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [12_345, '12.3 kB'],
  [4_200_000, '4.2 MB'],
  [3_000_000_000_000_000, '3000.0 TB'],
])('%d bytes are %s', (bytes, printed) => {
  expect(printedBytes(bytes)).toBe(printed);
});
