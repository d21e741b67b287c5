/** Which targets of requests are forwarded. The target is sent on byte by byte, so Strapi must understand it as our routes did: a spelling that only
 *  one of the two reads as `/api/articles` would lead around a route that is refused here. */

/** The characters of RFC 3986, and those that browsers leave as they are. Strapi trims some others, such as the no-break space. */
const plainPath = /^\/[\w\-.~%!$&'()*+,;=:@/[\]|^]*$/;
const plainQuery = /^[!-"$-~\x80-\xff]*$/;

export type TargetProblem = 'path.undecodable' | 'path.ambiguous';

/** `isOurs`: whether a route of Lectern matches a path. Undefined if the target may be forwarded. */
export function targetProblem(target: string, isOurs: (path: string) => boolean): TargetProblem | undefined {
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  if (!plainPath.test(path) || !plainQuery.test(mark === -1 ? '' : target.slice(mark))) return 'path.ambiguous';
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return 'path.undecodable';
  }
  if (/[\p{Cc}\\]/u.test(decoded) || path.includes('//')) return 'path.ambiguous';
  if (decoded.split('/').some((segment) => segment === '.' || segment === '..')) return 'path.ambiguous';
  // A server between this one and Strapi may decode slashes, or merge them.
  if (decoded !== path && isOurs(decoded.replaceAll(/\/{2,}/g, '/'))) return 'path.ambiguous';
  return undefined;
}
