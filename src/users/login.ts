/** Signing in with a password: `POST /api/auth/local` without its HTTP. */
import type { AccessStore } from '../access/access-store.ts';
import { passwordMatches } from '../access/password.ts';
import { ApiError } from '../errors/api-error.ts';

export interface LoginBody {
  /** User name or e-mail address. */
  readonly identifier: string;
  readonly password: string;
  readonly deviceId: string | undefined;
}

/** Reads a request body; throws `login.invalid-body` with an entry for each thing wrong. */
export function parseLoginBody(body: unknown): LoginBody {
  if (!isRecord(body))
    throw invalidBody([{ path: [], message: typeMessage('this', 'object', body), name: 'ValidationError', value: body }]);
  const { identifier, password, deviceId } = body;
  const problems = [...stringProblems('identifier', identifier), ...stringProblems('password', password)];
  if (typeof identifier !== 'string' || typeof password !== 'string' || problems.length > 0) throw invalidBody(problems);
  return { identifier, password, deviceId: isDeviceId(deviceId) ? deviceId : undefined };
}

/** The id of the user whom the body names and whose password it knows. That a user is blocked or unconfirmed is told only to the one who knows it. */
export async function login(body: LoginBody, store: AccessStore): Promise<number> {
  const { email } = await store.settings('grant');
  if (isRecord(email) && email.enabled !== true) throw ApiError.of('login.disabled', undefined);
  const user = await store.userByIdentifier(body.identifier);
  const matches = await passwordMatches(body.password, user?.password);
  if (user === undefined || !matches) throw ApiError.of('login.failed', undefined);
  if (!user.confirmed && (await store.settings('advanced')).email_confirmation === true) throw ApiError.of('login.unconfirmed', undefined);
  if (user.blocked) throw ApiError.of('login.blocked', undefined);
  return user.id;
}

/** What its column holds. */
const isDeviceId = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 255;

interface Problem {
  readonly path: readonly string[];
  readonly message: string;
  readonly name: 'ValidationError';
  readonly value: unknown;
}

function stringProblems(name: string, value: unknown): Problem[] {
  if (value === undefined || value === '')
    return [{ path: [name], message: `${name} is a required field`, name: 'ValidationError', value }];
  if (typeof value !== 'string')
    return [{ path: [name], message: typeMessage(name, 'string', value), name: 'ValidationError', value: undefined }];
  return [];
}

const typeMessage = (name: string, type: string, value: unknown) =>
  `${name} must be a \`${type}\` type, but the final value was a \`${value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value}\`.`;

function invalidBody(errors: readonly Problem[]): ApiError {
  const problem = errors.length === 1 ? (errors[0]?.message ?? '') : `${errors.length} errors occurred`;
  return ApiError.of('login.invalid-body', { problem }, { errors });
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
