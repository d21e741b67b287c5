/** The bodies of `POST /api/users` and `PUT /api/users/:id`: attributes without an envelope. */

import { ApiError } from '../errors/api-error.ts';
import { invalidBodyKey } from '../errors/invalid-key.ts';
import { maxPasswordBytes } from '../identity/password.ts';
import { isEmail } from '../model/attributes/email.ts';
import type { ContentType } from '../model/content-model.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { type BodyProblem, bodyObject, fieldProblems, invalidBody } from './read-body.ts';

/** Only the server makes the tokens of mails. */
const ownedByServer: ReadonlySet<string> = new Set(['resetPasswordToken', 'confirmationToken']);

export function newUserData(body: unknown, type: ContentType): JsonObject {
  const object = bodyObject(body);
  const problems = [
    ...fieldProblems('email', 'email', object.email),
    ...fieldProblems('username', 'text', object.username),
    ...fieldProblems('password', 'newPassword', object.password),
    ...newRoleProblems(object.role),
  ];
  if (problems.length > 0) throw invalidBody(problems);
  return { ...attributesOf(object, type), email: String(object.email).toLowerCase(), provider: 'local' };
}

export function changedUserData(body: unknown, type: ContentType, provider: string | null): JsonObject {
  const object = bodyObject(body);
  const named = (name: string) => Object.hasOwn(object, name);
  const problems: BodyProblem[] = [];
  const add = (path: readonly string[], message: string) => problems.push({ path, message });
  const { email, username, password, role } = object;
  if (named('email')) {
    if (typeof email !== 'string') add(['email'], 'email must be a `string` type');
    else if (!isEmail(email)) add(['email'], 'email must be a valid email');
  }
  if (named('username') && (typeof username !== 'string' || username === '')) add(['username'], 'username must be a `string` type');
  if (named('password') && password !== null && password !== '') {
    if (typeof password !== 'string') add(['password'], 'Password must be at least 1 character');
    else if (Buffer.byteLength(password) > maxPasswordBytes) add(['password'], 'Password must be less than 73 bytes');
  }
  if (named('role')) problems.push(...changedRoleProblems(role));
  if (problems.length > 0) throw invalidBody(problems);
  if (provider === 'local' && named('password') && (password === null || password === '')) throw ApiError.of('user.no-password');
  return { ...attributesOf(object, type), ...(typeof email === 'string' ? { email: email.toLowerCase() } : {}) };
}

/** As recorded, unknown names are ignored. Ids are refused: senders expect them to be used. */
function attributesOf(object: JsonObject, type: ContentType): JsonObject {
  for (const key of ['id', 'documentId']) if (Object.hasOwn(object, key)) throw invalidBodyKey(key, undefined);
  const isWritable = (key: string) => type.attributes.get(key)?.writable === true && !ownedByServer.has(key);
  return Object.fromEntries(Object.entries(object).filter(([key]) => isWritable(key)));
}

function newRoleProblems(role: unknown): BodyProblem[] {
  if (role === undefined || role === null || role === '') return [{ path: ['role'], message: 'role is a required field' }];
  if (!isObject(role)) return roleKeyProblems(role);
  if (!Array.isArray(role.connect) || role.connect.length === 0) return [{ path: ['role', 'connect'], message: 'Users must have a role' }];
  return otherKeys(role);
}

/** A role can be replaced, not taken away. */
function changedRoleProblems(role: unknown): BodyProblem[] {
  if (!isObject(role)) return role === null ? [{ path: ['role'], message: 'Cannot remove role' }] : roleKeyProblems(role);
  const { connect = [], disconnect = [] } = role;
  if (!Array.isArray(connect)) return [{ path: ['role', 'connect'], message: 'role.connect must be a `array` type' }];
  if (!Array.isArray(disconnect)) return [{ path: ['role', 'disconnect'], message: 'role.disconnect must be a `array` type' }];
  if (connect.length === 0 && disconnect.length > 0) return [{ path: ['role', 'disconnect'], message: 'Cannot remove role' }];
  return otherKeys(role);
}

const otherKeys = (role: JsonObject): BodyProblem[] =>
  Object.keys(role).some((key) => key !== 'connect' && key !== 'disconnect')
    ? [{ path: ['role'], message: 'role must be an id, or an object with connect and disconnect' }]
    : [];

const roleKeyProblems = (role: unknown): BodyProblem[] =>
  typeof role === 'string' || typeof role === 'number' ? [] : [{ path: ['role'], message: 'role must be an id' }];
