/** The kinds of settings. A setting reads the same value from text (a variable) and from JSON (the
 *  file). Errors and the documentation describe valid values with the same phrase. */

import { isObject, parseJson } from '../text/json.ts';
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

interface Notes {
  readonly description: string;
  readonly strapiVariable?: string;
  readonly secret?: boolean;
  readonly sensitive?: boolean;
  /** The default for the documentation, if it is computed or absent. */
  readonly fallbackText?: string;
}

/** Both functions return undefined for a value of another kind. */
interface Kind<T> {
  readonly shape: string;
  readonly ofText: (text: string) => T | undefined;
  readonly ofJson: (value: unknown) => T | undefined;
}

type Fallback<T> = T | ((facts: DefaultsDependOn) => T);

function setting<T>({ shape, ofText, ofJson }: Kind<T>, fallback: Fallback<T>, notes: Notes): Setting<T> {
  const reading = (value: T | undefined): Reading<T> => (value === undefined ? { ok: false, expected: shape } : { ok: true, value });
  return {
    shape,
    fromText: (text) => reading(ofText(text)),
    fromJson: (value) => reading(ofJson(value)),
    ...described(fallback, notes),
  };
}

const described = <T>(fallback: Fallback<T>, { description, strapiVariable, secret = false, sensitive = secret, fallbackText }: Notes) => ({
  fallback: typeof fallback === 'function' ? (fallback as (facts: DefaultsDependOn) => T) : () => fallback,
  fallbackText: fallbackText ?? (fallback === undefined ? 'none' : code(fallback)),
  description,
  strapiVariable,
  secret,
  sensitive,
});

const code = (value: unknown) => `\`${JSON.stringify(value)}\``;

/** A rule that differs between the profiles: the first argument is the default in profile
 *  `specification`, the second that in profile `strapi`. */
export function policy(specification: boolean, strapi: boolean, notes: Notes): Setting<boolean> {
  const fallbackText = `\`${specification}\`; in profile \`strapi\`: \`${strapi}\``;
  return setting(booleanKind, ({ profile }) => (profile === 'specification' ? specification : strapi), { fallbackText, ...notes });
}

const booleanWords: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };
const booleanKind: Kind<boolean> = {
  shape: 'true or false',
  ofText: (text) => own(booleanWords, text.toLowerCase()),
  ofJson: (value) => (typeof value === 'boolean' ? value : undefined),
};

const own = <T>(values: Readonly<Record<string, T>>, key: string): T | undefined => (Object.hasOwn(values, key) ? values[key] : undefined);

export const boolean = (fallback: boolean, notes: Notes): Setting<boolean> => setting(booleanKind, fallback, notes);

export const optionalBoolean = (notes: Notes): Setting<boolean | undefined> => setting<boolean | undefined>(booleanKind, undefined, notes);

export type Bounds = readonly [from: number, to: number];

