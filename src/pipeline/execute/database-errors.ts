import type { Limits } from '../../config/config.ts';
import type { DatabaseErrorKind } from '../../dialects/database.ts';
import { ApiError } from '../../errors/api-error.ts';

/** The `ApiError` for a database error; any other error is returned as it is. */
export function apiErrorOf(error: unknown, errorKindOf: (error: unknown) => DatabaseErrorKind | undefined, limits: Limits): unknown {
  if (error instanceof ApiError) return error;
  switch (errorKindOf(error)) {
    case 'value':
      return ApiError.of('database.value');
    case 'time':
      return ApiError.of('database.time', { limit: limits.statementTime });
    case 'full':
      return failureOf(error, 'database.full');
    case 'unavailable':
      return failureOf(error, 'database.unavailable');
    case 'busy':
    case 'conflict':
      return ApiError.of('database.busy');
    case undefined:
      return error;
  }
}

/** The operator has to do something: the log gets the cause. */
const failureOf = (error: unknown, code: 'database.full' | 'database.unavailable'): ApiError =>
  error instanceof Error ? ApiError.causedBy(error, code, undefined) : ApiError.of(code);
