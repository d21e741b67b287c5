/** Where a text has the terms of a search: for the rank of an entry, and for what is shown of it. */
import type { SearchTerm } from '../dialects/search/types.ts';
import { foldedWord, wordPattern } from './search-words.ts';

interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A part of a text. */
export interface Match {
  readonly from: number;
  readonly to: number;
}

const wordsIn = (text: string): readonly Word[] =>
  [...text.matchAll(wordPattern)].map((match) => ({
    text: foldedWord(match[0]),
    from: match.index,
    to: match.index + match[0].length,
  }));

/** Returns, for each term, its places in the text. */
export function matchesIn(text: string, terms: readonly SearchTerm[]): readonly (readonly Match[])[] {
  const words = wordsIn(text);
  return terms.map(({ words: wanted, isPrefix }) => {
    const folded = wanted.map(foldedWord);
    const last = folded.length - 1;
    return words.flatMap((first, index): Match[] => {
      const isHere = folded.every((word, offset) => {
        const found = words[index + offset]?.text;
        return isPrefix && offset === last ? found?.startsWith(word) === true : found === word;
      });
      return isHere ? [{ from: first.from, to: words[index + last]?.to ?? first.to }] : [];
    });
  });
}

/** Characters of an excerpt besides what is marked, and excerpts of one attribute. */
const around = 60;
const maxExcerpts = 2;
/** Characters of a text that are looked at. */
const lookedAt = 100_000;

/** Returns excerpts of a text as HTML, with `<mark>` around what was searched: `… a loaf of
 *  <mark>bread</mark> &amp; butter …`. Empty if nothing of it is in the text. */
export function excerptsOf(text: string, terms: readonly SearchTerm[]): readonly string[] {
  const looked = text.slice(0, lookedAt);
  const marks = withoutOverlaps(matchesIn(looked, terms).flat());
  const excerpts: string[] = [];
  let next = 0;
  while (next < marks.length && excerpts.length < maxExcerpts) {
    const first = marks[next] as Match;
    const from = wordStart(looked, Math.max(0, first.from - around));
    const to = wordEnd(looked, Math.min(looked.length, first.to + around));
    const its: Match[] = [];
    for (let mark = marks[next]; mark !== undefined && mark.to <= to; mark = marks[next]) {
      its.push(mark);
      next++;
    }
    excerpts.push(`${from > 0 ? '… ' : ''}${marked(looked, { from, to }, its)}${to < text.length ? ' …' : ''}`);
  }
  return excerpts;
}

function withoutOverlaps(matches: readonly Match[]): readonly Match[] {
  const sorted = matches.toSorted((one, other) => one.from - other.from || other.to - one.to);
  const kept: Match[] = [];
  for (const match of sorted) if (match.from >= (kept.at(-1)?.to ?? 0)) kept.push(match);
  return kept;
}

/** The first position after a space from there on, unless that is far away. */
function wordStart(text: string, from: number): number {
  const space = from === 0 ? -1 : text.slice(from, from + around).search(/\s/);
  return space === -1 ? onCharacter(text, from) : from + space + 1;
}

function wordEnd(text: string, to: number): number {
  const space = to === text.length ? -1 : text.slice(to - around, to).search(/\s\S*$/);
  return space === -1 ? onCharacter(text, to) : to - around + space;
}

/** No position in the middle of a surrogate pair. */
const onCharacter = (text: string, at: number): number => (/[\udc00-\udfff]/.test(text.charAt(at)) ? at + 1 : at);

function marked(text: string, { from, to }: Match, marks: readonly Match[]): string {
  let html = '';
  let at = from;
  for (const mark of marks) {
    html += `${escaped(text.slice(at, mark.from))}<mark>${escaped(text.slice(mark.from, mark.to))}</mark>`;
    at = mark.to;
  }
  return (html + escaped(text.slice(at, to))).replaceAll(/\s+/g, ' ').trim();
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
