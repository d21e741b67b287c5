import type { ScalarAttribute } from '../content-model.ts';

/** What one attribute type knows about its values, whatever the database. */
export interface AttributeType {
  /** The columns that `_q` looks into: text always, numbers when the search text is a number. */
  readonly search: 'text' | 'number' | 'no';
  /** Compared as text by code point (`COLLATE` matters), not as number or instant. */
  readonly textual: boolean;
  /** Reads a filter value from the query string. Returns `invalid` with what would have been right. */
  parseFilter(text: string): FilterValue;
  /** JSON text of a stored value, as the dialect's `select` gives it; never null. */
  writeJson(stored: unknown): string;
  /** Reads a value of a write's body. `undefined` never gets here; null does not either (callers know what null means). */
  readBody(value: unknown, attribute: ScalarAttribute, rules: BodyRules): BodyValue;
  /** A column as the dialect's `select` gives it, never null, in the form that `readBody` makes. Databases are written by hand too: what is
   *  no number in a column of numbers, or no instant, is null. */
  fromSelected(selected: unknown): StoredValue;
}

export type FilterValue =
  | { readonly ok: true; readonly value: string | number | bigint | boolean }
  | { readonly ok: false; readonly expected: string };

export const valid = (value: string | number | bigint | boolean): FilterValue => ({ ok: true, value });
export const invalid = (expected: string): FilterValue => ({ ok: false, expected });

export interface BodyRules {
  /** False for drafts, which are not held to required, minLength, min, regex and email. maxLength, max, type, enumeration always hold. */
  readonly strict: boolean;
  /** Values that Strapi silently drops are refused (policies.enforceSchemaRules). */
  readonly exact: boolean;
}

export type BodyValue =
  | { readonly ok: true; readonly value: StoredValue }
  /** `unread`: as many as are listed were found before the end. */
  | { readonly ok: false; readonly problems: readonly ValueProblem[]; readonly unread?: true };

/** What a column holds, whatever the engine. */
export type StoredValue = string | number | bigint | boolean | null;

export interface ValueProblem {
  /** Inside the value (blocks: `['0', 'children']`); empty for the value itself. */
  readonly path: readonly string[];
  /** Begins with `{path}` where Strapi's message has the path, as yup writes it (`text[0].level`): the attribute's, then `path`. What the
   *  caller sent may follow, so only the first `{path}` is meant. */
  readonly message: string;
  /** The value as Strapi reports it (after yup's cast); the key is left out where Strapi leaves it out. */
  readonly value?: unknown;
  /** Strapi finds it only when writing to the database: its error has no path and `details: {}` (date, time, datetime formats). */
  readonly unlocated?: true;
}

export const accepted = (value: StoredValue): BodyValue => ({ ok: true, value });
export const refused = (...problems: readonly ValueProblem[]): BodyValue => ({ ok: false, problems });
