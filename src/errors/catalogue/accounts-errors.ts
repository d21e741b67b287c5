import { type ErrorDefinition, validation } from './error-definition.ts';

export const accountsErrors = {
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
  'mail.no-server': {
    status: 503,
    name: 'ServiceUnavailableError',
    message: () => 'This request has to send a mail, and no mail server is configured (mail.host)',
  },
} as const satisfies Record<string, ErrorDefinition>;
