import type { Row } from '../../dialects/dialect.ts';

/** A row that was read for a response. */
export interface FoundRow {
  readonly id: number;
  /** The columns, as `Shape` counts them. None if `head` is known. */
  values: Row;
  /** The fewest bytes that the row takes in a response. */
  readonly size: number;
  /** The JSON of its columns, with the brace before them: of a cached row that was part of a response. */
  head: Uint8Array | undefined;
  /** Whether the row may be cached for other responses. */
  readonly isCacheable: boolean;
}

/** `size`: the fewest bytes that the row takes in a response. */
export const foundRow = (id: number, values: Row, size: number, isCacheable: boolean): FoundRow => ({
  id,
  values,
  size,
  head: undefined,
  isCacheable,
});
