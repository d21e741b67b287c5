/** Every expected failure: a stable code, its status, Strapi's error name, and its text. `docs/errors.md` lists the same codes. */
export interface ErrorDefinition {
  readonly status: number;
  readonly name: string;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter?: number;
  // biome-ignore lint/suspicious/noExplicitAny: each entry narrows its own argument; `ErrorArguments` gives it back to callers.
  readonly message: (at: any) => string;
}

const at = (path: string | null) => (path === null || path === '' ? '' : ` at ${path}`);

const validation = <Message extends ErrorDefinition['message']>(message: Message) => ({
  status: 400 as const,
  name: 'ValidationError' as const,
  message,
});

export const errorCatalogue = {
  'server.error': { status: 500, name: 'InternalServerError', message: () => 'Internal Server Error' },
  'request.malformed': { status: 400, name: 'BadRequestError', message: () => 'The request is not valid HTTP' },
  'request.headers-too-large': {
    status: 431,
    name: 'RequestHeaderFieldsTooLargeError',
    message: () => 'The request line and headers are too long',
  },
  'request.timeout': { status: 408, name: 'RequestTimeoutError', message: () => 'The request took too long to arrive' },
  'request.refused': { status: 400, name: 'BadRequestError', message: (a: { problem: string }) => a.problem },
  'route.not-found': { status: 404, name: 'NotFoundError', message: () => 'Not Found' },
  'route.has-custom-code': {
    status: 501,
    name: 'NotImplementedError',
    message: (a: { action: string }) =>
      `The project has custom code for this route, which Lectern does not run. Serve or refuse ${a.action} under routes in lectern.config.json`,
  },
  'document.not-found': { status: 404, name: 'NotFoundError', message: () => 'Not Found' },
  'file.not-found': { status: 404, name: 'NotFoundError', message: () => 'file.notFound' },
  'upload.no-files': validation(() => 'Files are empty'),
  'upload.not-multipart': validation(() => 'Send the files as multipart/form-data, in parts with the name files'),
  'upload.malformed': validation((a: { problem: string }) => `The multipart body cannot be read: ${a.problem}`),
  'upload.file-name': { status: 400, name: 'ApplicationError', message: () => 'File name contains invalid characters' },
  'upload.type': validation((a: { type: string }) => `File type '${a.type}' is not allowed`),
  'upload.detected-type': validation(() => 'MIME type is not allowed'),
  'upload.content': validation(
    (a: { name: string; type: string }) =>
      `${a.name} is sent as ${a.type}, and does not begin as such a file does (policies.believeMediaTypes)`,
  ),
  'upload.file-info': validation((a: { problem: string }) => a.problem),
  'upload.one-file': validation(() => 'Cannot replace a file with multiple ones'),
  'upload.unknown-file': { status: 404, name: 'NotFoundError', message: () => 'Entity not found' },
  'upload.file-id': validation(() => 'File id is required and must be a single value'),
  'upload.link': validation((a: { problem: string }) => a.problem),
  'upload.too-large': {
    status: 413,
    name: 'PayloadTooLargeError',
    message: (a: { name: string; limit: string }) => `${a.name} exceeds size limit of ${a.limit}.`,
  },
  'upload.request-too-large': {
    status: 413,
    name: 'PayloadTooLargeError',
    message: (a: { what: string; limit: number; setting: string }) => `The request has more than ${a.limit} ${a.what} (${a.setting})`,
  },
  'upload.stalled': {
    status: 408,
    name: 'RequestTimeoutError',
    message: (a: { limit: number }) => `Nothing has arrived for ${a.limit} ms (upload.stallTime)`,
  },
  'upload.no-room': {
    status: 507,
    name: 'InsufficientStorageError',
    message: () => 'There is no room left for files; nothing was stored',
  },
  'upload.bytes-left': {
    status: 503,
    name: 'ServiceUnavailableError',
    message: () =>
      'The storage of files does not answer: the change was made, but old bytes are still there until lectern media check --delete-orphans removes them',
  },
  'upload.storage': {
    status: 503,
    name: 'ServiceUnavailableError',
    message: () => 'The storage of files does not answer; try again',
  },
  'image.broken': { status: 400, name: 'ApplicationError', message: () => 'File is not a valid image' },
  'image.not-an-image': validation(() => 'Variants are made of JPEG, PNG, WebP, AVIF, TIFF and GIF images alone'),
  'image.too-large': {
    status: 400,
    name: 'ApplicationError',
    message: (a: { limit: number }) => `The image has more than ${a.limit} pixels (upload.pixels)`,
  },
  'image.too-slow': {
    status: 400,
    name: 'ApplicationError',
    message: (a: { limit: number }) => `Working on the image takes longer than ${a.limit} ms (upload.imageTime)`,
  },
  'image.busy': { status: 503, name: 'ServiceUnavailableError', message: () => 'Too many images are waiting; try again' },
  'variant.parameter': validation((a: { name: string; expected: string }) => `${a.name}: expected ${a.expected}`),
  'variant.not-allowed': {
    status: 403,
    name: 'ForbiddenError',
    message: (a: { name: string; allowed: string }) => `${a.name} must be one of ${a.allowed}, or the address must be signed`,
  },
  'variant.signature': { status: 403, name: 'ForbiddenError', message: () => 'The signature of the address is wrong, or has expired' },
  'file.range': { status: 416, name: 'RangeNotSatisfiableError', message: () => 'The file has no bytes in this range' },
  'file.changed': {
    status: 412,
    name: 'PreconditionFailedError',
    message: () => 'The file has changed since it was read (If-Match, If-Unmodified-Since)',
  },
  'path.undecodable': { status: 400, name: 'BadRequestError', message: () => 'failed to decode' },
  'path.malicious': { status: 400, name: 'BadRequestError', message: () => 'Malicious Path' },
  'access.forbidden': { status: 403, name: 'ForbiddenError', message: () => 'Forbidden' },
  'access.drafts': {
    status: 403,
    name: 'ForbiddenError',
    message: (a: { action: string }) => `Reading drafts needs the right ${a.action} (policies.draftsNeedRight)`,
  },
  'access.outside': {
    status: 403,
    name: 'ForbiddenError',
    message: () => 'This would change or leave something outside of what the right is limited to',
  },
  'access.credentials': { status: 401, name: 'UnauthorizedError', message: () => 'Missing or invalid credentials' },
  'access.token-expired': { status: 401, name: 'UnauthorizedError', message: () => 'Token expired' },
  'access.invalid-credentials': { status: 401, name: 'UnauthorizedError', message: () => 'Invalid credentials' },
  'access.unauthorized': { status: 401, name: 'UnauthorizedError', message: () => 'Unauthorized' },
  'access.rate-limit': { status: 429, name: 'RateLimitError', message: () => 'Too many requests, please try again later.' },
  'api-token.invalid': validation((a: { problem: string }) => a.problem),
  'api-token.name-taken': {
    status: 400,
    name: 'ApplicationError',
    message: (a: { name: string }) => `There is an API token with the name "${a.name}" already`,
  },
  'api-token.not-found': { status: 404, name: 'NotFoundError', message: () => 'API token not found' },
  'api-token.ambiguous': {
    status: 400,
    name: 'ApplicationError',
    message: (a: { reference: string }) => `${a.reference} is the name of one API token and the id of another`,
  },
  'api-token.expired': {
    status: 400,
    name: 'ApplicationError',
    message: (a: { name: string }) => `The API token "${a.name}" has expired; another secret would be as expired: create a new token`,
  },
  'api-token.no-salt': {
    status: 503,
    name: 'ServiceUnavailableError',
    message: () => 'API tokens need the secret API_TOKEN_SALT, which is not set',
  },
  'api-token.no-tables': {
    status: 503,
    name: 'ServiceUnavailableError',
    message: () => 'This database has no tables for API tokens',
  },
  'user.invalid-body': { status: 400, name: 'ValidationError', message: (a: { problem: string }) => a.problem },
  'user.refused': { status: 400, name: 'ApplicationError', message: (a: { problem: string }) => a.problem },
  'user.not-found': { status: 404, name: 'NotFoundError', message: () => 'User not found' },
  'user.no-password': { status: 400, name: 'ValidationError', message: () => 'password.notNull' },
  'user.email-taken': { status: 400, name: 'ApplicationError', message: () => 'Email already taken' },
  'user.username-taken': { status: 400, name: 'ApplicationError', message: () => 'Username already taken' },
  'register.closed': { status: 400, name: 'ApplicationError', message: () => 'Register action is currently disabled' },
  'register.parameters': validation((a: { keys: string }) => `Invalid parameters: ${a.keys}`),
  'register.taken': { status: 400, name: 'ApplicationError', message: () => 'Email or Username are already taken' },
  'register.no-role': { status: 400, name: 'ApplicationError', message: () => 'Impossible to find the default role' },
  'password.no-user': { status: 400, name: 'ApplicationError', message: () => 'You must be authenticated to reset your password' },
  'password.wrong': validation(() => 'The provided current password is invalid'),
  'password.same': validation(() => 'Your new password must be different than your current password'),
  'password.code': validation(() => 'Incorrect code provided'),
  'confirmation.token': validation(() => 'Invalid token'),
  'confirmation.done': { status: 400, name: 'ApplicationError', message: () => 'Already confirmed' },
  'confirmation.blocked': { status: 400, name: 'ApplicationError', message: () => 'User blocked' },
  'session.no-token': { status: 400, name: 'BadRequestError', message: () => 'Missing refresh token' },
  'session.invalid-token': { status: 401, name: 'UnauthorizedError', message: () => 'Invalid refresh token' },
  'session.no-user': { status: 401, name: 'UnauthorizedError', message: () => 'Missing authentication' },
  'session.not-found': { status: 404, name: 'NotFoundError', message: () => 'Session not found' },
  'session.no-table': {
    status: 501,
    name: 'NotImplementedError',
    message: () =>
      'Signing in needs the table strapi_sessions, which this database lacks: run lectern migrate apply and start again, or set auth.jwtManagement to legacy-support',
  },
  'mail.no-server': {
    status: 503,
    name: 'ServiceUnavailableError',
    message: () => 'This needs to send a mail, and the server was started without one that can (mail.host)',
  },
  'login.failed': { status: 400, name: 'ValidationError', message: () => 'Invalid identifier or password' },
  'login.blocked': { status: 400, name: 'ApplicationError', message: () => 'Your account has been blocked by an administrator' },
  'login.unconfirmed': { status: 400, name: 'ApplicationError', message: () => 'Your account email is not confirmed' },
  'login.disabled': { status: 400, name: 'ApplicationError', message: () => 'This provider is disabled' },
  'login.no-secret': {
    status: 503,
    name: 'ServiceUnavailableError',
    message: () => 'Signing in needs the secret JWT_SECRET, which this server was started without',
  },
  'connect.parameter': validation((a: { parameter: string; problem: string }) => `${a.parameter} ${a.problem}`),
  'connect.not-begun': {
    status: 400,
    name: 'BadRequestError',
    message: () => 'This sign-in was not begun in this browser, or too long ago. Begin again',
  },
  'connect.code': validation(() => 'The code is unknown, used or expired, or code_verifier does not belong to it'),
  'connect.unavailable': {
    status: 503,
    name: 'ServiceUnavailableError',
    message: (a: { provider: string }) => `Signing in with ${a.provider} is not possible now: the provider does not answer as it should`,
  },
  'role.empty-body': validation(() => 'Request body cannot be empty'),
  'role.invalid-body': validation((a: { problem: string }) => a.problem),
  'role.reserved': {
    status: 400,
    name: 'ApplicationError',
    message: (a: { type: string }) => `There is a role of the type ${a.type}, and there can be only one`,
  },
  'role.public': { status: 400, name: 'ApplicationError', message: () => 'Cannot delete public role' },
  'role.not-found': { status: 404, name: 'NotFoundError', message: () => 'Role not found' },
  'management.document': validation((a: { problem: string }) => a.problem),
  'management.declared': {
    status: 409,
    name: 'ConflictError',
    message: (a: { what: string; source: string }) => `${a.what} stands in ${a.source} of the project, and is changed there`,
  },
  'management.role-taken': {
    status: 409,
    name: 'ConflictError',
    message: (a: { type: string }) => `There is a role of the type ${a.type} already`,
  },
  'body.invalid-json': { status: 400, name: 'SyntaxError', message: (a: { problem: string }) => a.problem },
  'body.incomplete': { status: 400, name: 'BadRequestError', message: () => 'The request ended before its body did' },
  'body.invalid-utf8': { status: 400, name: 'SyntaxError', message: () => 'The body is not valid UTF-8' },
  'body.invalid-encoding': {
    status: 400,
    name: 'BadRequestError',
    message: (a: { encoding: string }) => `The body is not what its Content-Encoding says (${a.encoding})`,
  },
  'body.unsupported-encoding': {
    status: 415,
    name: 'UnsupportedMediaTypeError',
    message: (a: { encoding: string }) => `Unsupported Content-Encoding: ${a.encoding}`,
  },
  'body.too-large': { status: 413, name: 'PayloadTooLargeError', message: () => 'request entity too large' },
  'endpoint.not-served': {
    status: 501,
    name: 'NotImplementedError',
    message: (a: { instead: string }) => `Lectern does not serve this endpoint: ${a.instead}`,
  },
  'body.no-data': validation(() => 'Missing "data" payload in the request body'),
  'body.invalid-key': validation((a: { key: string; at: string | null }) => `Invalid key ${a.key}${at(a.at)}`),
  'body.values': validation((a: { message: string }) => a.message),
  'body.unstorable': validation((a: { path: string }) => `${a.path} holds a character that the database cannot store (NUL)`),
  'body.out-of-range': validation(() => 'A value is too large or too long for its column in this database'),
  'component.not-related': {
    status: 400,
    name: 'ApplicationError',
    message: (a: { attribute: string; hint: string }) =>
      `Some of the provided components in ${a.attribute} are not related to the entity${a.hint}`,
  },
  'zone.not-related': {
    status: 400,
    name: 'Error',
    message: (a: { attribute: string; hint: string }) =>
      `Some of the provided components in ${a.attribute} are not related to the entity${a.hint}`,
  },
  'relation.not-found': validation(
    (a: { documentId: string; locale: string }) => `Document with id "${a.documentId}", locale "${a.locale}" not found`,
  ),
  'relation.anchor': validation((a: { path: string }) => `${a.path}: a position names a target that is neither linked nor connected here`),
  'relation.twice': validation(
    (a: { id: string }) => `The relation with id ${a.id} is already connected. You cannot connect the same relation twice.`,
  ),
  'relation.circle': validation((a: { path: string }) => `${a.path}: positions name each other in a circle`),
  'locale.one': validation((a: { received: string }) => `Invalid locale param ${a.received} provided. Document locales must be strings.`),
  'delete.draft': validation(() => 'Cannot delete a draft document: a document is deleted with all its versions'),
  'document.changed': {
    status: 412,
    name: 'PreconditionFailedError',
    message: () => 'The document has changed since it was read (If-Match)',
  },
  'idempotency.reused': {
    status: 422,
    name: 'UnprocessableEntityError',
    message: () => 'This Idempotency-Key was used with another body',
  },
  'idempotency.gone': {
    status: 410,
    name: 'GoneError',
    message: () => 'The entry that this Idempotency-Key created was deleted since, or you may no longer read it; nothing was created again',
  },
  'idempotency.key': validation(() => 'Idempotency-Key must have 1 to 255 characters'),
  'idempotency.no-table': {
    status: 501,
    name: 'NotImplementedError',
    message: (a: { command: string }) => `Idempotency-Key needs a table of its own in this database: run ${a.command} once`,
  },
  'database.full': {
    status: 507,
    name: 'InsufficientStorageError',
    message: () => 'The database has no room left; nothing was written',
  },
  'query.invalid-key': {
    status: 400,
    name: 'ValidationError',
    message: (a: { key: string; at: string | null }) => `Invalid key ${a.key}${at(a.at)}`,
  },
  'limit.query-bytes': validation((a: { limit: number }) => `The query string is longer than ${a.limit} bytes (limits.queryBytes)`),
  'limit.parameters': validation((a: { limit: number }) => `The query string has more than ${a.limit} parameters (limits.parameters)`),
  'limit.passwords': validation((a: { limit: number }) => `A body may set at most ${a.limit} passwords (limits.passwords)`),
  'limit.depth': validation(
    (a: { parameter: string; limit: number }) => `${a.parameter} is nested deeper than ${a.limit} levels (limits.depth)`,
  ),
  'limit.list': validation(
    (a: { parameter: string; limit: number }) => `${a.parameter} has more than ${a.limit} values (limits.listValues)`,
  ),
  'limit.budget': validation(
    (a: { budget: string; parameter: string; limit: number }) => `${a.parameter} goes beyond the limit of ${a.limit} (limits.${a.budget})`,
  ),
  'limit.pattern': validation((a: { path: string; limit: number }) => `${a.path} is longer than ${a.limit} bytes (limits.patternBytes)`),
  'limit.body-depth': validation((a: { limit: number }) => `The body is nested deeper than ${a.limit} levels (limits.bodyDepth)`),
  'limit.components': validation((a: { what: string; limit: number }) => `${a.what} more than ${a.limit} components (limits.components)`),
  'limit.links': validation((a: { limit: number }) => `The body names more than ${a.limit} relation targets and files (limits.links)`),
  'limit.form-parameters': validation(
    (a: { limit: number }) => `The form has more than ${a.limit} parameters, or a list that is longer (limits.parameters)`,
  ),
  'limit.rows': validation(
    (a: { limit: number }) =>
      `The answer would take more than ${a.limit} rows (limits.rows); ask for fewer populated paths or a smaller page`,
  ),
  'limit.response-bytes': validation(
    (a: { limit: number }) =>
      `The answer would be longer than ${a.limit} bytes (limits.responseBytes); ask for fewer fields, populated paths or rows`,
  ),
  'fields.shape': validation(() => 'Invalid fields parameter. Expected a string or an array of strings'),
  'filter.shape': validation(() => 'The filters parameter must be an object or an array'),
  'filter.object': validation((a: { path: string }) => `${a.path}: expected attributes or operators in brackets`),
  'filter.group': validation((a: { path: string }) => `${a.path}: expected a list, as in ${a.path}[0]`),
  'filter.list': validation((a: { path: string }) => `${a.path}: expected a list of values with the keys 0, 1, … or []`),
  'filter.value': validation((a: { path: string }) => `${a.path}: expected a value`),
  'filter.between': validation((a: { path: string }) => `${a.path}: expected exactly two values`),
  'filter.format': validation((a: { path: string; expected: string }) => `${a.expected} (${a.path})`),
  'filter.operator-place': validation(
    (a: { path: string; operator: string }) =>
      `${a.path}: the operator ${a.operator} cannot stand here; operators on values stand under an attribute, $and and $or above it`,
  ),
  'sort.shape': validation(
    () => 'Invalid sort parameter. Expected a string, an array of strings, a sort object or an array of sort objects',
  ),
  'sort.order': validation(() => 'Invalid order. order can only be one of asc|desc|ASC|DESC'),
  'populate.shape': validation(() => 'Invalid populate parameter. Expected a string, an array of strings, a populate object'),
  'populate.zone': validation(
    (a: { attribute: string; schema: string }) =>
      `Invalid nested populate for ${a.attribute} (${a.schema}). Expected a fragment ("on") or "count"`,
  ),
  'populate.with-pagination': validation(
    () =>
      'populate and pagination cannot be combined: read a page without populate, then its documents with filters[documentId][$in] and populate, or set policies.populateWithPagination',
  ),
  'pagination.mixed': { status: 400, name: 'PaginationError', message: () => 'Cannot use both page & offset pagination in the same query' },
  'pagination.start': validation(
    (a: { name: string; received: string }) => `Invalid parameter at '${a.name}'. Expected integer >= 0, received: ${a.received}`,
  ),
  'pagination.limit': validation(
    (a: { received: string }) => `Invalid parameter at 'limit'. Expected integer >= 1 or -1, received: ${a.received}`,
  ),
  'pagination.page': validation(
    (a: { name: string; received: string }) => `Invalid parameter at '${a.name}'. Expected integer >= 1, received: ${a.received}`,
  ),
  'pagination.with-count': validation(() => 'Invalid withCount parameter. Expected "t","1","true","false","0","f"'),
  'pagination.place': validation(
    () => 'Invalid pagination parameters: page and pageSize stand in pagination[page] and pagination[pageSize]',
  ),
  'status.value': validation(
    (a: { received: string }) => `Invalid parameter at 'status'. Expected 'published' or 'draft', received: ${a.received}`,
  ),
  'locale.format': validation(() => "Invalid parameter at 'locale'. Locale must be a valid BCP 47 format (e.g. en, en-US, zh-Hans)."),
  'locale.undefined': validation(
    (a: { received: string; defined: readonly string[] }) =>
      `Invalid parameter at 'locale'. ${a.received} is not defined; the locales are ${a.defined.join(', ')} (policies.refuseUndefinedLocale)`,
  ),
  'publication-filter.value': validation(
    (a: { expected: readonly string[] }) => `Invalid value for 'publicationFilter'. Expected one of: ${a.expected.join(', ')}`,
  ),
  'has-published-version.value': validation(() => "Invalid value for 'hasPublishedVersion'. Expected boolean or 'true'/'false' string."),
  'search.value': validation(() => "Invalid parameter at '_q'. Expected a text"),
  'database.value': validation(() => "A value in the query cannot be compared by the database: out of range or not of the column's type"),
  'password.busy': {
    status: 503,
    name: 'ServiceUnavailableError',
    retryAfter: 2,
    message: () => 'Too many passwords are waiting to be hashed; try again',
  },
  'request.left': { status: 400, name: 'BadRequestError', message: () => 'The client disconnected before the write began' },
  'response.busy': {
    status: 503,
    name: 'ServiceUnavailableError',
    retryAfter: 2,
    message: () => 'Too many long answers are being sent (limits.unsentBytes); try again later, or ask for less',
  },
  'database.busy': { status: 503, name: 'ServiceUnavailableError', retryAfter: 1, message: () => 'The database is busy; try again' },
  'database.unavailable': {
    status: 503,
    name: 'ServiceUnavailableError',
    retryAfter: 2,
    message: () => 'The database cannot be reached; try again later',
  },
  'database.stopped': {
    status: 503,
    name: 'ServiceUnavailableError',
    retryAfter: 2,
    message: () => 'The query was stopped because other requests were waiting; ask for less, or try again later',
  },
  'database.time': {
    status: 503,
    name: 'ServiceUnavailableError',
    retryAfter: 2,
    message: (a: { limit: number }) => `The query took longer than ${a.limit} ms (limits.statementTime)`,
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorCatalogue;
export type ErrorArguments<Code extends ErrorCode> = Parameters<(typeof errorCatalogue)[Code]['message']> extends [infer A] ? A : undefined;
