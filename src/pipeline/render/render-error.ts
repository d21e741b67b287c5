import type { ApiError } from '../../errors/api-error.ts';
import { type ErrorStyle, errorResponse } from '../../errors/error-body.ts';
import type { Outcome } from '../call.ts';

/** What an expected failure becomes; `timings` and `statements` tell how far the request came. */
export const renderError = (error: ApiError, style: ErrorStyle, timings: Outcome['timings'] = [], statements = 0): Outcome => ({
  ...errorResponse(error, style),
  timings,
  statements,
});
