import { distance } from 'fastest-levenshtein';

/** The known word of which `word` is most likely a misspelling; undefined if none is similar. */
export function nearest(word: string, known: Iterable<string>): string | undefined {
  const lower = word.toLowerCase();
  let best: string | undefined;
  // If more than a third of the letters differ, it is another word and not a misspelling.
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of known) {
    const edits = distance(lower, candidate.toLowerCase());
    if (edits < bestDistance) {
      best = candidate;
      bestDistance = edits;
    }
  }
  return best;
}
