/** The kinds of settings. A setting reads the same value from text (an environment
 *  variable) and from JSON (the file). Errors and the documentation describe valid
 *  values with the same phrase. */

import { parseJson } from '../text/json.ts';
import type { Profile } from './profile.ts';

export type Reading<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly expected: string };

/** Facts that a default may depend on. */
export interface DefaultsDependOn {
  readonly profile: Profile;
  readonly cores: number;
  /** Whether `NODE_ENV` is `production`. */
  readonly production: boolean;
}

export interface Setting<T> {
  readonly description: string;
  /** `a whole number from 1 to 100`: completes "must be …". */
  readonly shape: string;
  readonly fallback: (facts: DefaultsDependOn) => T;
  /** The default as documentation text, in Markdown. */
  readonly fallbackText: string;
  /** The name of the variable in Strapi's project template. */
  readonly strapiVariable: string | undefined;
  /** Whether it is read from the environment alone. No message repeats its value. */
  readonly secret: boolean;
  /** Whether it may contain a password. No message repeats its value. */
  readonly sensitive: boolean;
  readonly fromText: (text: string) => Reading<T>;
  readonly fromJson: (value: unknown) => Reading<T>;
}

export interface Notes {
  readonly description: string;
  readonly strapiVariable?: string;
  readonly secret?: boolean;
  readonly sensitive?: boolean;
  /** The text for the documentation, if the default is computed or absent. */
  readonly fallbackText?: string;
}

interface Kind<T> {
  readonly shape: string;
  readonly fromText: (text: string) => Reading<T>;
  readonly fromJson: (value: unknown) => Reading<T>;
}

export type Fallback<T> = T | ((facts: DefaultsDependOn) => T);

function setting<T>(kind: Kind<T>, fallback: (facts: DefaultsDependOn) => T, fallbackText: string, notes: Notes): Setting<T> {
  return {
    ...kind,
    fallback,
    fallbackText: notes.fallbackText ?? fallbackText,
    description: notes.description,
    strapiVariable: notes.strapiVariable,
    secret: notes.secret ?? false,
    sensitive: notes.sensitive ?? notes.secret ?? false,
  };
}

const accepted = <T>(value: T): Reading<T> => ({ ok: true, value });
const code = (value: unknown) => `\`${JSON.stringify(value)}\``;

/** A rule that differs between the profiles: the first argument is the default in profile
 *  `specification`, the second that in profile `strapi`. */
export function policy(specification: boolean, strapi: boolean, notes: Notes): Setting<boolean> {
  return setting(
    booleanKind,
    (facts) => (facts.profile === 'specification' ? specification : strapi),
    `\`${specification}\`; in profile \`strapi\`: \`${strapi}\``,
    notes,
  );
}

export const boolean = (fallback: boolean, notes: Notes): Setting<boolean> => setting(booleanKind, () => fallback, code(fallback), notes);

export const optionalBoolean = (notes: Notes): Setting<boolean | undefined> =>
  setting<boolean | undefined>(booleanKind, () => undefined, 'none', notes);

const booleanWords: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };
const booleanKind: Kind<boolean> = {
  shape: 'true or false',
  fromText(text) {
    const word = text.toLowerCase();
    const value = Object.hasOwn(booleanWords, word) ? booleanWords[word] : undefined;
    return value === undefined ? { ok: false, expected: this.shape } : accepted(value);
  },
  fromJson(value) {
    return typeof value === 'boolean' ? accepted(value) : { ok: false, expected: this.shape };
  },
};

export interface Bounds {
  readonly from: number;
  readonly to: number;
}

function wholeNumberKind(bounds: Bounds): Kind<number> {
  const shape = `a whole number from ${bounds.from} to ${bounds.to}`;
  const fromJson = (value: unknown): Reading<number> => {
    const fits = typeof value === 'number' && Number.isInteger(value) && value >= bounds.from && value <= bounds.to;
    return fits ? accepted(value) : { ok: false, expected: shape };
  };
  return { shape, fromJson, fromText: (text) => fromJson(/^\d{1,15}$/.test(text) ? Number(text) : undefined) };
}

export function wholeNumber(fallback: number | ((facts: DefaultsDependOn) => number), bounds: Bounds, notes: Notes): Setting<number> {
  return typeof fallback === 'number'
    ? setting(wholeNumberKind(bounds), () => fallback, code(fallback), notes)
    : setting(wholeNumberKind(bounds), fallback, '', notes);
}

export const optionalWholeNumber = (bounds: Bounds, notes: Notes): Setting<number | undefined> =>
  setting<number | undefined>(wholeNumberKind(bounds), () => undefined, 'none', notes);

/** A word or a whole number; the word is the default unless another value is given. */
export const wordOrNumber = <T extends string>(word: T, bounds: Bounds, notes: Notes, fallback: T | number = word): Setting<T | number> =>
  setting(wordOrNumberKind(word, bounds), () => fallback, code(fallback), notes);

export const optionalWordOrNumber = <T extends string>(word: T, bounds: Bounds, notes: Notes): Setting<T | number | undefined> =>
  setting<T | number | undefined>(wordOrNumberKind(word, bounds), () => undefined, 'none', notes);

function wordOrNumberKind<T extends string>(word: T, bounds: Bounds): Kind<T | number> {
  const number = wholeNumberKind(bounds);
  const shape = `${word} or ${number.shape}`;
  const orWord = (value: unknown, reading: Reading<number>): Reading<T | number> => {
    if (value === word) return accepted(word);
    return reading.ok ? reading : { ok: false, expected: shape };
  };
  return {
    shape,
    fromText: (text) => orWord(text, number.fromText(text)),
    fromJson: (value) => orWord(value, number.fromJson(value)),
  };
}

