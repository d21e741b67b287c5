import type { ErrorDefinition } from './error-definition.ts';

export const capacityErrors = {
  'response.busy': {
    status: 503,
    name: 'ServiceUnavailableError',
    retryAfter: 2,
    message: () => 'Too many long responses are being sent (limits.unsentBytes); retry later, or request less',
  },
  'password.busy': {
    status: 503,
    name: 'ServiceUnavailableError',
    retryAfter: 2,
    message: () => 'Too many passwords are waiting to be hashed; retry later',
  },
  'database.busy': { status: 503, name: 'ServiceUnavailableError', retryAfter: 1, message: () => 'The database is busy; retry later' },
  'database.unavailable': {
    status: 503,
    name: 'ServiceUnavailableError',
    retryAfter: 2,
    message: () => 'The database cannot be reached; retry later',
  },
  'database.stopped': {
    status: 503,
    name: 'ServiceUnavailableError',
    retryAfter: 2,
    message: () => 'The query was stopped because other requests were waiting; request less, or retry later',
  },
  'database.time': {
    status: 503,
    name: 'ServiceUnavailableError',
    retryAfter: 2,
    message: (a: { limit: number }) => `The query took longer than ${a.limit} ms (limits.statementTime)`,
  },
  'upstream.unavailable': {
    status: 502,
    name: 'BadGatewayError',
    message: (a: { problem: string }) =>
      `This request is forwarded to Strapi, which ${a.problem}. What Lectern serves itself is not affected`,
  },
  'upstream.busy': {
    status: 503,
    name: 'ServiceUnavailableError',
    retryAfter: 2,
    message: () => 'Too many requests are being forwarded to Strapi (limits.upstreamConnections); retry later',
  },
  'database.full': {
    status: 507,
    name: 'InsufficientStorageError',
    message: () => 'The disk of the database is full; nothing was written',
  },
} as const satisfies Record<string, ErrorDefinition>;
