/** The response to an expected failure: Strapi's body, with the stable code of the catalogue in it or in a header. */
import type { ApiError } from './api-error.ts';
import type { ErrorCode } from './catalogue/catalogue.ts';

/** Strapi's body has no code, so that programs that compare bodies go on working in profile `strapi`. */
export interface ErrorStyle {
  /** `error.code` stands in the body; otherwise the header `X-Error-Code` says it. */
  readonly errorCodeInBody: boolean;
}

export interface ErrorResponse {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Errors that Strapi answers without the key `details`: those found before its own code runs. */
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
