import type { ApiError } from '../../errors/api-error.ts';
import type { Outcome } from '../call.ts';

/** The body of an expected failure. `details` is left out only where Strapi leaves it out. */
export function renderError(error: ApiError, timings: Outcome['timings'] = [], statements = 0): Outcome {
  const { status, errorName, message, details, retryAfter } = error;
  const body = JSON.stringify({ data: null, error: { status, name: errorName, message, ...(details === undefined ? {} : { details }) } });
  const headers = retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) };
  return { status, body, timings, statements, ...(headers === undefined ? {} : { headers }) };
}
