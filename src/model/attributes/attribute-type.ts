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
}

export type FilterValue =
  | { readonly ok: true; readonly value: string | number | bigint | boolean }
  | { readonly ok: false; readonly expected: string };

export const valid = (value: string | number | bigint | boolean): FilterValue => ({ ok: true, value });
export const invalid = (expected: string): FilterValue => ({ ok: false, expected });
