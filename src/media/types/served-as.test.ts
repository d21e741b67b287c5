import { expect, it } from 'vitest';
import { mediaTypeOfName, servedAs } from './served-as.ts';

it.each([
  ['a.jpg', 'inline'],
  ['a.PNG', 'inline'],
  ['a.webp', 'inline'],
  ['a.mp4', 'inline'],
  ['a.mp3', 'inline'],
  ['a.txt', 'inline'],
  ['a.csv', 'inline'],
  ['a.woff2', 'inline'],
  ['a.svg', 'sandboxed'],
  ['a.html', 'attachment'],
  ['a.xhtml', 'attachment'],
  ['a.xml', 'attachment'],
  ['a.pdf', 'attachment'],
  ['a.js', 'attachment'],
  ['a.swf', 'attachment'],
  ['a.zip', 'attachment'],
  ['a.unknown', 'attachment'],
  ['a', 'attachment'],
  ['a.jpg.html', 'attachment'],
])('%s is served as %s', (name, as) => {
  expect(servedAs(mediaTypeOfName(name))).toBe(as);
});
