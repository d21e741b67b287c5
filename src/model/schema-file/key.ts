/** The kinds of keys in schema files. The loader, `lectern schema` and docs/content-types.md use
 *  the same description of a key. */
import { isObject, type JsonObject } from '../../text/json.ts';

/** A key of a schema file, or of an object inside it. */
export interface Key<T = unknown> {
  /** `true or false`: completes "must be …". */
  readonly shape: string;
  /** The value where the file has none, or one of another shape. */
  readonly fallback: T;
  /** The fallback as documentation text, in Markdown; empty if there is none. */
  readonly fallbackText: string;
  readonly description: string;
  /** The JSON Schema of the value. */
  readonly jsonSchema: JsonObject;
  readonly read: (value: unknown) => T | undefined;
  /** The keys of the value, if it is an object, or of each object in a list. */
  readonly inner: KeySet | undefined;
  /** Whether the value is a list of objects with the keys of `inner`. */
  readonly isList: boolean;
  /** Whether documentation describes the value in one row, without a row for each key of `inner`. */
  readonly isOneRow: boolean;
  /** The words that the value, or each item of it, is one of. */
  readonly words: readonly string[] | undefined;
  /** The loader reports wrong values itself, since it knows more about them than their shape. */
  readonly checkedByLoader: boolean;
  /** The key affects only Strapi: its panel, its plugins or the tables that it makes. */
  readonly strapiOnly: boolean;
  /** The key is a rule for values, which the model has as it is written. */
  readonly isRule: boolean;
}

/** The keys of an object. */
export interface KeySet {
  readonly keys: Readonly<Record<string, Key>>;
  /** Plugins add their own keys here: an unknown key is a mistake only if it resembles another. */
  readonly open: boolean;
}

/** The values of an object by its keys. */
export type ValuesOf<Keys> = { readonly [Name in keyof Keys]: Keys[Name] extends Key<infer T> ? T : never };

export const fallbacksOf = <Keys extends Readonly<Record<string, Key>>>(keys: Keys): ValuesOf<Keys> =>
  Object.fromEntries(Object.entries(keys).map(([name, { fallback }]) => [name, fallback])) as ValuesOf<Keys>;

type Kind<T> = Pick<Key<T>, 'shape' | 'jsonSchema' | 'read'> & Partial<Pick<Key<T>, 'inner' | 'isList' | 'words'>>;

/** A key with the value `fallback` where the file has none, and its text for the documentation. */
const keyWith = <T, F>(kind: Kind<T>, description: string, fallback: F, fallbackText: string): Key<T | F> => ({
  inner: undefined,
  isList: false,
  isOneRow: false,
  words: undefined,
  ...kind,
  fallback,
  fallbackText,
  description,
  checkedByLoader: false,
  strapiOnly: false,
  isRule: false,
});

const key = <T>(kind: Kind<T>, description: string): Key<T | undefined> => keyWith(kind, description, undefined, '');

export const checkedByLoader = <T>(own: Key<T>): Key<T> => ({ ...own, checkedByLoader: true });
export const strapiOnly = <T>(own: Key<T>): Key<T> => ({ ...own, strapiOnly: true });
export const rule = <T>(own: Key<T>): Key<T> => ({ ...own, isRule: true });
export const inOneRow = <K extends Key>(own: K): K => ({ ...own, isOneRow: true });
/** The same key with the documentation text of a default that is not a fixed value. */
export const byDefault = <T>(fallbackText: string, own: Key<T>): Key<T> => ({ ...own, fallbackText });

export const flag = (fallback: boolean, description: string): Key<boolean> =>
  keyWith<boolean, boolean>(
    { shape: 'true or false', jsonSchema: { type: 'boolean' }, read: (value) => (typeof value === 'boolean' ? value : undefined) },
    description,
    fallback,
    `\`${fallback}\``,
  );

/** An empty text is the same as none. */
export const text = (description: string): Key<string | undefined> =>
  key({ shape: 'text', jsonSchema: { type: 'string' }, read: (value) => (typeof value === 'string' ? value : undefined) }, description);

