/** Retries transactions that conflict with others. */
import type { Limits } from '../../../config/config.ts';
import type { Database } from '../../../dialects/dialect.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { apiErrorOf } from '../../execute/database-errors.ts';

/** A conflicting transaction is attempted at most this many times. */
const attempts = 8;

/** Runs `work`, and runs it again after a conflict with another transaction. Database errors that a client can act on are thrown as an `ApiError`. */
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
