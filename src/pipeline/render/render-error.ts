import type { ApiError } from '../../errors/api-error.ts';
import { type ErrorStyle, errorResponse } from '../../errors/error-body.ts';
import type { Outcome } from '../call.ts';

/** The response to an expected failure: `filter.shape` gives status 400 and
 *  `{"data":null,"error":{"status":400,"name":"ValidationError",…}}`. `timings` and `statements`
 *  are those of the stages that ran. */
export const renderError = (error: ApiError, style: ErrorStyle, timings: Outcome['timings'] = [], statements = 0): Outcome => ({
  ...errorResponse(error, style),
  ...(error.status === 403 ? { refusal: error } : {}),
  timings,
  statements,
});
