import { ApiError } from './api-error.ts';

/** The parameters whose keys name attributes. */
export type QueryParameter = 'filters' | 'sort' | 'fields' | 'populate';

const longestKey = 200;

/** `Invalid key nope at category`. `path` is the attribute's own path when the attribute exists and its parent's when not, as in Strapi. */
export function invalidKey(key: string, path: string | null, parameter: string): ApiError {
  const shown = key.length > longestKey ? `${key.slice(0, longestKey)}…` : key;
  return ApiError.of(
    'query.invalid-key',
    { key: shown, at: path === key ? null : path },
    { key: shown, path, source: 'query', param: parameter },
  );
}
