/** Whether a path that a project has written takes requests of one of our routes. */

/** `same`: both take the same requests. `wider`: some or all of the other's requests, and perhaps more. `none`: none, or only those to one name where the other has
 *  a parameter; such a path is a route of its own. */
export type Overlap = 'same' | 'wider' | 'none';

const plain = /^:?[\w.~-]+$/;
const isParameter = (segment: string) => segment.startsWith(':');

export function overlapOf(written: string, route: string): Overlap {
  const own = segments(written);
  const ours = segments(route);
  const special = own.findIndex((segment) => !plain.test(segment));
  // Patterns (`(.*)`, `:id?`) are read up to where they begin; what may come then is theirs.
  if (special !== -1)
    return ours.length >= special && own.slice(0, special).every((each, index) => meets(each, ours[index])) ? 'wider' : 'none';
  if (own.length !== ours.length || !own.every((each, index) => meets(each, ours[index]))) return 'none';
  const wider = own.some((each, index) => isParameter(each) && !isParameter(ours[index] ?? ''));
  const narrower = own.some((each, index) => !isParameter(each) && isParameter(ours[index] ?? ''));
  if (wider) return 'wider';
  return narrower ? 'none' : 'same';
}

const meets = (own: string, ours = '') => isParameter(own) || isParameter(ours) || own === ours;
const segments = (path: string) => path.toLowerCase().replace(/\/+$/, '').split('/').slice(1);
