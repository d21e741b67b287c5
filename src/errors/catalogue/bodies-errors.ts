import type { ErrorDefinition } from './error-definition.ts';

export const bodiesErrors = {
  'body.invalid-json': { status: 400, name: 'SyntaxError', message: (a: { problem: string }) => a.problem },
  'body.invalid-utf8': { status: 400, name: 'SyntaxError', message: () => 'The body is not valid UTF-8' },
  'body.incomplete': { status: 400, name: 'BadRequestError', message: () => 'The request ended before its body was complete' },
  'body.invalid-encoding': {
    status: 400,
    name: 'BadRequestError',
    message: (a: { encoding: string }) => `The body does not match its Content-Encoding (${a.encoding})`,
  },
  'body.unsupported-encoding': {
    status: 415,
    name: 'UnsupportedMediaTypeError',
    message: (a: { encoding: string }) => `Unsupported Content-Encoding: ${a.encoding}`,
  },
  'body.too-large': { status: 413, name: 'PayloadTooLargeError', message: () => 'request entity too large' },
} as const satisfies Record<string, ErrorDefinition>;
