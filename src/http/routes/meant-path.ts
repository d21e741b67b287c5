/** The path that a misspelt one may have meant: `/api/posts` for `/api/post`. */
import { type Rights, rightsTo } from '../../rights/rights.ts';
import { nearest } from '../../text/nearest.ts';
import { handlingOf, type Route } from './routes.ts';

/** Longer names are not misspelt, but made up. */
const maxLength = 100;
const nothing = rightsTo([]);

/** `rights`: whose routes may be named; undefined for all. They are asked for only when some route
 *  is similar. */
export async function meantPath(
  path: string,
  prefix: string,
  routes: readonly Route[],
  rights: (() => Promise<Rights>) | undefined,
): Promise<string | undefined> {
  const [segment = ''] = path.slice(prefix.length + 1).split('/');
  if (segment.length > maxLength) return undefined;
  const find = (mayName: (route: Route) => boolean): string | undefined => {
    const names = namesOf(
      routes.filter((route) => handlingOf(route) === 'served' && mayName(route)),
      prefix,
    );
    return names.get(nearest(segment, names.keys(), segment.length <= 4 ? 1 : undefined) ?? '');
  };
  const candidate = find(() => true);
  if (candidate === undefined) return undefined;
  // Without its database, a server still says 404.
  const known = await rights?.().catch(() => nothing);
  const meant = known === undefined ? candidate : find(({ action }) => known.allows(action));
  // The rest of the path is what has no route.
  return meant?.toLowerCase() === `${prefix}/${segment}`.toLowerCase() ? undefined : meant;
}

/** Paths by their first name, and by the names of their types. */
function namesOf(routes: readonly Route[], prefix: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { path, serves } of routes) {
    const [first = ''] = path.slice(prefix.length + 1).split('/');
    if (first === '' || first.startsWith(':')) continue;
    names.set(first, `${prefix}/${first}`);
    if (serves.kind !== 'content') continue;
    for (const name of [serves.type.singularName, serves.type.pluralName]) if (!names.has(name)) names.set(name, `${prefix}/${first}`);
  }
  return names;
}
