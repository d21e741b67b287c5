import { distance } from 'fastest-levenshtein';

/** If more than a third of the letters differ, it is another word and not a misspelling. */
const likelyEdits = (word: string): number => Math.max(2, Math.floor(word.length / 3));

/** The word that is most likely misspelled as `word`; undefined if all need more edits than
 *  `maxEdits`. */
export function nearest(word: string, known: Iterable<string>, maxEdits = likelyEdits(word)): string | undefined {
  const lower = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = maxEdits + 1;
  for (const candidate of known) {
    const edits = distance(lower, candidate.toLowerCase());
    if (edits < bestDistance) {
      best = candidate;
      bestDistance = edits;
    }
  }
  return best;
}

/** ` Did you mean article?`, to follow a sentence; empty if no known word is similar. */
export function didYouMean(word: string, known: Iterable<string>, maxEdits?: number): string {
  const meant = nearest(word, known, maxEdits);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

/** `; did you mean article?`, to end one. */
export const orMeant = (word: string, known: Iterable<string>, maxEdits?: number): string =>
  didYouMean(word, known, maxEdits).replace(' D', '; d');