function integerKind([from, to]: Bounds): Kind<number> {
  const ofJson = (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to ? value : undefined;
  return {
    shape: `a whole number from ${from} to ${to}`,
    ofJson,
    ofText: (text) => ofJson(/^\d{1,15}$/.test(text) ? Number(text) : undefined),
  };
}

export const integer = (fallback: Fallback<number>, bounds: Bounds, notes: Notes): Setting<number> =>
  setting(integerKind(bounds), fallback, notes);

export const optionalInteger = (bounds: Bounds, notes: Notes): Setting<number | undefined> =>
  setting<number | undefined>(integerKind(bounds), undefined, notes);

/** A word or an integer. */
export const wordOrNumber = <T extends string>(word: T, bounds: Bounds, fallback: T | number, notes: Notes): Setting<T | number> =>
  setting(wordOrNumberKind(word, bounds), fallback, notes);

export const optionalWordOrNumber = <T extends string>(word: T, bounds: Bounds, notes: Notes): Setting<T | number | undefined> =>
  setting<T | number | undefined>(wordOrNumberKind(word, bounds), undefined, notes);

function wordOrNumberKind<T extends string>(word: T, bounds: Bounds): Kind<T | number> {
  const { shape, ofText, ofJson } = integerKind(bounds);
  return {
    shape: `${word} or ${shape}`,
    ofText: (text) => (text === word ? word : ofText(text)),
    ofJson: (value) => (value === word ? word : ofJson(value)),
  };
}

/** One of a few words. `spellings` maps each accepted word to its value. */
export function choice<T extends string>(spellings: Readonly<Record<string, T>>, fallback: Fallback<T>, notes: Notes): Setting<T> {
  const ofText = (text: string) => own(spellings, text);
  const ofJson = (value: unknown) => (typeof value === 'string' ? ofText(value) : undefined);
  return setting({ shape: enumerate(Object.keys(spellings)), ofText, ofJson }, fallback, notes);
}

const enumerate = (words: readonly string[]) => (words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);

/** A rule for text: the phrase that describes it, and the check. */
interface TextRule {
  readonly shape: string;
  readonly holds: (text: string) => boolean;
}
const anyText: TextRule = { shape: 'text', holds: (text) => text !== '' };

interface TextNotes extends Notes {
  /** By default any text but an empty one is valid. */
  readonly rule?: TextRule;
}

const textKind = ({ shape, holds }: TextRule = anyText): Kind<string> => ({
  shape,
  ofText: (text) => (holds(text) ? text : undefined),
  ofJson: (value) => (typeof value === 'string' && holds(value) ? value : undefined),
});

export const text = (fallback: string, notes: TextNotes): Setting<string> => setting(textKind(notes.rule), fallback, notes);

export const optionalText = (notes: TextNotes): Setting<string | undefined> =>
  setting<string | undefined>(textKind(notes.rule), undefined, notes);

/** A text that comes from a variable or `.env` alone. */
export const secret = (strapiVariable: string, notes: TextNotes): Setting<string | undefined> =>
  optionalText({ ...notes, strapiVariable, secret: true });

/** A JSON array in the file, comma-separated in a variable. */
function listKind<T>(items: string, { ofText, ofJson }: Kind<T>): Kind<readonly T[]> {
  const all = (values: readonly (T | undefined)[]) => {
    const valid = values.filter((value) => value !== undefined);
    return valid.length === values.length ? valid : undefined;
  };
  return {
    shape: `a list (comma-separated in a variable) of ${items}`,
    ofText: (text) =>
      all(
        text
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== '')
          .map(ofText),
      ),
    ofJson: (value) => (Array.isArray(value) ? all(value.map(ofJson)) : undefined),
  };
}

export function list(fallback: readonly string[], notes: TextNotes): Setting<readonly string[]> {
  const item = textKind(notes.rule);
  return setting(listKind(item.shape, item), fallback, notes);
}

export const numbers = (fallback: readonly number[], bounds: Bounds, notes: Notes): Setting<readonly number[]> =>
  setting(listKind(`whole numbers from ${bounds.join(' to ')}`, integerKind(bounds)), fallback, notes);

/** A JSON object in the file, `name=value,name=value` in a variable. */
export function dictionary(values: readonly string[], notes: Notes): Setting<Readonly<Record<string, string>>> {
  const isValid = (object: object): object is Readonly<Record<string, string>> =>
    Object.values(object).every((value) => values.includes(value));
  const ofJson = (value: unknown) => (isObject(value) && isValid(value) ? value : undefined);
  const entryOf = (entry: string) => {
    const [name = '', ...rest] = entry.split('=');
    return [name.trim(), rest.join('=').trim()];
  };
  const kind: Kind<Readonly<Record<string, string>>> = {
    shape: `an object (name=value,name=value in a variable) whose values are ${enumerate(values)}`,
    ofText: (text) => ofJson(Object.fromEntries(text.split(',').map(entryOf))),
    ofJson,
  };
  return setting(kind, {}, notes);
}

export interface JsonShape<T> {
  readonly shape: string;
  readonly fallback: T;
  /** Returns undefined for a wrong value. Problems inside of the value are added to `problems`. */
  readonly read: (value: unknown, problems: string[]) => T | undefined;
}

/** A JSON value, in a variable too. No message repeats it: it may contain a secret by mistake. */
export function json<T>({ shape, fallback, read }: JsonShape<T>, notes: Notes): Setting<T> {
  const fromJson = (json: unknown): Reading<T> => {
    const problems: string[] = [];
    const value = read(json, problems);
    if (value !== undefined && problems.length === 0) return { ok: true, value };
    return { ok: false, expected: problems.length === 0 ? shape : `${shape}: ${problems.join('; ')}` };
  };
  const fromText = (text: string): Reading<T> => {
    const parsed = parseJson(text);
    return parsed.ok ? fromJson(parsed.value) : { ok: false, expected: shape };
  };
  return { shape, fromText, fromJson, ...described(fallback, { ...notes, sensitive: true }) };
}

export const million = 1_000_000;

/** A URL may have a password also where none belongs. */
const hasPassword = (value: unknown): boolean => typeof value === 'string' && /\/\/[^/\s]*@/.test(value);

/** A wrong value, as messages show it. */
export const shownValue = (value: unknown, { sensitive }: { readonly sensitive: boolean }): string =>
  sensitive || hasPassword(value) ? 'set to a value that is not shown' : JSON.stringify(value);
