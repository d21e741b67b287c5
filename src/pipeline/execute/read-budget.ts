/** Limits the memory of one read: rows are counted, and the statement is aborted at the limit. */

import { oncePer } from '../../collections.ts';
import type { Limits } from '../../config/config.ts';
import type { Row } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Shape } from '../compile/types.ts';

export class ReadBudget {
  #rows = 0;
  #bytes = 0;
  #received = 0;
  readonly #limits: Pick<Limits, 'rows' | 'responseBytes'>;

  constructor(limits: Pick<Limits, 'rows' | 'responseBytes'>) {
    this.#limits = limits;
  }

  /** The bytes counted so far. */
  get bytes(): number {
    return this.#bytes;
  }

  countRow(): void {
    this.#rows++;
    if (this.#rows > this.#limits.rows) throw ApiError.of('limit.rows', { limit: this.#limits.rows });
  }

  /** Counts characters as they arrive, before it is known how often they are shown. JSON from the
   *  database may contain white space that the response does not. */
  receive(characters: number): void {
    this.#received += characters;
    if (this.#received > 2 * this.#limits.responseBytes) this.#refuseBytes();
  }

  /** Counts the bytes of one row: the fewest that it takes in the response. */
  spend(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#limits.responseBytes) this.#refuseBytes();
  }

  #refuseBytes(): never {
    throw ApiError.of('limit.response-bytes', { limit: this.#limits.responseBytes });
  }
}

/** The length of `,"a":null`. */
const minMemberBytes = 9;

/** Returns a function for the fewest bytes that a row of this shape takes in the response. Each
 *  character takes at least one byte. The function is made once, since a plan runs many times. */
export const sizeOf = oncePer(({ columns }: Shape) => {
  // JSON from the database may contain white space that the response does not.
  const factors = columns.map(({ index, type }) => ({ index, factor: type === 'json' || type === 'blocks' ? 0.5 : 1 }));
  const fixed = columns.length * minMemberBytes;
  return (row: Row): number => {
    let bytes = fixed;
    for (const { index, factor } of factors) {
      const value = row[index];
      if (typeof value === 'string') bytes += factor * value.length;
    }
    return bytes;
  };
});
