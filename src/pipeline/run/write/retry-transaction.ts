/** Retries transactions that conflict with others. */
import type { Limits } from '../../../config/config.ts';
import type { Database } from '../../../dialects/database.ts';
import { retryConflicts } from '../../../dialects/retry-conflicts.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { apiErrorOf } from '../../execute/database-errors.ts';

/** Runs `work`, and runs it again after a conflict with another transaction. Database errors that a
 *  client can act on are thrown as an `ApiError`. */
export async function retryTransaction<T>(database: Database, limits: Limits, work: () => Promise<T>): Promise<T> {
  const errorKindOf = (error: unknown) => (error instanceof ApiError ? undefined : database.errorKindOf(error));
  try {
    return await retryConflicts({ errorKindOf }, work);
  } catch (error) {
    if (errorKindOf(error) === 'value') throw ApiError.of('body.out-of-range', undefined);
    throw apiErrorOf(error, (each) => database.errorKindOf(each), limits);
  }
}
