/** An expected failure. */
export interface ErrorDefinition {
  readonly status: number;
  /** Strapi's name of the error. */
  readonly name: string;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number;
  // `ErrorArguments` gives callers the type of `at`.
  // biome-ignore lint/suspicious/noExplicitAny: each entry narrows it.
  readonly message: (at: any) => string;
  /** A plainer message: what is wrong, what was expected and which setting changes it. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly help?: (at: any) => string | undefined;
}

/** ` at category.name`, or nothing. */
export const pathSuffix = (path: string | null) => (path === null || path === '' ? '' : ` at ${path}`);

const kind =
  (status: number, name: string) =>
  <Message extends ErrorDefinition['message']>(message: Message) => ({ status, name, message });

export const validation = kind(400, 'ValidationError');
export const application = kind(400, 'ApplicationError');
export const badRequest = kind(400, 'BadRequestError');
export const unauthorized = kind(401, 'UnauthorizedError');
export const forbidden = kind(403, 'ForbiddenError');
export const notFound = kind(404, 'NotFoundError');
export const requestTimeout = kind(408, 'RequestTimeoutError');
export const conflict = kind(409, 'ConflictError');
export const preconditionFailed = kind(412, 'PreconditionFailedError');
export const tooLarge = kind(413, 'PayloadTooLargeError');
export const unsupported = kind(415, 'UnsupportedMediaTypeError');
export const notImplemented = kind(501, 'NotImplementedError');
export const diskFull = kind(507, 'InsufficientStorageError');

/** `retryAfter`: seconds. */
export const unavailable = <Message extends ErrorDefinition['message']>(message: Message, retryAfter?: number) => ({
  ...kind(503, 'ServiceUnavailableError')(message),
  ...(retryAfter === undefined ? {} : { retryAfter }),
});
