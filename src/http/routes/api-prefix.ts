/** Where the API is (`api.prefix`). Routes are made below `/api`, and then moved. */
import type { Config } from '../../config/config.ts';
import type { Route } from './routes.ts';

const made = '/api';

/** `/api/articles` → `/v1/articles` */
export const atPrefix = (path: string, prefix: string): string => `${prefix}${path.slice(made.length)}`;

export function movedRoute(route: Route, prefix: string): Route {
  return { ...route, path: atPrefix(route.path, prefix) };
}

/** Whether a path of a request is one of the API's. */
export function isBelow(prefix: string): (path: string) => boolean {
  const wanted = prefix.toLowerCase();
  return (path) => {
    const start = path.slice(0, wanted.length + 1).toLowerCase();
    return start === wanted || start === `${wanted}/` || start === `${wanted}?`;
  };
}

/** The first segments of the paths that the server has beside the API. */
const sitePaths = ['', 'uploads', '_health', '_ready', 'robots.txt', 'favicon.ico'];
const pagePaths = ['explore', 'docs', '_pages'];

type Served = Pick<Config, 'api' | 'site' | 'metrics' | 'secrets'>;

/** A problem where routes would be in the way of those paths. */
export function prefixProblems(routes: readonly Route[], { api: { prefix }, site, metrics, secrets }: Served): readonly string[] {
  const hasMetrics = metrics.port === undefined && secrets.metricsToken !== undefined;
  const taken = [...sitePaths, ...(site.pages ? pagePaths : []), ...(hasMetrics ? ['metrics'] : [])];
  const found = routes.find(({ path }) => taken.includes((path.split('/')[1] ?? '').toLowerCase()));
  if (found === undefined) return [];
  const pages = pagePaths.includes((found.path.split('/')[1] ?? '').toLowerCase()) ? ', or set site.pages to false' : '';
  return [
    `api.prefix is ${JSON.stringify(prefix)}, so that ${found.method} ${found.path} would be where the server has a path of its own: choose another prefix${pages}`,
  ];
}
