import type { ErrorDefinition } from './error-definition.ts';

export const requestsErrors = {
  'server.error': { status: 500, name: 'InternalServerError', message: () => 'Internal Server Error' },
  'request.malformed': { status: 400, name: 'BadRequestError', message: () => 'The request is not valid HTTP' },
  'request.headers-too-large': {
    status: 431,
    name: 'RequestHeaderFieldsTooLargeError',
    message: () => 'The request line and headers are too long',
  },
  'request.timeout': { status: 408, name: 'RequestTimeoutError', message: () => 'The request took too long to arrive' },
  'request.refused': { status: 400, name: 'BadRequestError', message: (a: { problem: string }) => a.problem },
  'request.left': { status: 400, name: 'BadRequestError', message: () => 'The client disconnected before the write began' },
  'path.undecodable': { status: 400, name: 'BadRequestError', message: () => 'failed to decode' },
  'path.malicious': { status: 400, name: 'BadRequestError', message: () => 'Malicious Path' },
  'path.ambiguous': {
    status: 400,
    name: 'BadRequestError',
    message: () =>
      'The path is not forwarded: it has empty segments, `.` or `..`, a backslash, or characters that must be percent-encoded, or it is another spelling of a path that Lectern serves',
  },
  'upstream.loop': {
    status: 508,
    name: 'LoopDetectedError',
    message: () => 'The request came back: the setting upstream leads to Lectern itself instead of Strapi',
  },
  'route.not-found': { status: 404, name: 'NotFoundError', message: () => 'Not Found' },
  'route.has-custom-code': {
    status: 501,
    name: 'NotImplementedError',
    message: (a: { action: string }) =>
      `The project has custom code for this route, which Lectern does not run. Serve or refuse ${a.action} under routes in lectern.config.json`,
  },
  'endpoint.not-served': {
    status: 501,
    name: 'NotImplementedError',
    message: (a: { instead: string }) => `Lectern does not serve this endpoint: ${a.instead}`,
  },
  'explore.foreign-host': {
    status: 403,
    name: 'ForbiddenError',
    message: () => 'Statements are shown only to pages at localhost, at an IP address, or at the host of the setting url',
  },
  'document.not-found': { status: 404, name: 'NotFoundError', message: () => 'Not Found' },
} as const satisfies Record<string, ErrorDefinition>;
