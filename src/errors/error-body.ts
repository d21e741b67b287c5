/** The response to an expected failure: Strapi's body, with the stable code of the catalogue in it or in a header. */
import type { ApiError } from './api-error.ts';
import type { ErrorCode } from './catalogue/catalogue.ts';

/** Where the code of an error is sent. Strapi's body has none, and in profile `strapi` programs may compare bodies. */
export interface ErrorStyle {
  /** Whether the body has `error.code`; otherwise the header `X-Error-Code` has the code. */
  readonly errorCodeInBody: boolean;
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

/** `document.not-found` → 404, `{"data":null,"error":{"status":404,"name":"NotFoundError","code":"document.not-found","message":"Not Found","details":{}}}` */
export function errorResponse(error: ApiError, { errorCodeInBody }: ErrorStyle): ErrorResponse {
  const { status, errorName: name, code, message, details, retryAfter } = error;
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
