import { expect, it } from 'vitest';
import { searchTerms } from './search-words.ts';

/** `*` marks the beginning of a word, `_` joins a phrase. */
const shown = (text: string) => searchTerms(text).map(({ words, isPrefix }) => words.join('_') + (isPrefix ? '*' : ''));

it.each([
  ['the last word is the beginning of one', 'fresh bread', ['fresh', 'bread*']],
  ['a space ends the last word', 'fresh bread ', ['fresh', 'bread']],
  ['quotes make a phrase of whole words', '"sour dough" fresh', ['sour_dough', 'fresh*']],
  ['the last word of a phrase is whole', 'fresh "sour dough"', ['fresh', 'sour_dough']],
  ['a quote that nothing closes is text', 'a "b c', ['a', 'b', 'c*']],
  ['an empty phrase is nothing', '"" a ', ['a']],
  ['diacritics are removed', 'Crème brûlée Ångström ', ['Creme', 'brulee', 'Angstrom']],
  ['decomposed letters are the same', 'cre\u0300me ', ['creme']],
  ['syllables of Hangul stay whole', '한국어 ', ['한국어']],
  ['marks of other scripts belong to words', 'हिन्दी ', ['हिन्दी']],
  [
    'the syntax of engines is text',
    'NEAR(a b) c:* title:d OR -e +f & g | !h @i',
    ['NEAR', 'a', 'b', 'c', 'title', 'd', 'OR', 'e', 'f', 'g', 'h', 'i*'],
  ],
  ['apostrophes, hyphens and underscores separate words', "don't well-known a_b ", ['don', 't', 'well', 'known', 'a', 'b']],
  ['superscripts are no part of words', 'm² ', ['m']],
  ['no words', '!? -- "', []],
])('%s', (_, text, terms) => {
  expect(shown(text)).toEqual(terms);
});
