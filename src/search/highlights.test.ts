import { describe, expect, it } from 'vitest';
import { excerptsOf, matchesIn } from './highlights.ts';
import { searchTerms } from './search-words.ts';

const excerpts = (text: string, search: string) => excerptsOf(text, searchTerms(search));
const long = `${'before '.repeat(30)}bread ${'between '.repeat(30)}bread ${'after '.repeat(30)}bread`;

describe('excerpts', () => {
  it.each([
    ['mark a word, whatever its letter case and diacritics', 'Une CRÈME, bien', 'creme ', ['Une <mark>CRÈME</mark>, bien']],
    ['mark a word that begins like the last one', 'breads', 'bre', ['<mark>breads</mark>']],
    ['mark a phrase as one', 'a sour dough', '"sour dough"', ['a <mark>sour dough</mark>']],
    ['mark no other words of a phrase', 'dough sour', '"sour dough"', []],
    [
      'escape HTML',
      '<script>bread</script> & "it\'s"',
      'bread ',
      ['&lt;script&gt;<mark>bread</mark>&lt;/script&gt; &amp; &quot;it&#39;s&quot;'],
    ],
    ['mark parts of a text that are the same only once', 'bread bread', 'bread br', ['<mark>bread</mark> <mark>bread</mark>']],
    ['have one line', 'a\n\n  bread\tb', 'bread ', ['a <mark>bread</mark> b']],
    ['are none where nothing is found', 'a', 'b', []],
    [
      'are cut between words, and two at most',
      long,
      'bread ',
      [
        `… ${'before '.repeat(8)}<mark>bread</mark>${' between'.repeat(7)} …`,
        `… ${'between '.repeat(7)}<mark>bread</mark>${' after'.repeat(9)} …`,
      ],
    ],
  ])('%s', (_, text, search, expected) => {
    expect(excerpts(text, search)).toEqual(expected);
  });

  it('are not cut in the middle of a character', () => {
    const [excerpt] = excerpts(`bread.${'😀'.repeat(200)}`, 'bread ');
    expect(excerpt).toMatch(/^<mark>bread<\/mark>\.😀{30} …$/u);
  });
});

it('finds the places of each term', () => {
  expect(matchesIn('a b a', searchTerms('a c "b a"'))).toEqual([
    [
      { from: 0, to: 1 },
      { from: 4, to: 5 },
    ],
    [],
    [{ from: 2, to: 5 }],
  ]);
});