/** One of a few words. `spellings` maps each accepted word to its value. */
export function choice<T extends string>(spellings: Readonly<Record<string, T>>, fallback: Fallback<T>, notes: Notes): Setting<T> {
  const shape = enumerate(Object.keys(spellings));
  const fromText = (text: string): Reading<T> => {
    const value = Object.hasOwn(spellings, text) ? spellings[text] : undefined;
    return value === undefined ? { ok: false, expected: shape } : accepted(value);
  };
  const kind: Kind<T> = {
    shape,
    fromText,
    fromJson: (value) => (typeof value === 'string' ? fromText(value) : { ok: false, expected: shape }),
  };
  return typeof fallback === 'function' ? setting(kind, fallback, '', notes) : setting(kind, () => fallback, code(fallback), notes);
}

const enumerate = (words: readonly string[]) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);

/** A rule for text: the phrase that describes it, and the check. */
export interface TextRule {
  readonly shape: string;
  readonly holds: (text: string) => boolean;
}
const anyText: TextRule = { shape: 'text', holds: (text) => text !== '' };

const textKind = (rule: TextRule): Kind<string> => ({
  shape: rule.shape,
  fromText: (text) => (rule.holds(text) ? accepted(text) : { ok: false, expected: rule.shape }),
  fromJson: (value) => (typeof value === 'string' && rule.holds(value) ? accepted(value) : { ok: false, expected: rule.shape }),
});

export const text = (fallback: string, notes: Notes, rule: TextRule = anyText): Setting<string> =>
  setting(textKind(rule), () => fallback, code(fallback), notes);

export const optionalText = (notes: Notes, rule: TextRule = anyText): Setting<string | undefined> =>
  setting<string | undefined>(textKind(rule), () => undefined, 'none', notes);

/** A JSON array in the file, comma-separated in a variable. */
export function list(fallback: readonly string[], notes: Notes, rule: TextRule = anyText): Setting<readonly string[]> {
  const shape = `a list (comma-separated in a variable) of ${rule.shape}`;
  const check = (items: readonly unknown[]): Reading<readonly string[]> => {
    const texts = items.filter((item): item is string => typeof item === 'string' && rule.holds(item));
    return texts.length === items.length ? accepted(texts) : { ok: false, expected: shape };
  };
  const kind: Kind<readonly string[]> = {
    shape,
    fromText: (value) => check(itemsOf(value)),
    fromJson: (value) => (Array.isArray(value) ? check(value) : { ok: false, expected: shape }),
  };
  return setting(kind, () => fallback, code(fallback), notes);
}

/** A JSON array of whole numbers in the file, comma-separated in a variable. */
export function numbers(fallback: readonly number[], bounds: Bounds, notes: Notes): Setting<readonly number[]> {
  const shape = `a list (comma-separated in a variable) of whole numbers from ${bounds.from} to ${bounds.to}`;
  const { fromJson, fromText } = wholeNumberKind(bounds);
  const check = (readings: readonly Reading<number>[]): Reading<readonly number[]> => {
    const values = readings.flatMap((reading) => (reading.ok ? [reading.value] : []));
    return values.length === readings.length ? accepted(values) : { ok: false, expected: shape };
  };
  const kind: Kind<readonly number[]> = {
    shape,
    fromText: (value) => check(itemsOf(value).map((item) => fromText(item))),
    fromJson: (value) => (Array.isArray(value) ? check(value.map((item) => fromJson(item))) : { ok: false, expected: shape }),
  };
  return setting(kind, () => fallback, code(fallback), notes);
}

const itemsOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** A JSON object in the file, `name=value,name=value` in a variable. */
export function dictionary(values: readonly string[], notes: Notes): Setting<Readonly<Record<string, string>>> {
  const shape = `an object (name=value,name=value in a variable) whose values are ${enumerate(values)}`;
  const check = (entries: readonly (readonly [string, unknown])[]): Reading<Readonly<Record<string, string>>> => {
    const texts = entries.filter((entry): entry is readonly [string, string] => typeof entry[1] === 'string' && values.includes(entry[1]));
    return texts.length === entries.length ? accepted(Object.fromEntries(texts)) : { ok: false, expected: shape };
  };
  const kind: Kind<Readonly<Record<string, string>>> = {
    shape,
    fromText: (value) =>
      check(
        value.split(',').map((entry) => {
          const [name = '', ...rest] = entry.split('=');
          return [name.trim(), rest.join('=').trim()];
        }),
      ),
    fromJson: (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? check(Object.entries(value)) : { ok: false, expected: shape },
  };
  return setting(kind, () => ({}), '`{}`', notes);
}

/** A JSON value, in a variable too. No message repeats it, since it may
 *  contain a secret by mistake. */
export function json<T>(shape: string, fromJson: (value: unknown) => Reading<T>, fallback: T, notes: Notes): Setting<T> {
  const fromText = (text: string): Reading<T> => {
    const parsed = parseJson(text);
    return parsed.ok ? fromJson(parsed.value) : { ok: false, expected: shape };
  };
  return setting({ shape, fromText, fromJson }, () => fallback, code(fallback), { ...notes, sensitive: true });
}

export const million = 1_000_000;

/** A URL may have a password also where none belongs. */
const hasPassword = (value: unknown): boolean => typeof value === 'string' && /\/\/[^/\s]*@/.test(value);

/** A wrong value, as messages show it. */
export const shownValue = (value: unknown, { sensitive }: { readonly sensitive: boolean }): string =>
  sensitive || hasPassword(value) ? 'set to something else' : JSON.stringify(value);
