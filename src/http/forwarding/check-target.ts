/** Which targets of requests are forwarded, byte by byte. Strapi must understand them as our routes
 *  did: another spelling of `/api/articles` would lead around a route that is refused here. */

import { decoded, pathOf, queryOf } from '../../text/url-parts.ts';

/** The characters of RFC 3986, and those that browsers leave as they are. */
const plainPath = /^\/[\w\-.~%!$&'()*+,;=:@/[\]|^]*$/;
const plainQuery = /^[!-"$-~\x80-\xff]*$/;

export type TargetProblem = 'path.undecodable' | 'path.ambiguous';

/** `isOurs`: whether a route of Lectern matches a path. Undefined: the target may be forwarded. */
export function targetProblem(target: string, isOurs: (path: string) => boolean): TargetProblem | undefined {
  const path = pathOf(target);
  if (!plainPath.test(path) || !plainQuery.test(queryOf(target))) return 'path.ambiguous';
  const name = decoded(path);
  if (name === undefined) return 'path.undecodable';
  if (/[\p{Cc}\\]/u.test(name) || path.includes('//')) return 'path.ambiguous';
  if (name.split('/').some((segment) => segment === '.' || segment === '..')) return 'path.ambiguous';
  // A server between this one and Strapi may decode slashes, or merge them.
  if (name !== path && isOurs(name.replaceAll(/\/{2,}/g, '/'))) return 'path.ambiguous';
  return undefined;
}
