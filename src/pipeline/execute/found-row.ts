import type { Row } from '../../dialects/dialect.ts';

/** A row that was read for a response. */
export interface FoundRow {
  readonly id: number;
  /** The columns, as `Shape` counts them. None if `head` is known. */
  values: Row;
  /** The fewest bytes that the row takes in a response. */
  readonly size: number;
  /** The most bytes of JSON that are cached of the row; 0 if other responses do not have it. */
  longestHead: number;
  /** The JSON of its columns, with the brace before them: of a cached row that was part of a response. */
  head: Uint8Array | undefined;
}

/** `size`: the fewest bytes that the row takes in a response. */
export const foundRow = (id: number, values: Row, size: number): FoundRow => ({ id, values, size, longestHead: 0, head: undefined });
