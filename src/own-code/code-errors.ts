/** The responses to failures of code. */
import { ApiError } from '../errors/api-error.ts';
import { type ErrorCode, isErrorCode } from '../errors/catalogue/catalogue.ts';
import type { ListedProblem } from '../errors/error-body.ts';
import type { AskError } from './protocol.ts';
import { textOfProblem } from './refusal.ts';
import { CodeFailure } from './thread-of-code.ts';

/** The `ApiError` of a `CodeFailure`; other errors as they are. `where`: the file, for the log. */
export function apiErrorOfCode(error: unknown, where: string, refused: 'hook.refused' | 'endpoint.invalid'): unknown {
  if (!(error instanceof CodeFailure)) return error;
  const { failure } = error;
  switch (failure.kind) {
    case 'refusal': {
      const errors = failure.problems.map(
        ({ path, message }): ListedProblem => ({ path: path === '' ? [] : path.split('.'), message, name: 'ValidationError' }),
      );
      return ApiError.of(refused, { message: failure.problems.slice(0, 10).map(textOfProblem).join('; ') }, { errors });
    }
    case 'time':
      return ApiError.causedBy(new Error(`${where} took longer than its timeLimit`), 'code.time');
    case 'ended':
      return ApiError.causedBy(new Error(`${where}: ${failure.why}`), 'code.ended');
    case 'document':
      if (isUnavailable(failure.error)) return unavailable(failure.error);
      return thrown(`${where}: ${failure.error.message} (${failure.error.code}) was thrown by documents or read, and not caught`);
    case 'thrown':
      return thrown(`${where}: ${failure.stack}`);
  }
}

/** Whether the caller may send the request again later: the database is busy or away. */
export const isUnavailable = ({ status, code }: AskError): boolean => status === 503 && isErrorCode(code);

export const unavailable = ({ code, message }: AskError): ApiError =>
  ApiError.fromData({ code: code as ErrorCode, message, details: undefined, help: undefined, cause: undefined });

/** The stack leads to the line in the project's file. */
function thrown(stack: string): Error {
  const error = new Error(stack.split('\n')[0] ?? '');
  error.stack = stack;
  return error;
}
