import type { ErrorDefinition } from './error-definition.ts';

export const accessErrors = {
  'access.forbidden': { status: 403, name: 'ForbiddenError', message: () => 'Forbidden' },
  'access.drafts': {
    status: 403,
    name: 'ForbiddenError',
    message: (a: { action: string }) => `Reading drafts needs the right ${a.action} (policies.draftsNeedRight)`,
  },
  'access.outside': {
    status: 403,
    name: 'ForbiddenError',
    message: () => 'The right is restricted, and this write would change or create something outside of the restriction',
  },
  'access.credentials': { status: 401, name: 'UnauthorizedError', message: () => 'Missing or invalid credentials' },
  'access.token-expired': { status: 401, name: 'UnauthorizedError', message: () => 'Token expired' },
  'access.invalid-credentials': { status: 401, name: 'UnauthorizedError', message: () => 'Invalid credentials' },
  'access.unauthorized': { status: 401, name: 'UnauthorizedError', message: () => 'Unauthorized' },
  'access.rate-limit': { status: 429, name: 'RateLimitError', message: () => 'Too many requests, please try again later.' },
} as const satisfies Record<string, ErrorDefinition>;
