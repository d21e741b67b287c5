import { distance } from 'fastest-levenshtein';

/** If more than a third of the letters differ, it is another word and not a misspelling. */
const likelyEdits = (word: string): number => Math.max(2, Math.floor(word.length / 3));

/** The known word of which `word` is most likely a misspelling; undefined if none can be had by `most` edits. */
export function nearest(word: string, known: Iterable<string>, most = likelyEdits(word)): string | undefined {
  const lower = word.toLowerCase();
  let best: string | undefined;
  let bestDistance = most + 1;
  for (const candidate of known) {
    const edits = distance(lower, candidate.toLowerCase());
    if (edits < bestDistance) {
      best = candidate;
      bestDistance = edits;
    }
  }
  return best;
}
