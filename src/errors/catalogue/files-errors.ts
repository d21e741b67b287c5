import { type ErrorDefinition, validation } from './error-definition.ts';

export const filesErrors = {
  'file.not-found': { status: 404, name: 'NotFoundError', message: () => 'file.notFound' },
  'file.range': { status: 416, name: 'RangeNotSatisfiableError', message: () => 'The file has no bytes in this range' },
  'file.changed': {
    status: 412,
    name: 'PreconditionFailedError',
    message: () => 'The file has changed since it was read (If-Match, If-Unmodified-Since)',
  },
  'upload.no-files': {
    ...validation((_: { parts?: readonly string[] }) => 'Files are empty'),
    help: ({ parts = [] }: { parts?: readonly string[] }) =>
      `No part with the name files holds a file${parts.length === 0 ? '' : `, but files came in parts with the name ${parts.join(', ')}`}; send multipart/form-data with the name files, as in curl -F files=@photo.jpg`,
  },
  'upload.not-multipart': validation(() => 'Send the files as multipart/form-data, in parts with the name files'),
  'upload.malformed': validation((a: { problem: string }) => `The multipart body cannot be read: ${a.problem}`),
  'upload.file-name': { status: 400, name: 'ApplicationError', message: () => 'File name contains invalid characters' },
  'upload.type': validation((a: { type: string }) => `File type '${a.type}' is not allowed`),
  'upload.detected-type': validation(() => 'MIME type is not allowed'),
  'upload.content': validation(
    (a: { name: string; type: string }) =>
      `${a.name} was sent as ${a.type}, but does not begin like a file of this type (policies.believeMediaTypes)`,
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
    message: () => 'The disk for files is full; nothing was stored',
  },
  'upload.bytes-left': {
    status: 503,
    name: 'ServiceUnavailableError',
    message: () =>
      'The storage of files does not respond: the change was made, but old files remain until lectern media check --delete-orphans deletes them',
  },
  'upload.storage': {
    status: 503,
    name: 'ServiceUnavailableError',
    message: () => 'The storage of files does not respond; retry later',
  },
} as const satisfies Record<string, ErrorDefinition>;
