import type { ErrorDefinition } from './error-definition.ts';

export const capacityErrors = {
  'response.busy': {
    status: 503,
    name: 'ServiceUnavailableError',
    retryAfter: 2,
    message: () => 'Too many long answers are being sent (limits.unsentBytes); try again later, or ask for less',
  },
  'password.busy': {
    status: 503,
    name: 'ServiceUnavailableError',
    retryAfter: 2,
    message: () => 'Too many passwords are waiting to be hashed; try again',
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
  'database.full': {
    status: 507,
    name: 'InsufficientStorageError',
    message: () => 'The database has no room left; nothing was written',
  },
} as const satisfies Record<string, ErrorDefinition>;
