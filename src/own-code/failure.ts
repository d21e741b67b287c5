/** What a thread reports of an error that code has thrown. */
import type { AskError, Failure } from './protocol.ts';
import { problemsOf } from './refusal.ts';

/** An error of `documents`, in the thread. */
const isDocumentError = (error: unknown): error is AskError & Error => error instanceof Error && error.name === 'DocumentError';

export function failureOf(error: unknown): Failure {
  const problems = problemsOf(error);
  if (problems !== undefined) return { kind: 'refusal', problems };
  if (isDocumentError(error)) {
    const { status, code, message, details } = error;
    return { kind: 'document', error: { status: Number(status), code: String(code), message, details: plain(details) } };
  }
  return { kind: 'thrown', stack: textOf(error) };
}

/** Whatever was thrown, as text: code may throw anything. */
export function textOf(error: unknown): string {
  try {
    return String(error instanceof Error ? (error.stack ?? error.message) : error).slice(0, 20_000);
  } catch {
    return 'a value that cannot be shown';
  }
}

/** The value as JSON, so that it can be sent to the server. */
function plain(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value ?? {}));
  } catch {
    return {};
  }
}
