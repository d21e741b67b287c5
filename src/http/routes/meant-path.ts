/** The path that a misspelt one may have meant: `/api/posts` for `/api/post`. */
import { type Rights, rightsTo } from '../../rights/rights.ts';
import { nearest } from '../../text/nearest.ts';
import { handlingOf, type Route } from './routes.ts';

/** Longer names are not misspelt, but made up. */
const maxLength = 100;
const nothing = rightsTo([]);

/** `rights`: whose routes may be named; undefined for all. They are asked for only when some route
 *  is similar. */
export type MeantPath = (path: string, rights: (() => Promise<Rights>) | undefined) => Promise<string | undefined>;

/** `prefix`: that of the API. */
export function createMeantPath(routes: readonly Route[], prefix: string): MeantPath {
  const named = namedPaths(routes, prefix);
  return async (path, rights) => {
    const [segment = ''] = path.slice(prefix.length + 1).split('/');
    if (segment.length > maxLength) return undefined;
    const find = (names: Iterable<string>) => nearest(segment, names, segment.length <= 4 ? 1 : undefined);
    let name = find(named.keys());
    if (name === undefined) return undefined;
    if (rights !== undefined) {
      // Without its database, a server still says 404.
      const known = await rights().catch(() => nothing);
      name = find([...named].flatMap(([each, { actions }]) => (actions.some((action) => known.allows(action)) ? each : [])));
    }
    const meant = named.get(name ?? '')?.path;
    // The rest of the path is what has no route.
    return meant?.toLowerCase() === `${prefix}/${segment}`.toLowerCase() ? undefined : meant;
  };
}

interface NamedPath {
  readonly path: string;
  /** Those of its routes. */
  readonly actions: string[];
}

/** Paths by their first name, and by the names of their types. */
function namedPaths(routes: readonly Route[], prefix: string): ReadonlyMap<string, NamedPath> {
  const named = new Map<string, NamedPath>();
  for (const route of routes) {
    const { path, serves, action } = route;
    const [first = ''] = path.slice(prefix.length + 1).split('/');
    if (handlingOf(route) !== 'served' || first === '' || first.startsWith(':')) continue;
    const names = serves.kind === 'content' ? [first, serves.type.singularName, serves.type.pluralName] : [first];
    for (const name of new Set(names)) {
      const known = named.get(name);
      // A name of a type gives way to the path of another one.
      if (known === undefined || (name === first && known.path !== `${prefix}/${first}`))
        named.set(name, { path: `${prefix}/${first}`, actions: [action] });
      else if (known.path === `${prefix}/${first}`) known.actions.push(action);
    }
  }
  return named;
}
