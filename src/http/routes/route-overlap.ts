/** Compares a path of a project's route with a built-in route. */

/** `same`: both match the same requests. `wider`: the project's path matches some or all of the
 *  built-in route, and perhaps more. `none`: none, or only a fixed name in place of a parameter. */
export type Overlap = 'same' | 'wider' | 'none';

const plain = /^:?[\w.~-]+$/;
const isParameter = (segment: string) => segment.startsWith(':');

export function overlapOf(written: string, route: string): Overlap {
  const own = segments(written);
  const ours = segments(route);
  const special = own.findIndex((segment) => !plain.test(segment));
  // Patterns (`(.*)`, `:id?`) are compared up to their beginning; they may match any rest.
  if (special !== -1)
    return ours.length >= special && own.slice(0, special).every((each, index) => meets(each, ours[index])) ? 'wider' : 'none';
  if (own.length !== ours.length || !own.every((each, index) => meets(each, ours[index]))) return 'none';
  const wider = own.some((each, index) => isParameter(each) && !isParameter(ours[index] ?? ''));
  const narrower = own.some((each, index) => !isParameter(each) && isParameter(ours[index] ?? ''));
  if (wider) return 'wider';
  return narrower ? 'none' : 'same';
}

/** Whether the project's path matches every request of the route. */
export function covers(written: string, route: string): boolean {
  const own = segments(written);
  const ours = segments(route);
  const special = own.findIndex((segment) => !plain.test(segment));
  const compared = special === -1 ? own : own.slice(0, special);
  if (special === -1 ? own.length !== ours.length : ours.length < special) return false;
  return compared.every((each, index) => isParameter(each) || each === ours[index]);
}

const meets = (own: string, ours = '') => isParameter(own) || isParameter(ours) || own === ours;
const segments = (path: string) => path.toLowerCase().replace(/\/+$/, '').split('/').slice(1);
