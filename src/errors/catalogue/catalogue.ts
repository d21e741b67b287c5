/** Every expected failure: a stable code, its status, Strapi's error name, and its text. Headings
 *  and order are those of `docs/errors.md`. */
import { howToSetSecret } from '../../text/how-to-set-secret.ts';
import {
  application,
  badRequest,
  conflict,
  diskFull,
  type ErrorDefinition,
  forbidden,
  notFound,
  notImplemented,
  pathSuffix,
  preconditionFailed,
  requestTimeout,
  tooLarge,
  unauthorized,
  unavailable,
  unsupported,
  validation,
} from './error-definition.ts';

interface RelationTarget {
  readonly documentId: string;
  readonly locale: string;
  readonly type: string;
  /** The path in the body. */
  readonly path: string;
}

/** The parameters that name locales. */
type LocaleParameter = 'locale' | 'fallback';

export const errorGroups = {
  'Requests and routes': {
    'server.error': { status: 500, name: 'InternalServerError', message: () => 'Internal Server Error' },
    'request.malformed': badRequest(() => 'The request is not valid HTTP'),
    'request.invalid-url': badRequest(
      () => 'The URL has a character that must be percent-encoded: é is %C3%A9, for example, and a space is %20',
    ),
    'request.headers-too-large': {
      status: 431,
      name: 'RequestHeaderFieldsTooLargeError',
      message: () => 'The request line and headers are too long',
    },
    'request.timeout': requestTimeout(() => 'The request took too long to arrive'),
    'request.refused': badRequest((a: { problem: string }) => a.problem),
    'request.left': badRequest(() => 'The client disconnected before the write began'),
    'path.undecodable': badRequest(() => 'failed to decode'),
    'path.malicious': badRequest(() => 'Malicious Path'),
    'path.ambiguous': badRequest(
      () =>
        'The path is not forwarded: it has empty segments, `.` or `..`, a backslash, or characters that must be percent-encoded, or it is another spelling of a path that Lectern serves',
    ),
    'upstream.loop': {
      status: 508,
      name: 'LoopDetectedError',
      message: () => 'The request came back: the setting upstream leads to Lectern itself instead of Strapi',
    },
    'route.not-found': notFound(() => 'Not Found'),
    'route.method': {
      status: 405,
      name: 'MethodNotAllowedError',
      message: (a: { method: string; allowed: string }) => `This path does not support ${a.method}, only ${a.allowed}`,
    },
    'route.has-custom-code': notImplemented(
      (a: { action: string }) =>
        `The project has custom code for this route, which Lectern does not run. Serve or refuse ${a.action} under routes in lectern.config.json`,
    ),
    'endpoint.not-served': notImplemented((a: { instead: string }) => `Lectern does not serve this endpoint: ${a.instead}`),
    'explore.foreign-host': forbidden(
      () => 'Statements are shown only to pages at localhost, at an IP address, or at the host of the setting url',
    ),
    'document.not-found': notFound(() => 'Not Found'),
    'mcp.visitor': unauthorized(() => 'MCP needs an API token: send Authorization: Bearer and the token'),
    'mcp.user': forbidden(() => 'MCP is for API tokens; users may not use it'),
    'mcp.foreign-origin': forbidden(() => 'A page of this origin may not use MCP: cors.origins does not name the origin'),
    'mcp.list': badRequest(() => 'Send one message at a time, not a list of messages'),
    'mcp.arguments': validation((a: { problem: string }) => a.problem),
    'mcp.result': validation(
      (a: { bytes: number; limit: number }) =>
        `The result has ${a.bytes} bytes, more than ${a.limit}: name fields, or ask for a smaller page`,
    ),
    'mcp.write': forbidden(() => 'This API token may not write through MCP: it lacks the right lectern::mcp.write'),
  },
  'Request bodies': {
    'body.invalid-json': { status: 400, name: 'SyntaxError', message: (a: { problem: string }) => a.problem },
    'body.invalid-utf8': { status: 400, name: 'SyntaxError', message: () => 'The body is not valid UTF-8' },
    'body.incomplete': badRequest(() => 'The request ended before its body was complete'),
    'body.invalid-encoding': badRequest((a: { encoding: string }) => `The body does not match its Content-Encoding (${a.encoding})`),
    'body.unsupported-encoding': unsupported((a: { encoding: string }) => `Unsupported Content-Encoding: ${a.encoding}`),
    'body.too-large': tooLarge(() => 'request entity too large'),
  },
  Queries: {
    'query.invalid-key': validation((a: { key: string; at: string | null }) => `Invalid key ${a.key}${pathSuffix(a.at)}`),
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
        `${a.path}: the operator ${a.operator} cannot be used here; use operators on values inside an attribute, $and and $or around attributes, and $some, $none and $every on relations, media and components that are lists`,
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
    'populate.selection': validation(
      (a: { name: string; path: string }) =>
        `Invalid selection ${a.name}${a.path === '' ? '' : ` at ${a.path}`}. Expected a name that the setting selections has for this type`,
    ),
    'populate.with-pagination': validation(
      () =>
        'populate and pagination cannot be combined: read a page without populate, then its documents with filters[documentId][$in] and populate, or set policies.populateWithPagination',
    ),
    'pagination.mixed': {
      status: 400,
      name: 'PaginationError',
      message: () => 'Cannot use both page & offset pagination in the same query',
    },
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
      (a: { received: string }) =>
        `Invalid pagination parameter ${a.received}: use pagination[page] and pagination[pageSize], or pagination[start] and pagination[limit]`,
    ),
    'cursor.value': validation(
      () => 'Invalid pagination[after]: expected meta.pagination.next of a list of the same type in the same order',
    ),
    'cursor.sort': validation(
      (a: { path: string }) => `A list with a cursor cannot be sorted by ${a.path}: use pagination[start] and pagination[limit]`,
    ),
    'cursor.mixed': validation(
      (a: { received: string }) => `A list with a cursor has no pagination[${a.received}], only pagination[limit]`,
    ),
    'related.via': validation(
      (a: { expected: readonly string[] }) => `Invalid via parameter. Expected one or several of the relations ${a.expected.join(', ')}`,
    ),
    'groups.parameter': validation(
      (a: { parameter: string; expected: string }) => `Invalid ${a.parameter} parameter. Expected ${a.expected}`,
    ),
    'status.value': validation(
      (a: { received: string }) => `Invalid parameter at 'status'. Expected 'published' or 'draft', received: ${a.received}`,
    ),
    'locale.format': validation(
      (a: { parameter: LocaleParameter }) =>
        `Invalid parameter at '${a.parameter}'. Locale must be a valid BCP 47 format (e.g. en, en-US, zh-Hans).`,
    ),
    'locale.undefined': validation(
      (a: { parameter: LocaleParameter; received: string; defined: readonly string[] }) =>
        `Invalid parameter at '${a.parameter}'. ${a.received} is not defined; the locales are ${a.defined.join(', ')} (policies.refuseUndefinedLocale)`,
    ),
    'fallback.one': validation(() => "Invalid parameter at 'fallback'. It needs one locale, as in locale=de&fallback=en"),
    'fallback.unset': validation(
      () => "Invalid parameter at 'fallback'. true needs locales.fallback in the configuration; or name locales, as in fallback=fr,en",
    ),
    'publication-filter.value': validation(
      (a: { expected: readonly string[] }) => `Invalid value for 'publicationFilter'. Expected one of: ${a.expected.join(', ')}`,
    ),
    'has-published-version.value': validation(() => "Invalid value for 'hasPublishedVersion'. Expected boolean or 'true'/'false' string."),
    'search.value': validation(() => "Invalid parameter at '_q'. Expected a text"),
    'search.words': validation((a: { path: string }) => `${a.path}: expected at least one word`),
    'search.no-index': unavailable(
      (a: { type: string; state: string }) => `The full-text index of ${a.type} is ${a.state}: run lectern search build`,
    ),
    'search.type': validation(
      (a: { received: string; known: readonly string[] }) =>
        `types: there is no full-text search in ${a.received}${a.known.length === 0 ? '' : `, only in ${a.known.join(', ')}`}`,
    ),
    'search.page': validation((a: { limit: number }) => `pagination: only the first ${a.limit} entries can be paged through`),
    'sort.rank': validation(() => 'sort=$rank needs a full-text search: filters[$search]'),
    'database.value': validation(() => "A value in the query cannot be compared by the database: out of range or not of the column's type"),
  },
  'Writing documents': {
    'body.no-data': {
      ...validation(() => 'Missing "data" payload in the request body'),
      help: () => 'The body must be an object with the object "data", as in {"data": {…}}',
    },
    'body.media-type': unsupported((a: { problem: string }) => `${a.problem} (policies.refuseMediaTypes)`),
    'body.invalid-key': validation((a: { key: string; at: string | null }) => `Invalid key ${a.key}${pathSuffix(a.at)}`),
    'body.values': { ...validation((a: { message: string; help?: string | undefined }) => a.message), help: ({ help }) => help },
    'body.unstorable': validation((a: { path: string }) => `${a.path} contains a character that the database cannot store (NUL)`),
    'body.out-of-range': validation((a: { values: string }) => `Too large or too long for the column in this database: ${a.values}`),
    'component.not-related': application(
      (a: { attribute: string; hint: string }) =>
        `Some of the provided components in ${a.attribute} are not related to the entity${a.hint}`,
    ),
    'zone.not-related': {
      status: 400,
      name: 'Error',
      message: (a: { attribute: string; hint: string }) =>
        `Some of the provided components in ${a.attribute} are not related to the entity${a.hint}`,
    },
    'relation.not-found': {
      ...validation((a: RelationTarget) => `Document with id "${a.documentId}", locale "${a.locale}" not found`),
      // A document that the caller may not find counts as missing; the message is the same.
      help: ({ documentId, locale, type, path }: RelationTarget) =>
        `${path}: there is no document of ${type} with the documentId "${documentId}"${locale === 'null' ? '' : ` in the locale ${locale}`} that you may find; a documentId is what a read of its type returns as documentId`,
    },
    'relation.anchor': validation(
      (a: { path: string }) => `${a.path}: a position names a target that is neither linked nor connected here`,
    ),
    'relation.twice': validation(
      (a: { id: string }) => `The relation with id ${a.id} is already connected. You cannot connect the same relation twice.`,
    ),
    'relation.circle': validation((a: { path: string }) => `${a.path}: positions refer to each other in a circle`),
    'locale.one': validation((a: { received: string }) => `Invalid locale param ${a.received} provided. Document locales must be strings.`),
    'delete.draft': validation(() => 'Cannot delete a draft document: a document is deleted with all its versions'),
    'document.changed': preconditionFailed(() => 'The document has changed since it was read (If-Match)'),
    'history.gone': notFound(() => 'There is no such version: it was removed, or it is none of this document'),
    'history.restricted': forbidden(
      (a: { action: string }) => `Your right ${a.action} includes only some documents, and what they were is not known to be among them`,
    ),
    'schedule.shape': validation((a: { message: string }) => a.message),
    'schedule.no-table': notImplemented(
      (a: { command: string }) => `Scheduling needs a table of its own in this database: run ${a.command} once`,
    ),
    'release.shape': validation((a: { message: string }) => a.message),
    'release.not-found': notFound(
      (a: { id: string }) => `There is no release ${a.id} that you may see; GET …/_releases lists those that there are`,
    ),
    'release.no-table': notImplemented(
      (a: { command: string }) => `Releases need tables of their own in this database: run ${a.command} once`,
    ),
    'release.forbidden': forbidden(() => 'The release has entries that you may not publish'),
    'release.unseen': forbidden(
      () =>
        'The release was made by somebody else, and you could not see it any more: it must keep an entry, and have only types of which you may publish every document',
    ),
    'release.done': conflict(() => 'The release was published: make another one'),
    'release.changed': conflict(() => 'The release was changed meanwhile: read it again'),
    'release.refused': validation(
      (a: { count: number }) =>
        `${a.count === 1 ? 'One entry' : `${a.count} entries`} cannot be published, and nothing was done: see details.errors`,
    ),
    'batch.shape': validation((a: { message: string }) => a.message),
    'batch.reference': validation(
      (a: { reference: string }) =>
        `${a.reference} names no earlier operation with a document: $0.documentId is that of the first operation`,
    ),
    'batch.hooked': validation(
      (a: { uid: string }) => `Hooks of ${a.uid} cannot see earlier operations: name each of its documents in one operation only`,
    ),
    'batch.refused': validation(
      (a: { count: number }) =>
        `${a.count === 1 ? 'One operation is' : `${a.count} operations are`} refused, and nothing was written: see details.errors`,
    ),
    'bulk.shape': validation((a: { message: string }) => a.message),
    'bulk.filter': validation(() => 'filters is missing, or has no condition: name the documents that are changed'),
    'bulk.count': conflict(
      (a: { count: number; expected: number }) =>
        `The filter matches ${a.count} ${a.count === 1 ? 'document' : 'documents'} that you may change, and expected is ${a.expected}: nothing was changed`,
    ),
    'bulk.refused': validation(
      (a: { count: number }) =>
        `${a.count === 1 ? 'One document is' : `${a.count} documents are`} refused, and nothing was changed: see details.errors`,
    ),
    'idempotency.reused': {
      status: 422,
      name: 'UnprocessableEntityError',
      message: () => 'This Idempotency-Key was used with another body',
    },
    'idempotency.gone': {
      status: 410,
      name: 'GoneError',
      message: () => 'The entry that this Idempotency-Key created was deleted, or you may no longer read it; no other entry was created',
    },
    'idempotency.key': validation(() => 'Idempotency-Key must have 1 to 255 characters'),
    'idempotency.no-table': notImplemented(
      (a: { command: string }) => `Idempotency-Key needs a table of its own in this database: run ${a.command} once`,
    ),
  },
  'Hooks and endpoints': {
    'hook.refused': validation((a: { message: string }) => a.message),
    'hook.outdated': unavailable(() => 'The document was changed several times while its hooks ran', 1),
    'hook.also-missing': conflict(
      (a: { uid: string; documentId: string }) => `A hook writes ${a.uid} ${a.documentId}, which does not exist`,
    ),
    'hook.depth': {
      status: 508,
      name: 'LoopDetectedError',
      message: (a: { limit: number }) => `Hooks have led to each other more than ${a.limit} times in a row`,
    },
    'endpoint.invalid': validation((a: { message: string }) => a.message),
    'code.time': unavailable(() => 'The code of this project took too long for this request'),
    'code.busy': unavailable(() => 'Too many requests are waiting for the code of this project; retry later', 1),
    'code.ended': unavailable(() => 'The code of this project ended before it had responded', 1),
    'code.asked-wrong': badRequest((a: { problem: string }) => a.problem),
  },
  Access: {
    'access.forbidden': forbidden(() => 'Forbidden'),
    'access.drafts': forbidden((a: { action: string }) => `Reading drafts needs the right ${a.action} (policies.draftsNeedRight)`),
    'access.outside': forbidden(
      () => 'The right is restricted, and this write would change or create something outside of the restriction',
    ),
    'access.drafts-only': forbidden(() => 'The right is restricted to drafts: write with status=draft, and leave published documents'),
    'access.credentials': unauthorized(() => 'Missing or invalid credentials'),
    'access.token-expired': unauthorized(() => 'Token expired'),
    'access.invalid-credentials': unauthorized(() => 'Invalid credentials'),
    'access.unauthorized': unauthorized(() => 'Unauthorized'),
    'access.rate-limit': { status: 429, name: 'RateLimitError', message: () => 'Too many requests, please try again later.' },
  },
  'API tokens': {
    'api-token.invalid': validation((a: { problem: string }) => a.problem),
    'api-token.name-taken': application((a: { name: string }) => `An API token with the name "${a.name}" already exists`),
    'api-token.not-found': notFound(() => 'API token not found'),
    'api-token.ambiguous': application((a: { reference: string }) => `${a.reference} is the name of one API token and the id of another`),
    'api-token.expired': application(
      (a: { name: string }) => `The API token "${a.name}" has expired, and a new secret would not change that: create a new token`,
    ),
    'api-token.no-salt': unavailable(
      () => `API tokens need the secret API_TOKEN_SALT, which is not set. ${howToSetSecret('API_TOKEN_SALT')}`,
    ),
    'api-token.no-tables': unavailable(() => 'This database has no tables for API tokens'),
  },
  Accounts: {
    'user.invalid-body': validation((a: { problem: string }) => a.problem),
    'user.refused': application((a: { problem: string }) => a.problem),
    'user.not-found': notFound(() => 'User not found'),
    'user.no-password': validation(() => 'password.notNull'),
    'user.email-taken': application(() => 'Email already taken'),
    'user.username-taken': application(() => 'Username already taken'),
    'user.administrator': forbidden(
      () =>
        'Only administrators can change users whose role has the right lectern::management.access, or give users such a role: at /api/_manage/users, or with lectern user',
    ),
    'register.closed': application(() => 'Register action is currently disabled'),
    'register.parameters': validation((a: { keys: string }) => `Invalid parameters: ${a.keys}`),
    'register.taken': application(() => 'Email or Username are already taken'),
    'register.no-role': application(() => 'Impossible to find the default role'),
    'register.administrators': forbidden(
      () => 'New users cannot get a role that has the right lectern::management.access (auth.defaultRole)',
    ),
    'password.no-user': application(() => 'You must be authenticated to reset your password'),
    'password.wrong': validation(() => 'The provided current password is invalid'),
    'password.same': validation(() => 'Your new password must be different than your current password'),
    'password.code': validation(() => 'Incorrect code provided'),
    'confirmation.token': validation(() => 'Invalid token'),
    'confirmation.done': application(() => 'Already confirmed'),
    'confirmation.blocked': application(() => 'User blocked'),
    'mail.no-server': unavailable(() => 'This request has to send a mail, and no mail server is configured (mail.host)'),
  },
  'Signing in and sessions': {
    'login.failed': validation(() => 'Invalid identifier or password'),
    'login.blocked': application(() => 'Your account has been blocked by an administrator'),
    'login.unconfirmed': application(() => 'Your account email is not confirmed'),
    'login.disabled': application(() => 'This provider is disabled'),
    'login.no-secret': unavailable(
      () => `Signing in needs the secret JWT_SECRET, and the server was started without it. ${howToSetSecret('JWT_SECRET')}`,
    ),
    'session.no-token': badRequest(() => 'Missing refresh token'),
    'session.invalid-token': unauthorized(() => 'Invalid refresh token'),
    'session.foreign-origin': forbidden(
      () => 'A page of this origin may not use the cookie of a session: cors.origins does not name the origin',
    ),
    'session.no-user': unauthorized(() => 'Missing authentication'),
    'session.not-found': notFound(() => 'Session not found'),
    'session.no-table': notImplemented(
      () =>
        'Signing in needs the table strapi_sessions, which this database lacks: run lectern migrate apply and start again, or set auth.jwtManagement to legacy-support',
    ),
    'connect.parameter': validation((a: { parameter: string; problem: string }) => `${a.parameter} ${a.problem}`),
    'connect.not-begun': badRequest(() => 'This sign-in was not begun in this browser, or was begun too long ago; begin again'),
    'connect.code': validation(() => 'The code is unknown, used or expired, or code_verifier does not belong to it'),
    'connect.unavailable': unavailable(
      (a: { provider: string }) => `Signing in with ${a.provider} is not possible now: the provider does not respond correctly`,
    ),
  },
  'Roles and management': {
    'role.empty-body': validation(() => 'Request body cannot be empty'),
    'role.invalid-body': validation((a: { problem: string }) => a.problem),
    'role.reserved': application((a: { type: string }) => `A role of the type ${a.type} already exists, and there can be only one`),
    'role.public': application(() => 'Cannot delete public role'),
    'role.administrators': forbidden(
      () =>
        'Only administrators can change or delete a role that has the right lectern::management.access, or add another of its type: at /api/_manage/roles, or with lectern role and lectern permissions',
    ),
    'role.not-found': notFound(() => 'Role not found'),
    'management.document': validation((a: { problem: string }) => a.problem),
    'management.declared': conflict(
      (a: { what: string; source: string }) => `${a.what} is declared in ${a.source} of the project; change it there`,
    ),
    'management.role-taken': conflict((a: { type: string }) => `A role of the type ${a.type} already exists`),
    'management.no-link': conflict((a: { problem: string }) => a.problem),
    'management.no-webhook': notFound((a: { what: string }) => `There is no such ${a.what}`),
    'management.no-table': notImplemented(
      (a: { table: string }) => `This needs the table ${a.table}, which this database lacks: run lectern migrate apply`,
    ),
  },
  'Files and uploads': {
    'file.not-found': notFound(() => 'file.notFound'),
    'file.range': { status: 416, name: 'RangeNotSatisfiableError', message: () => 'The file has no bytes in this range' },
    'file.changed': preconditionFailed(() => 'The file has changed since it was read (If-Match, If-Unmodified-Since)'),
    'upload.no-files': {
      ...validation((_: { parts?: readonly string[] }) => 'Files are empty'),
      help: ({ parts = [] }: { parts?: readonly string[] }) =>
        `No part with the name files holds a file${parts.length === 0 ? '' : `, but files came in parts with the name ${parts.join(', ')}`}; send multipart/form-data with the name files, as in curl -F files=@photo.jpg`,
    },
    'upload.not-multipart': validation(() => 'Send the files as multipart/form-data, in parts with the name files'),
    'upload.malformed': validation((a: { problem: string }) => `The multipart body cannot be read: ${a.problem}`),
    'upload.file-name': application(() => 'File name contains invalid characters'),
    'upload.type': validation((a: { type: string }) => `File type '${a.type}' is not allowed`),
    'upload.detected-type': validation(() => 'MIME type is not allowed'),
    'upload.content': validation(
      (a: { name: string; type: string }) =>
        `${a.name} was sent as ${a.type}, but does not begin like a file of this type (policies.believeMediaTypes)`,
    ),
    'upload.file-info': validation((a: { problem: string }) => a.problem),
    'upload.one-file': validation(() => 'Cannot replace a file with multiple ones'),
    'upload.unknown-file': notFound(() => 'Entity not found'),
    'upload.file-id': validation(() => 'File id is required and must be a single value'),
    'upload.link': validation((a: { problem: string }) => a.problem),
    'upload.too-large': tooLarge((a: { name: string; limit: string }) => `${a.name} exceeds size limit of ${a.limit}.`),
    'upload.request-too-large': tooLarge(
      (a: { what: string; limit: number; setting: string }) => `The request has more than ${a.limit} ${a.what} (${a.setting})`,
    ),
    'upload.stalled': requestTimeout((a: { limit: number }) => `Nothing has arrived for ${a.limit} ms (upload.stallTime)`),
    'upload.no-room': diskFull(() => 'The disk for files is full; nothing was stored'),
    'upload.bytes-left': unavailable(
      () =>
        'The storage of files does not respond: the change was made, but old files remain until lectern media check --delete-orphans deletes them',
    ),
    'upload.body': validation((a: { problem: string }) => a.problem),
    'folder.not-found': notFound(() => 'Folder not found'),
    'folder.not-empty': conflict(() => 'The folder is not empty: move or delete its files and folders first'),
    'upload.storage': unavailable(() => 'The storage of files does not respond; retry later'),
  },
  'Images and variants': {
    'image.broken': application(() => 'File is not a valid image'),
    'image.not-an-image': validation(() => 'Variants can be made only of JPEG, PNG, WebP, AVIF, TIFF and GIF images'),
    'image.too-large': application((a: { limit: number }) => `The image has more than ${a.limit} pixels (upload.pixels)`),
    'image.too-slow': application((a: { limit: number }) => `Processing the image takes longer than ${a.limit} ms (upload.imageTime)`),
    'image.busy': unavailable(() => 'Too many images are waiting; retry later'),
    'variant.parameter': validation((a: { name: string; expected: string }) => `${a.name}: expected ${a.expected}`),
    'variant.not-allowed': forbidden(
      (a: { name: string; allowed: string }) => `${a.name} must be one of ${a.allowed}, or the URL must be signed`,
    ),
    'variant.signature': forbidden(() => 'The signature of the URL is wrong or has expired'),
  },
  Limits: {
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
      (a: { budget: string; parameter: string; limit: number }) => `${a.parameter} exceeds the limit of ${a.limit} (limits.${a.budget})`,
    ),
    'limit.pattern': validation((a: { path: string; limit: number }) => `${a.path} is longer than ${a.limit} bytes (limits.patternBytes)`),
    'limit.body-depth': validation((a: { limit: number }) => `The body is nested deeper than ${a.limit} levels (limits.bodyDepth)`),
    'limit.components': validation((a: { what: string; limit: number }) => `${a.what} more than ${a.limit} components (limits.components)`),
    'limit.links': validation((a: { limit: number }) => `The body names more than ${a.limit} relation targets and files (limits.links)`),
    'limit.batch': validation(
      (a: { count: number; limit: number; setting: string }) => `${a.count} operations are more than ${a.limit} (${a.setting})`,
    ),
    'limit.bulk': validation((a: { count: number; limit: number }) => `${a.count} documents are more than ${a.limit} (limits.bulk)`),
    'limit.form-parameters': validation(
      (a: { limit: number }) => `The form has more than ${a.limit} parameters, or a list with more values (limits.parameters)`,
    ),
    'limit.rows': validation(
      (a: { limit: number }) =>
        `The response would take more than ${a.limit} rows (limits.rows); request fewer populated paths or a smaller page`,
    ),
    'limit.response-bytes': validation(
      (a: { limit: number }) =>
        `The response would be longer than ${a.limit} bytes (limits.responseBytes); request fewer fields, populated paths or rows`,
    ),
    'limit.source-maps': validation(
      (a: { limit: number }) =>
        `With Strapi-Encode-Source-Maps, the response would be longer than ${a.limit} bytes; request fewer fields, populated paths or rows`,
    ),
  },
  'Load, outages and full disks': {
    'response.busy': unavailable(() => 'Too many long responses are being sent (limits.unsentBytes); retry later, or request less', 2),
    'password.busy': unavailable(() => 'Too many passwords are waiting to be hashed; retry later', 2),
    'database.busy': unavailable(() => 'The database is busy; retry later', 1),
    'database.unavailable': unavailable(() => 'The database cannot be reached; retry later', 2),
    'database.stopped': unavailable(() => 'The query was stopped because other requests were waiting; request less, or retry later', 2),
    'database.time': unavailable((a: { limit: number }) => `The query took longer than ${a.limit} ms (limits.statementTime)`, 2),
    'upstream.unavailable': {
      status: 502,
      name: 'BadGatewayError',
      message: (a: { problem: string }) =>
        `This request is forwarded to Strapi, which ${a.problem}. What Lectern serves itself is not affected`,
    },
    'upstream.busy': unavailable(() => 'Too many requests are being forwarded to Strapi (limits.upstreamConnections); retry later', 2),
    'database.full': diskFull(() => 'The disk of the database is full; nothing was written'),
  },
} as const satisfies Record<string, Record<string, ErrorDefinition>>;

export const errorCatalogue = {
  ...errorGroups['Requests and routes'],
  ...errorGroups['Request bodies'],
  ...errorGroups.Queries,
  ...errorGroups['Writing documents'],
  ...errorGroups['Hooks and endpoints'],
  ...errorGroups.Access,
  ...errorGroups['API tokens'],
  ...errorGroups.Accounts,
  ...errorGroups['Signing in and sessions'],
  ...errorGroups['Roles and management'],
  ...errorGroups['Files and uploads'],
  ...errorGroups['Images and variants'],
  ...errorGroups.Limits,
  ...errorGroups['Load, outages and full disks'],
} as const;

export type ErrorCode = keyof typeof errorCatalogue;

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(errorCatalogue, text);

export type ErrorArguments<Code extends ErrorCode> = Parameters<(typeof errorCatalogue)[Code]['message']> extends [infer A] ? A : undefined;
