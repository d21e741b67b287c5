/** Transactions that others may get in the way of. */
import type { Limits } from '../../config/config.ts';
import type { Database } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import { apiErrorOf } from '../execute/database-errors.ts';

/** How often a write is tried whose transaction another one got in the way of. */
const tries = 8;

/** Runs `work` until no other transaction is in its way. What the caller can be told about is thrown as an `ApiError`. */
export async function triedAgain<T>(database: Database, limits: Limits, work: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn++) {
    try {
      return await work();
    } catch (error) {
      const kind = error instanceof ApiError ? undefined : database.errorKindOf(error);
      if (fault === 'value') throw ApiError.of('body.out-of-range', undefined);
      if (kind !== 'conflict' || turn === tries) throw apiErrorOf(error, (each) => database.errorKindOf(each), limits);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * turn));
    }
  }
}
