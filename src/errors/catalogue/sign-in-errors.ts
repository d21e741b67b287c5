import { howToSetSecret } from '../../text/how-to-set-secret.ts';
import { type ErrorDefinition, validation } from './error-definition.ts';

export const signInErrors = {
  'login.failed': { status: 400, name: 'ValidationError', message: () => 'Invalid identifier or password' },
  'login.blocked': { status: 400, name: 'ApplicationError', message: () => 'Your account has been blocked by an administrator' },
  'login.unconfirmed': { status: 400, name: 'ApplicationError', message: () => 'Your account email is not confirmed' },
  'login.disabled': { status: 400, name: 'ApplicationError', message: () => 'This provider is disabled' },
  'login.no-secret': {
    status: 503,
    name: 'ServiceUnavailableError',
    message: () => `Signing in needs the secret JWT_SECRET, and the server was started without it. ${howToSetSecret('JWT_SECRET')}`,
  },
  'session.no-token': { status: 400, name: 'BadRequestError', message: () => 'Missing refresh token' },
  'session.invalid-token': { status: 401, name: 'UnauthorizedError', message: () => 'Invalid refresh token' },
  'session.foreign-origin': {
    status: 403,
    name: 'ForbiddenError',
    message: () => 'A page of this origin may not use the cookie of a session: cors.origins does not name the origin',
  },
  'session.no-user': { status: 401, name: 'UnauthorizedError', message: () => 'Missing authentication' },
  'session.not-found': { status: 404, name: 'NotFoundError', message: () => 'Session not found' },
  'session.no-table': {
    status: 501,
    name: 'NotImplementedError',
    message: () =>
      'Signing in needs the table strapi_sessions, which this database lacks: run lectern migrate apply and start again, or set auth.jwtManagement to legacy-support',
  },
  'connect.parameter': validation((a: { parameter: string; problem: string }) => `${a.parameter} ${a.problem}`),
  'connect.not-begun': {
    status: 400,
    name: 'BadRequestError',
    message: () => 'This sign-in was not begun in this browser, or was begun too long ago; begin again',
  },
  'connect.code': validation(() => 'The code is unknown, used or expired, or code_verifier does not belong to it'),
  'connect.unavailable': {
    status: 503,
    name: 'ServiceUnavailableError',
    message: (a: { provider: string }) => `Signing in with ${a.provider} is not possible now: the provider does not respond correctly`,
  },
} as const satisfies Record<string, ErrorDefinition>;
