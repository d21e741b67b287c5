/** Where the API is (`api.prefix`). Routes are made below `/api`, and then moved. */
import type { Config } from '../../config/config.ts';
import { isConsoleOn } from '../../config/console-pages.ts';
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

type Served = Pick<Config, 'api' | 'site' | 'console' | 'metrics' | 'secrets'>;

/** A problem where routes would be in the way of those paths. */
export function prefixProblems(routes: readonly Route[], config: Served): readonly string[] {
  const { api, site, metrics, secrets } = config;
  const hasMetrics = metrics.port === undefined && secrets.metricsToken !== undefined;
  /** Paths, and what makes them free. */
  const taken = new Map([
    ...sitePaths.map((path) => [path, ''] as const),
    ...(site.pages ? pagePaths.map((path) => [path, ', or set site.pages to false'] as const) : []),
    ...(isConsoleOn(config) ? [['console', ', or set console.enabled to false'] as const] : []),
    ...(hasMetrics ? [['metrics', ''] as const] : []),
  ]);
  const start = (path: string) => (path.split('/')[1] ?? '').toLowerCase();
  const found = routes.find(({ path }) => taken.has(start(path)));
  if (found === undefined) return [];
  return [
    `api.prefix is ${JSON.stringify(api.prefix)}, so that ${found.method} ${found.path} would be where the server has a path of its own: choose another prefix${taken.get(start(found.path))}`,
  ];
}
