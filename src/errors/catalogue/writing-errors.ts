import { type ErrorDefinition, pathSuffix, validation } from './error-definition.ts';

interface RelationTarget {
  readonly documentId: string;
  readonly locale: string;
  readonly type: string;
  /** The path in the body. */
  readonly path: string;
}

export const writingErrors = {
  'body.no-data': {
    ...validation(() => 'Missing "data" payload in the request body'),
    help: () => 'The body must be an object with the object "data", as in {"data": {…}}',
  },
  'body.media-type': {
    status: 415,
    name: 'UnsupportedMediaTypeError',
    message: (a: { problem: string }) => `${a.problem} (policies.refuseMediaTypes)`,
  },
  'body.invalid-key': validation((a: { key: string; at: string | null }) => `Invalid key ${a.key}${pathSuffix(a.at)}`),
  'body.values': { ...validation((a: { message: string; help?: string | undefined }) => a.message), help: ({ help }) => help },
  'body.unstorable': validation((a: { path: string }) => `${a.path} contains a character that the database cannot store (NUL)`),
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
  'relation.not-found': {
    ...validation((a: RelationTarget) => `Document with id "${a.documentId}", locale "${a.locale}" not found`),
    // A document that the caller may not find counts as missing, and the message must not tell them apart.
    help: ({ documentId, locale, type, path }: RelationTarget) =>
      `${path}: there is no document of ${type} with the documentId "${documentId}"${locale === 'null' ? '' : ` in the locale ${locale}`} that you may find; a documentId is what a read of its type returns as documentId`,
  },
  'relation.anchor': validation((a: { path: string }) => `${a.path}: a position names a target that is neither linked nor connected here`),
  'relation.twice': validation(
    (a: { id: string }) => `The relation with id ${a.id} is already connected. You cannot connect the same relation twice.`,
  ),
  'relation.circle': validation((a: { path: string }) => `${a.path}: positions refer to each other in a circle`),
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
    message: () => 'The entry that this Idempotency-Key created was deleted, or you may no longer read it; no other entry was created',
  },
  'idempotency.key': validation(() => 'Idempotency-Key must have 1 to 255 characters'),
  'idempotency.no-table': {
    status: 501,
    name: 'NotImplementedError',
    message: (a: { command: string }) => `Idempotency-Key needs a table of its own in this database: run ${a.command} once`,
  },
} as const satisfies Record<string, ErrorDefinition>;
