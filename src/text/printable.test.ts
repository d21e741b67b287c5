import { expect, it } from 'vitest';
import { printable, printableLine } from './printable.ts';

it.each([
  ['a view.png', 'a view.png'],
  ['größe 木.png', 'größe 木.png'],
  ['a\u001b[2Jb.png', 'a\u{FFFD}[2Jb.png'],
  ['a\nb\rc', 'a\u{FFFD}b\u{FFFD}c'],
  ['a\u202egnp.exe', 'a\u{FFFD}gnp.exe'],
])('%j is printed as %j', (name, printed) => {
  expect(printable(name)).toBe(printed);
});

it('text of several lines is printed as one', () => {
  expect(printableLine('\n{\r\n\t"a": 1\n}\u0000 ')).toBe('{ "a": 1 }\u{FFFD}');
});
