/** Every text is there in every language, with the same values to fill in. */
import { expect, it } from 'vitest';
import { words as english } from './english.ts';
import { words as german } from './german.ts';

const valuesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
const shape = (words: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(words)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, text]) => [key, [...new Set(valuesOf(text))]]),
  );

it('German has what English has', () => expect(shape(german)).toEqual(shape(english)));

it('no text is empty', () => {
  expect(Object.entries({ ...english, ...german }).filter(([, text]) => text.trim() === '')).toEqual([]);
});
