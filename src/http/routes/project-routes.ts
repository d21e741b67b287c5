/** The routes of a project: those of its types, minus those that its code changes. */
import type { ContentModel } from '../../model/content-model.ts';
import type { CodeForAll, CoreRouter, Finding, OwnRoute, ProjectCode } from '../../project-code/project-code.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { nearest } from '../../text/nearest.ts';
import { covers, overlapOf } from './route-overlap.ts';
import { type EndpointName, isAddition, isOfSchedule, type Method, type Route, routesOf } from './routes.ts';

/** By action, the values of `routes` in the configuration: `serve`, `refuse` or `forward`. */
export type Decisions = Readonly<Record<string, string>>;

export interface ProjectRoutes {
  readonly routes: readonly Route[];
  /** What the remaining requests are forwarded to. */
  readonly upstream?: string | undefined;
  /** Routes that the configuration serves without their custom code. */
  readonly servedWithout: readonly Route[];
  /** Routes that the route files leave out. */
  readonly removed: readonly Route[];
  readonly everywhere: readonly CodeForAll[];
  /** Mistakes in `routes` of the configuration. */
  readonly problems: readonly string[];
}

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** `forwarded`: endpoints that are forwarded, as routes with custom code are, where `decisions` say
 *  nothing. Undefined without `upstream`. */
export function projectRoutes(
  model: ContentModel,
  code: ProjectCode,
  decisions: Decisions,
  forwarded?: ReadonlySet<EndpointName>,
): ProjectRoutes {
  const all = routesOf(model);
  const made: Route[] = [];
  const removed: Route[] = [];
  for (const route of all) {
    const paths = pathsOf(route, all, code, decisions);
    if (paths.length === 0) removed.push(route);
    for (const path of paths) made.push({ ...route, path });
  }
  const findings = new Map(made.map((route) => [route.action, new Set(findingsOf(route, code))]));
  const core = made.filter((route) => !isAddition(route));
  const own: Route[] = [];
  for (const each of code.ownRoutes) {
    for (const method of methods.filter((name) => each.method === name || each.method === 'ALL')) {
      if (!claim(each, method, core, findings)) own.push(...ownRoute(each, method));
    }
  }
  const servedWithout: Route[] = [];
  const additions = made.filter((route) => isAddition(route) && !code.ownRoutes.some((each) => takes(each, route)));
  const served = [...core, ...additions, ...unique(own, core)].map((route): Route => {
    const found = [...(findings.get(governing(route)) ?? []), ...(route.findings ?? [])];
    const decided = decisionFor(route, decisions);
    // There is nothing that could serve a route of the project's own.
    const decision = decided === 'serve' && route.serves.kind === 'own' ? undefined : decided;
    if (decision === 'refuse') return { ...route, findings: [...found, refusedByConfiguration] };
    const isUnserved = found.length > 0 || (route.serves.kind === 'endpoint' && forwarded?.has(route.serves.endpoint) === true);
    if (decision === 'forward' || (decision !== 'serve' && isUnserved && forwarded !== undefined))
      return { ...route, findings: found, isForwarded: true };
    if (found.length === 0) return route;
    if (decision !== 'serve') return { ...route, findings: found };
    servedWithout.push({ ...route, findings: found });
    return route;
  });
  return { routes: served, servedWithout, removed, everywhere: code.everywhere, problems: mistakes(decisions, [...all, ...own]) };
}

const refusedByConfiguration: Finding = { what: '"refuse"', file: 'lectern.config.json', line: 1 };

/** Strapi has no publish action in its API; the project's code for `update` governs it. */
export const governing = (route: Route): string => (isPublishing(route) ? route.action.replace(/\.publish$/, '.update') : route.action);
const isPublishing = ({ serves, action }: Route) => (serves.kind === 'write' || isOfSchedule({ serves })) && action.endsWith('.publish');
const apiOf = (action: string) => action.slice(0, action.indexOf('.'));

