/** Everything that a call can fail with, as one type. `kind` tells the members of the union apart. */

/** What is wrong with a request, where the server names it. */
export interface InvalidDetails {
  /** The parameter or attribute that is not known or not allowed, and where it stands. */
  readonly key?: string;
  readonly path?: string | null;
  readonly source?: 'query' | 'body';
  readonly param?: string;
  /** All problems of a body. */
  readonly errors?: readonly {
    readonly path: readonly (string | number)[];
    readonly message: string;
    readonly name: string;
    readonly value?: unknown;
    /** In a batch: the position of the operation, and what its own request would get. */
    readonly operation?: number;
    readonly status?: number;
    readonly code?: string;
  }[];
  readonly [more: string]: unknown;
}

interface Failed<Kind extends string, Details> {
  readonly kind: Kind;
  /** The status of the response. */
  readonly status: number;
  /** The code in Lectern's list of errors, such as `query.invalid-key`; undefined if the response came from something else, such as a proxy. */
  readonly code: string | undefined;
  readonly details: Details;
  /** Seconds, from `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** The request's id in the log of the server. */
  readonly requestId: string | undefined;
}

interface NoResponse<Kind extends string> {
  readonly kind: Kind;
  readonly status?: undefined;
  readonly code?: undefined;
  readonly details?: undefined;
  readonly retryAfter?: undefined;
  readonly requestId?: undefined;
}

type Details = Readonly<Record<string, unknown>>;

/** `message` says what happened in a sentence; `cause` is the error below it, if there is one. */
export type LecternError = Error &
  (
    | Failed<'invalid', InvalidDetails>
    | Failed<'unauthorized', Details>
    | Failed<'forbidden', Details>
    | Failed<'not-found', Details>
    | Failed<'conflict', Details>
    | Failed<'rate-limit', Details>
    | Failed<'unavailable', Details>
    | Failed<'server', Details>
    | Failed<'unexpected', Details>
    | NoResponse<'network'>
    | NoResponse<'timeout'>
    | NoResponse<'aborted'>
    | NoResponse<'usage'>
  );

export type ErrorKind = LecternError['kind'];

class CallError extends Error {
  readonly kind: string;

  constructor(kind: ErrorKind, message: string, more: object = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'LecternError';
    this.kind = kind;
    Object.assign(this, more);
  }
}

/** For `instanceof`. */
export const LecternError = CallError as unknown as {
  new (kind: ErrorKind, message: string, more?: object, cause?: unknown): LecternError;
  readonly prototype: LecternError;
};

const kinds: Readonly<Record<number, ErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'not-found',
  412: 'conflict',
  429: 'rate-limit',
  503: 'unavailable',
};

/** The error that a response with another status than 2xx stands for. */
export function responseError(status: number, headers: Headers, text: string): LecternError {
  let given: { message?: unknown; name?: unknown; code?: unknown; details?: object } | undefined;
  try {
    given = JSON.parse(text).error;
  } catch {
    // A proxy's page.
  }
  const kind = kinds[status] ?? (status > 499 ? 'server' : status > 399 ? 'invalid' : 'unexpected');
  const location = headers.get('location');
  // Browsers hide the status and the target of a redirect.
  const other =
    status === 0 || location !== null
      ? `The server redirects${location ? ` to ${location}` : ''}; redirects are not followed, so set baseURL to the final URL`
      : `The server responded with ${status}${text && `: ${text.slice(0, 200)}`}`;
  return new LecternError(kind, typeof given?.message === 'string' ? given.message : other, {
    ...(typeof given?.name === 'string' && { name: given.name }),
    status,
    code: given?.code ?? headers.get('x-error-code') ?? undefined,
    details: given?.details ?? {},
    retryAfter: retryAfter(headers),
    requestId: headers.get('x-request-id') ?? undefined,
  });
}

/** Seconds, from a number or a date; undefined without the header. */
export function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const seconds = Number.isNaN(+text) ? (Date.parse(text) - Date.now()) / 1000 : +text;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

export const usageError = (message: string, cause?: unknown) => new LecternError('usage', message, {}, cause);
