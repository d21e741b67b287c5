/** The response to an expected failure: Strapi's body, and the stable code of the catalogue. */
import type { ApiError } from './api-error.ts';
import type { ErrorCode } from './catalogue/catalogue.ts';

/** Strapi's body has no code of the error, and in profile `strapi` programs may compare bodies. */
export interface ErrorStyle {
  /** Whether the body has `error.code`; otherwise the header `X-Error-Code` has the code. */
  readonly errorCodeInBody: boolean;
  /** Whether help takes the place of Strapi's message; otherwise `details.hint` has it. */
  readonly plainMessages: boolean;
}

/** A response lists at most this many problems: a body of 1 MB can have half a million. */
export const maxProblems = 100;

/** A problem of `details.errors`. */
export interface ListedProblem {
  readonly path: readonly string[];
  readonly message: string;
  readonly name: 'ValidationError';
  readonly value?: unknown;
  /** A plainer message, and the path where Strapi gives none. No response has this key. */
  readonly help?: ProblemHelp;
}

export interface ProblemHelp {
  readonly message: string;
  readonly path?: readonly string[];
}

export interface ErrorResponse {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Errors without the key `details` in Strapi: those found before its own code runs. */
const withoutDetails: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'server.error',
  'path.undecodable',
  'path.malicious',
  'body.invalid-json',
  'body.incomplete',
  'body.invalid-utf8',
  'body.invalid-encoding',
  'body.unsupported-encoding',
  'body.too-large',
]);

/** Errors whose `details` are empty in each recording of Strapi. */
const emptyDetails: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['route.not-found']);

/** `document.not-found` → 404, `{"data":null,"error":{"status":404,"name":"NotFoundError",…}}` */
export function errorResponse(error: ApiError, style: ErrorStyle): ErrorResponse {
  const { errorCodeInBody } = style;
  const { status, errorName: name, code, retryAfter } = error;
  const { message, details } = worded(error, style);
  const body = {
    status,
    name,
    ...(errorCodeInBody ? { code } : {}),
    message,
    ...(details === undefined || withoutDetails.has(code) ? {} : { details }),
  };
  return {
    status,
    body: JSON.stringify({ data: null, error: body }),
    headers: {
      ...(errorCodeInBody ? {} : { 'x-error-code': code }),
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
  };
}

type Details = Readonly<Record<string, unknown>> | undefined;

/** The maximum number of hints in one response. */
const maxHints = 10;

/** Puts help into the message and the listed problems, or into `details.hint`. */
export function worded(error: ApiError, style: ErrorStyle): { readonly message: string; readonly details: Details } {
  const { message, details } = wordedByStyle(error, style);
  return { message, details: error.hint === undefined ? details : { ...details, hint: error.hint } };
}

function wordedByStyle(
  { code, message, details, help }: ApiError,
  { plainMessages }: ErrorStyle,
): { readonly message: string; readonly details: Details } {
  const errors = isListing(details) ? details.errors : undefined;
  if (plainMessages)
    return { message: help ?? message, details: errors === undefined ? details : { ...details, errors: errors.map(helped) } };
  const hints = [...new Set([...(help === undefined ? [] : [help]), ...(errors ?? []).flatMap((each) => each.help?.message ?? [])])];
  const without = errors === undefined ? details : { ...details, errors: errors.map(({ help: _, ...problem }) => problem) };
  return {
    message,
    details: hints.length === 0 || emptyDetails.has(code) ? without : { ...without, hint: hints.slice(0, maxHints).join('. ') },
  };
}

const helped = ({ help, ...problem }: ListedProblem): ListedProblem => ({ ...problem, ...help });

const isListing = (details: Details): details is { readonly errors: readonly ListedProblem[] } => Array.isArray(details?.errors);
