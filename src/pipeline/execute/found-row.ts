import type { Row } from '../../dialects/dialect.ts';

/** A row that was read for a response. */
export interface FoundRow {
  readonly id: number;
  /** The columns, as `Shape` counts them. None if `head` is known. */
  values: Row;
  /** The fewest bytes that the row takes in a response. */
  readonly size: number;
  /** Whether other responses take the row from the cache. */
  isCached: boolean;
  /** The JSON of its columns, with the brace before them: of a cached row that was part of a response. */
  head: Uint8Array | undefined;
}

/** `size`: the fewest bytes that the row takes in a response. */
export const foundRow = (id: number, values: Row, size: number): FoundRow => ({ id, values, size, isCached: false, head: undefined });

/** What a cached row takes in addition to its texts, with its place in the cache. Bytes. */
export const bytesOfRow = 400;

/** The most bytes of JSON that are cached of a row. With many escaped characters it takes far more than what is counted for the row. */
export const longestHead = ({ size }: FoundRow): number => 2 * size + bytesOfRow;
