/** Retries transactions that conflict with others. */
import type { Limits } from '../../../config/config.ts';
import type { Database } from '../../../dialects/database.ts';
import { retryConflicts } from '../../../dialects/retry-conflicts.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { apiErrorOf } from '../../execute/database-errors.ts';

/** Runs `work`, and runs it again after a conflict with another transaction. Database errors that a
 *  client can act on are thrown as an `ApiError`: `refusedValue` where a column refuses a value. */
export async function retryTransaction<T>(
  database: Database,
  limits: Limits,
  work: () => Promise<T>,
  refusedValue: () => ApiError = () => ApiError.of('body.out-of-range', { values: 'a value' }),
): Promise<T> {
  const errorKindOf = (error: unknown) => (error instanceof ApiError ? undefined : database.errorKindOf(error));
  try {
    return await retryConflicts({ errorKindOf }, work);
  } catch (error) {
    if (errorKindOf(error) === 'value') throw refusedValue();
    throw apiErrorOf(error, (each) => database.errorKindOf(each), limits);
  }
}
