import { howToSetSecret } from '../../text/how-to-set-secret.ts';
import { type ErrorDefinition, validation } from './error-definition.ts';

export const apiTokensErrors = {
  'api-token.invalid': validation((a: { problem: string }) => a.problem),
  'api-token.name-taken': {
    status: 400,
    name: 'ApplicationError',
    message: (a: { name: string }) => `An API token with the name "${a.name}" already exists`,
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
    message: (a: { name: string }) => `The API token "${a.name}" has expired, and a new secret would not change that: create a new token`,
  },
  'api-token.no-salt': {
    status: 503,
    name: 'ServiceUnavailableError',
    message: () => `API tokens need the secret API_TOKEN_SALT, which is not set. ${howToSetSecret('API_TOKEN_SALT')}`,
  },
  'api-token.no-tables': {
    status: 503,
    name: 'ServiceUnavailableError',
    message: () => 'This database has no tables for API tokens',
  },
} as const satisfies Record<string, ErrorDefinition>;
