import type { ScalarAttribute } from '../content-model.ts';

/** How values of one attribute type are read and written, on every database. */
export interface AttributeType {
  /** Whether `_q` searches the column: text always, numbers only if the searched text is one. */
  readonly search: 'text' | 'number' | 'no';
  /** Whether values are compared as text by code point (`COLLATE` matters). */
  readonly textual: boolean;
  /** Reads a filter value from the query string. Returns `invalid` with the expected format. */
  parseFilter(text: string): FilterValue;
  /** Writes a stored value as JSON. `stored`: as the dialect's `select` returns it, never null. */
  write(stored: unknown, output: ValueOutput): void;
  /** Reads a value of a write's body. Callers handle `undefined` and null before. */
  readBody(value: unknown, attribute: ScalarAttribute, rules: BodyRules): BodyValue;
  /** Converts a column as the dialect's `select` returns it (never null) to the form of `readBody`.
   *  Databases are also edited by hand: a value that is not a number in a column of numbers, or not
   *  an instant, becomes null. */
  fromSelected(selected: unknown): StoredValue;
}

/** Receives the JSON of values. */
export interface ValueOutput {
  /** Writes JSON text as it is. */
  json(text: string): void;
  /** Writes the text as a JSON string. */
  text(value: string): void;
}

export type FilterValue =
  | { readonly ok: true; readonly value: string | number | bigint | boolean }
  | { readonly ok: false; readonly expected: string };

export const valid = (value: string | number | bigint | boolean): FilterValue => ({ ok: true, value });
export const invalid = (expected: string): FilterValue => ({ ok: false, expected });

export interface BodyRules {
  /** False for drafts, for which required, minLength, min, regex and email are not checked.
   *  maxLength, max, type and enumeration are always checked. */
  readonly strict: boolean;
  /** Whether values that Strapi silently drops are refused (policies.enforceSchemaRules). */
  readonly exact: boolean;
}

export type BodyValue =
  | { readonly ok: true; readonly value: StoredValue }
  /** `unread`: the list is full, and the rest of the value was not checked. */
  | { readonly ok: false; readonly problems: readonly ValueProblem[]; readonly unread?: true };

/** The value of a column, the same on every database. */
export type StoredValue = string | number | bigint | boolean | null;

export interface ValueProblem {
  /** The path inside the value (blocks: `['0', 'children']`); empty for the value itself. */
  readonly path: readonly string[];
  /** Begins with `{path}` where Strapi's message has the path as yup writes it (`text[0].level`):
   *  the attribute's, then `path`. Only the first one is replaced: a client's text may follow. */
  readonly message: string;
  /** A plainer message that begins with `{path}` as well. */
  readonly help?: string;
  /** The value as Strapi reports it, after yup's cast; the key is missing where Strapi omits it. */
  readonly value?: unknown;
  /** Strapi finds the problem only when it writes to the database, so its error has no path and
   *  `details: {}` (formats of date, time and datetime). */
  readonly unlocated?: true;
}

export const accepted = (value: StoredValue): BodyValue => ({ ok: true, value });
export const refused = (...problems: readonly ValueProblem[]): BodyValue => ({ ok: false, problems });
