import type { Config } from '../../config/config.ts';
import { StartError } from '../../errors/start-error.ts';
import { keptVersions } from '../../history/kept-versions.ts';
import type { ContentModel } from '../../model/content-model.ts';
import type { EndpointManifest } from '../../own-code/protocol.ts';
import { readProjectCode } from '../../project-code/read-project-code.ts';
import { knownActions } from '../../rights/grantable-actions.ts';
import { movedRoute, prefixProblems } from './api-prefix.ts';
import { withCodeRoutes } from './code-routes.ts';
import { type ProjectRoutes, projectRoutes } from './project-routes.ts';
import { type EndpointName, isOfHistory, type Route } from './routes.ts';

/** The routes of a project and its code. Throws a `StartError` for decisions about others. */
export function loadProjectRoutes(
  config: Pick<Config, 'api' | 'auth' | 'console' | 'dir' | 'history' | 'metrics' | 'routes' | 'secrets' | 'site' | 'upstream'>,
  model: ContentModel,
  endpoints: readonly EndpointManifest[] = [],
): ProjectRoutes {
  const { upstream } = config;
  const byDefault = upstream === undefined ? undefined : forwarded(config.auth);
  const found = projectRoutes(model, readProjectCode(config.dir), config.routes, byDefault);
  const isThere = (route: Route) => !isOfHistory(route) || keptVersions(route.serves.type, config) > 0;
  const moved = (routes: readonly Route[]) => routes.filter(isThere).map((route) => movedRoute(route, config.api.prefix));
  const withCode = withCodeRoutes(found.routes, endpoints, knownActions(model));
  const routes = moved(withCode.routes);
  const problems = [...found.problems, ...withCode.problems, ...prefixProblems(routes, config)];
  if (problems.length > 0) throw new StartError(problems);
  return { ...found, routes, servedWithout: moved(found.servedWithout), removed: moved(found.removed), upstream };
}

/** Signing in with the providers of Strapi's panel, unless Lectern has providers of its own, and
 *  the schemas as Strapi's plugin writes them. */
const forwarded = ({ providers }: Config['auth']): ReadonlySet<EndpointName> =>
  new Set(Object.keys(providers).length > 0 ? ['contentTypeBuilder'] : ['contentTypeBuilder', 'provider', 'connect', 'connected']);
