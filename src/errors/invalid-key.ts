import { orMeant } from '../text/nearest.ts';
import { ApiError } from './api-error.ts';

/** The parameters whose keys name attributes. */
export type QueryParameter = 'filters' | 'sort' | 'fields' | 'populate' | 'groupBy' | 'avg' | 'sum' | 'min' | 'max';

const maxKeyLength = 200;

/** `Invalid key nope at category`. `path` is of the attribute; of its parent if there is none. */
export function invalidKey(key: string, path: string | null, parameter: string): ApiError {
  const shown = key.length > maxKeyLength ? `${key.slice(0, maxKeyLength)}…` : key;
  const error = ApiError.of(
    'query.invalid-key',
    { key: shown, at: path === key ? null : path },
    { key: shown, path, source: 'query', param: parameter },
  );
  const isDeep = (parameter === 'populate' && key === 'deep') || key === 'pLevel';
  return isDeep ? error.helpedBy(`Invalid key ${key}: ${insteadOfDeep}`) : error;
}

/** For the parameters of a plugin that many projects have had. */
const insteadOfDeep =
  'populate=deep and pLevel belong to the plugin strapi-plugin-populate-deep, which Lectern does not run; name what the response needs, as in populate[author][populate]=avatar, or use populate=* for one level, or set populate in lectern.config.json';

/** The same for a key of a body. `path` is omitted for two keys that Strapi checks first. */
export function invalidBodyKey(key: string, path: string | null | undefined): ApiError {
  const shown = key.length > maxKeyLength ? `${key.slice(0, maxKeyLength)}…` : key;
  const details = path === undefined ? { key: shown, source: 'body' } : { key: shown, path, source: 'body' };
  return ApiError.of('body.invalid-key', { key: shown, at: path === key ? null : (path ?? null) }, details);
}

/** Throws an error for the first name of a body that is not in `writable`. */
export function refuseOtherKeys(names: Iterable<string>, writable: ReadonlySet<string>): void {
  for (const name of names) if (!writable.has(name)) throw invalidBodyKey(name, null);
}

/** Names so short are similar to most others. */
const shortName = 4;

/** Adds the name that a misspelt key may have meant. `names`: those that the caller may know. */
export function withMeant(error: ApiError, key: string, names: Iterable<string>): ApiError {
  if (error.help !== undefined || key.length > maxKeyLength) return error;
  const meant = orMeant(key, names, key.length <= shortName ? 1 : undefined);
  return meant === '' ? error : error.helpedBy(`${error.message}${meant}`);
}
