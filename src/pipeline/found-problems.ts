/** What a dry run finds: the problems that the write itself would report of its body. */
import type { ApiError } from '../errors/api-error.ts';
import type { ErrorCode } from '../errors/catalogue/catalogue.ts';
import { type ErrorStyle, worded } from '../errors/error-body.ts';
import type { FoundProblem, FoundProblems } from './call.ts';

export const noProblems: FoundProblems = { errors: [], more: 0 };

/** The errors about keys and values of a body. Others are about the request, or the caller's rights. */
const aboutBodies: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'body.invalid-key',
  'body.values',
  'body.unstorable',
  'body.out-of-range',
  'component.not-related',
  'zone.not-related',
  'relation.not-found',
  'relation.anchor',
  'relation.twice',
  'relation.circle',
  'hook.refused',
]);

/** Undefined for an error that is not about the body. */
export function problemsOf(error: ApiError, style: ErrorStyle): FoundProblems | undefined {
  if (!aboutBodies.has(error.code)) return undefined;
  const { message, details = {} } = worded(error, style);
  const { errors, more } = details;
  if (!Array.isArray(errors)) return { errors: [{ path: error.location ?? pathIn(details), message, name: error.errorName }], more: 0 };
  const found = errors.map(({ path, message: text, name }: FoundProblem): FoundProblem => ({ path, message: text, name }));
  return { errors: found, more: typeof more === 'number' ? more : 0 };
}

/** The path of the only problem: that of the attribute, or of the object that has an unknown key. */
function pathIn({ path, key }: Readonly<Record<string, unknown>>): readonly string[] {
  if (Array.isArray(path)) return path.map(String);
  const parent = typeof path === 'string' ? path.split('.') : [];
  return typeof key === 'string' && parent.at(-1) !== key ? [...parent, key] : parent;
}