/** The paths of a route; none when the project's files leave it out. */
function pathsOf(route: Route, all: readonly Route[], code: ProjectCode, decisions: Decisions): readonly string[] {
  const { serves } = route;
  if (!('type' in serves)) return [route.path];
  const { uid } = serves.type;
  const routers = code.coreRouters.filter((router) => router.uid === uid);
  const api = apiOf(route.action);
  // A project may consist of schema files alone.
  if (routers.length === 0 && !code.routedApis.has(api)) return [route.path];
  const action = governing(route);
  const prefixed = routers.filter((router) => includes(router, action.slice(uid.length + 1))).map((router) => withPrefix(route, router));
  if (prefixed.length > 0) return [...new Set(prefixed)];
  const same = all.find((each) => each.action === action);
  const isWritten = code.ownRoutes.some(
    (own) => own.action === action && same !== undefined && overlapOf(`/api${own.path}`, same.path) !== 'none',
  );
  const mayBe = isWritten || code.findings.has(`${api}.*`) || decisionFor(route, decisions) === 'serve';
  return mayBe ? [route.path] : [];
}

const includes = ({ only, except }: CoreRouter, action: string) => (only?.includes(action) ?? true) && !except.includes(action);

const withPrefix = (route: Route, { prefix }: CoreRouter) => `/api${cleanPrefix(prefix)}${route.path.slice('/api'.length)}`;

function cleanPrefix(prefix: string): string {
  const inner = prefix.replace(/^\/+|\/+$/g, '');
  return inner === '' ? '' : `/${inner}`;
}

/** Findings for an action from controllers, services, extensions and route configs. */
function findingsOf(route: Route, code: ProjectCode): readonly Finding[] {
  const action = governing(route);
  const names = [action, ...wildcards(action)];
  const found = names.flatMap((name) => code.findings.get(name) ?? []);
  if (!('type' in route.serves)) return found;
  const { uid } = route.serves.type;
  const configured = code.coreRouters
    .filter((router) => router.uid === uid)
    .flatMap((router) => router.findings.get(action.slice(uid.length + 1)) ?? []);
  return [...configured, ...found];
}

/** `a::b.c.d` → `a::b.c.*`, `a::b.*`. */
function wildcards(action: string): readonly string[] {
  const parts = action.split('.');
  return parts.slice(1).map((_, index) => `${parts.slice(0, parts.length - 1 - index).join('.')}.*`);
}

/** Whether a custom route has the path of a core route, and so replaces it. */
function claim(own: OwnRoute, method: Method, made: readonly Route[], findings: ReadonlyMap<string, Set<Finding>>): boolean {
  let claimed = false;
  for (const route of made) {
    if (route.method !== method) continue;
    const overlap = overlapOf(`/api${own.path}`, route.path);
    if (overlap === 'none') continue;
    claimed = true;
    const found = findings.get(governing(route));
    const isSame = overlap === 'same' && own.action === route.action;
    for (const finding of isSame ? own.findings : [...own.findings, own.at]) found?.add(finding);
  }
  return claimed;
}

/** Whether requests of an added route are those of a route that the project has. A path with a
 *  parameter in place of `_me` does not mean it. */
function takes({ method, path }: OwnRoute, route: Route): boolean {
  if (method !== 'ALL' && method !== route.method) return false;
  const own = `/api${path}`;
  return route.path.startsWith('/api/_') ? overlapOf(own, route.path) === 'same' : covers(own, route.path);
}

const plainPath = /^(?:\/:?[\w.~-]+)+$/;

/** A custom route on a path that no core route has. */
function ownRoute({ path, action, at }: OwnRoute, method: Method): readonly Route[] {
  if (!plainPath.test(path)) return [];
  return [{ method, path: `/api${path}`, action: action ?? `${at.file}:${at.line}`, serves: { kind: 'own' }, findings: [at] }];
}

function unique(own: readonly Route[], made: readonly Route[]): readonly Route[] {
  const known = new Set(made.map(shapeOf));
  return own.filter((route) => !known.has(shapeOf(route)) && known.add(shapeOf(route)));
}

const shapeOf = ({ method, path }: Route): string => `${method} ${path.replaceAll(/:[^/]+/g, ':').toLowerCase()}`;

export function decisionFor(route: Route, decisions: Decisions): string | undefined {
  const action = governing(route);
  for (const name of [route.action, action, ...wildcards(action)]) if (Object.hasOwn(decisions, name)) return decisions[name];
  return undefined;
}

function mistakes(decisions: Decisions, all: readonly Route[]): readonly string[] {
  const known = new Set(all.flatMap(({ action }) => [action, ...wildcards(action)]));
  return Object.keys(decisions).flatMap((name) => {
    if (known.has(name)) return [];
    const meant = nearest(name, known);
    return [
      `routes: ${JSON.stringify(name)} is the action of no route${meant === undefined ? `; \`${lecternCommand('routes')}\` prints them` : `; did you mean ${meant}?`}`,
    ];
  });
}