/** The code of a currency, such as `EUR`. */
export const currency = (description: string): Key<string | undefined> => {
  const read = (value: unknown) => (typeof value === 'string' && Intl.supportedValuesOf('currency').includes(value) ? value : undefined);
  const jsonSchema = { type: 'string', pattern: '^[A-Z]{3}$' };
  return key({ shape: 'a currency code of ISO 4217 such as EUR', jsonSchema, read }, description);
};

export const integer = (from: number, description: string): Key<number | undefined> => {
  const read = (value: unknown) => (typeof value === 'number' && Number.isInteger(value) && value >= from ? value : undefined);
  return key({ shape: `a whole number from ${from} on`, jsonSchema: { type: 'integer', minimum: from }, read }, description);
};

/** A number, or the text of one. */
export const bound = (description: string): Key<number | string | undefined> => {
  const isNumeric = (value: string) => value.trim() !== '' && Number.isFinite(Number(value));
  const read = (value: unknown) => (typeof value === 'number' || (typeof value === 'string' && isNumeric(value)) ? value : undefined);
  const jsonSchema = { type: ['number', 'string'], pattern: '^[+-]?[0-9]+([.][0-9]+)?$' };
  return key({ shape: 'a number', jsonSchema, read }, description);
};

export const oneOf = (words: readonly string[], fallback: string | undefined, description: string): Key<string | undefined> => {
  const read = (value: unknown) => (typeof value === 'string' && words.includes(value) ? value : undefined);
  const kind = { shape: `one of ${words.join(', ')}`, jsonSchema: { enum: words }, words, read };
  return keyWith(kind, description, fallback, fallback === undefined ? '' : `\`${fallback}\``);
};

/** A list of texts; `words`, if any, are the texts that have a meaning. */
export const texts = (description: string, words?: readonly string[]): Key<readonly string[] | undefined> =>
  key<readonly string[]>(
    {
      shape: words === undefined ? 'a list of texts' : `a list of ${words.join(', ')}`,
      jsonSchema: { type: 'array', items: words === undefined ? { type: 'string' } : { enum: words } },
      words,
      read: (value) => (Array.isArray(value) && value.every((each) => typeof each === 'string') ? value : undefined),
    },
    description,
  );

export const anything = (description: string): Key => key({ shape: 'any value', jsonSchema: {}, read: (value) => value }, description);

/** An object whose keys are not described. */
export const anyObject = (description: string): Key<JsonObject | undefined> =>
  key({ shape: 'an object', jsonSchema: { type: 'object' }, read: (value) => (isObject(value) ? value : undefined) }, description);

/** An object with known keys. The loader reads them one level down, with `readKeys`. */
export const object = <Keys extends Readonly<Record<string, Key>>>(
  keys: Keys,
  description: string,
  { open = false, required = [] }: { readonly open?: boolean; readonly required?: readonly string[] } = {},
): Key<ValuesOf<Keys>> & { readonly inner: KeySet & { readonly keys: Keys } } => {
  // `readKeys` reads the keys of objects: only other values get to `read`.
  const kind: Kind<ValuesOf<Keys>> = { shape: 'an object', jsonSchema: { type: 'object', required }, read: () => undefined };
  return { ...keyWith<ValuesOf<Keys>, ValuesOf<Keys>>(kind, description, fallbacksOf(keys), ''), inner: { keys, open } };
};

/** A list of objects with known keys, which are read as those of `object`. */
export const objects = <Keys extends Readonly<Record<string, Key>>>(
  keys: Keys,
  description: string,
  required: readonly string[],
): Key<readonly ValuesOf<Keys>[] | undefined> => {
  const kind: Kind<readonly ValuesOf<Keys>[]> = {
    shape: 'a list of objects',
    jsonSchema: { type: 'array', items: { type: 'object', required } },
    inner: { keys, open: false },
    isList: true,
    // As for `object`.
    read: () => undefined,
  };
  return key(kind, description);
};
