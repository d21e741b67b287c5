import type { Limits } from '../../config/config.ts';
import type { DatabaseErrorKind } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';

/** The expected failure that an error stands for; errors that are ours alone come back as they are. */
export function apiErrorOf(error: unknown, errorKindOf: (error: unknown) => DatabaseErrorKind | undefined, limits: Limits): unknown {
  if (error instanceof ApiError) return error;
  switch (errorKindOf(error)) {
    case 'value':
      return ApiError.of('database.value');
    case 'time':
      return ApiError.of('database.time', { limit: limits.statementTime });
    case 'full':
      return ApiError.of('database.full');
    case 'unavailable':
      return error instanceof Error ? ApiError.causedBy(error, 'database.unavailable', undefined) : ApiError.of('database.unavailable');
    case 'busy':
    case 'conflict':
      return ApiError.of('database.busy');
    case undefined:
      return error;
  }
}
