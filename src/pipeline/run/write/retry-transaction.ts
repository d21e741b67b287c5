/** Transactions that others may get in the way of. */
import type { Limits } from '../../../config/config.ts';
import type { Database } from '../../../dialects/dialect.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { apiErrorOf } from '../../execute/database-errors.ts';

/** How often a write is tried whose transaction another one got in the way of. */
const attempts = 8;

/** Runs `work` until no other transaction is in its way. What the caller can be told about is thrown as an `ApiError`. */
export async function retryTransaction<T>(database: Database, limits: Limits, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const kind = error instanceof ApiError ? undefined : database.errorKindOf(error);
      if (kind === 'value') throw ApiError.of('body.out-of-range', undefined);
      if (kind !== 'conflict' || attempt === attempts) throw apiErrorOf(error, (each) => database.errorKindOf(each), limits);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * attempt));
    }
  }
}
