/** The bodies of the endpoints for accounts: texts under fixed names. All problems are reported. */

import { ApiError } from '../errors/api-error.ts';
import { maxPasswordBytes } from '../identity/password.ts';
import { isEmail } from '../model/attributes/email.ts';
import { isObject, type JsonObject } from '../text/json.ts';

export interface BodyProblem {
  readonly path: readonly string[];
  readonly message: string;
}

/** A `newPassword` will be stored, so it has rules; a `text` may be any text. */
type Field = 'text' | 'email' | 'newPassword';

/** A body that is not an object is refused; an absent body is an empty object. */
export function bodyObject(body: unknown): JsonObject {
  const object = body ?? {};
  if (!isObject(object)) throw invalidBody([{ path: [], message: 'this must be a `object` type' }]);
  return object;
}

/** Every field is required, and must be a non-empty text. `strict` refuses other keys. */
export function readFields<Name extends string>(
  body: unknown,
  fields: Readonly<Record<Name, Field>>,
  { strict = false, same }: { readonly strict?: boolean; readonly same?: readonly [NoInfer<Name>, NoInfer<Name>] } = {},
): Readonly<Record<Name, string>> {
  const object = bodyObject(body);
  const names = Object.keys(fields) as Name[];
  const value = (name: Name) => (Object.hasOwn(object, name) ? object[name] : undefined);
  const problems = names.flatMap((name) => fieldProblems(name, fields[name], value(name)));
  const unknown = strict ? Object.keys(object).filter((key) => !Object.hasOwn(fields, key)) : [];
  if (unknown.length > 0) problems.push({ path: [], message: `this field has unspecified keys: ${unknown.join(', ').slice(0, 1000)}` });
  if (problems.length === 0 && same !== undefined && value(same[0]) !== value(same[1])) {
    problems.push({ path: [same[1]], message: 'Passwords do not match' });
  }
  if (problems.length > 0) throw invalidBody(problems);
  return Object.fromEntries(names.map((name) => [name, String(value(name))])) as Record<Name, string>;
}

export function fieldProblems(name: string, field: Field, value: unknown): BodyProblem[] {
  const problem = (message: string): BodyProblem[] => [{ path: [name], message }];
  if (value === undefined || value === '') return problem(`${name} is a required field`);
  if (typeof value !== 'string') return problem(`${name} must be a \`string\` type, but the final value was: \`${kindOf(value)}\`.`);
  if (field === 'email' && !isEmail(value)) return problem(`${name} must be a valid email`);
  if (field === 'newPassword' && Buffer.byteLength(value) > maxPasswordBytes) return problem('Password must be less than 73 bytes');
  return [];
}

/** The type and not the value, which may be a password in the wrong field. */
const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

export function invalidBody(problems: readonly BodyProblem[]): ApiError {
  const problem = problems.length === 1 ? (problems[0]?.message ?? '') : `${problems.length} errors occurred`;
  return ApiError.of('user.invalid-body', { problem }, { errors: problems.map((each) => ({ ...each, name: 'ValidationError' })) });
}

/** At most the length of its column; any other value counts as none. */
export const deviceIdOf = ({ deviceId }: JsonObject): string | undefined =>
  typeof deviceId === 'string' && deviceId !== '' && deviceId.length <= 255 ? deviceId : undefined;
