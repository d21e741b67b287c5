/** Reads the text of a search into terms. Nothing in it is a syntax of the engine: it has words,
 *  which are runs of letters, digits and marks, and phrases in double quotes. */
import type { SearchTerm } from '../dialects/search/types.ts';

/** Digits without fractions and superscripts, which engines split in different ways. */
export const wordPattern = /[\p{L}\p{Nd}\p{M}]+/gu;
const hasLetterOrDigit = /[\p{L}\p{Nd}]/u;

/** A word without diacritics: `É` and `e` with an acute accent become `E` and `e`. */
const withoutDiacritics = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC');

/** A word as indexes compare it. */
export const foldedWord = (word: string): string => withoutDiacritics(word).toLowerCase();

const wordsOf = (text: string): readonly string[] =>
  (text.normalize('NFC').match(wordPattern) ?? []).filter((each) => hasLetterOrDigit.test(each)).map(withoutDiacritics);

/** `fresh "sour dough" br` gives `fresh`, `sour dough` as a phrase, and words that begin with `br`.
 *  The last word is a whole one if the text ends with a quote. */
export function searchTerms(text: string): readonly SearchTerm[] {
  const parts = text.split('"');
  const terms: SearchTerm[] = [];
  for (const [index, part] of parts.entries()) {
    const words = wordsOf(part);
    // A quote that nothing closes is text: its words are single ones.
    const isPhrase = index % 2 === 1 && index < parts.length - 1;
    if (isPhrase && words.length > 0) terms.push({ words, isPrefix: false });
    else if (!isPhrase) for (const each of words) terms.push({ words: [each], isPrefix: false });
  }
  const last = terms.at(-1);
  const endsInWord = /[\p{L}\p{Nd}\p{M}]$/u.test(text);
  return last === undefined || !endsInWord ? terms : [...terms.slice(0, -1), { ...last, isPrefix: true }];
}
