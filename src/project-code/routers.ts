/** Reads the routes that an API's route files define. */
import type { CoreRouter, Finding, OwnRoute } from './project-code.ts';
import type { Module } from './read-module.ts';
import { called, entryOf, factoryArguments, isAbsent, textIn, type Value } from './value.ts';

export interface Routers {
  readonly coreRouters: CoreRouter[];
  readonly ownRoutes: OwnRoute[];
  /** Files that cannot be read: they may define any route. */
  readonly unreadable: Finding[];
}

/** `Finding.what` of a route that a file defines itself. */
export const ownRouteWords = 'a route of its own';

const actions = ['find', 'findOne', 'create', 'update', 'delete'] as const;

/** Adds the routes of one file to `found`. `api` is `api::article`. */
export function readRouter(api: string, { file, value: exported }: Module, found: Routers): void {
  const value = called(exported);
  const unreadable = (line: number) => found.unreadable.push({ what: 'routes that cannot be read', file, line });
  const core = factoryArguments(value, 'createCoreRouter');
  if (core !== undefined) {
    const router = coreRouter(core, file);
    if (router === undefined) unreadable(value.line);
    else found.coreRouters.push(router);
    return;
  }
  const routes = value.kind === 'list' ? value : entryOf(value, 'routes');
  const prefix = value.kind === 'list' ? '' : prefixOf(entryOf(value, 'prefix'));
  if (routes.kind !== 'list' || prefix === undefined) {
    // `{}`, for instance, defines no routes.
    if (!(value.kind === 'object' && isAbsent(routes))) unreadable(routes.line);
    return;
  }
  for (const item of routes.items) {
    const route = ownRoute(item, api, prefix, file);
    if (route === undefined) unreadable(item.line);
    else found.ownRoutes.push(route);
  }
}

function coreRouter([uid, options]: readonly Value[], file: string): CoreRouter | undefined {
  const name = uid === undefined ? undefined : textIn(uid);
  if (name === undefined) return undefined;
  if (options === undefined || isAbsent(options)) {
    return { uid: name, prefix: '', only: undefined, except: [], findings: new Map() };
  }
  if (options.kind !== 'object' || options.open) return undefined;
  const prefix = prefixOf(entryOf(options, 'prefix'));
  const only = namesOf(entryOf(options, 'only'));
  const except = namesOf(entryOf(options, 'except'));
  if (prefix === undefined || only === 'unreadable' || except === 'unreadable') return undefined;
  const config = entryOf(options, 'config');
  const findings = new Map(
    actions.map((action) => [action, isAbsent(config) ? [] : configFindings(entryOf(config, action), file)] as const),
  );
  return { uid: name, prefix, only, except: except ?? [], findings };
}

function prefixOf(value: Value): string | undefined {
  return isAbsent(value) ? '' : textIn(value);
}

function namesOf(value: Value): readonly string[] | undefined | 'unreadable' {
  if (isAbsent(value)) return undefined;
  const items = value.kind === 'list' ? value.items : [value];
  const names = items.map(textIn).filter((name) => name !== undefined);
  return names.length === items.length ? names : 'unreadable';
}

/** The parts of a route's `config` that Lectern does not apply. */
function configFindings(config: Value, file: string): readonly Finding[] {
  if (isAbsent(config)) return [];
  if (config.kind !== 'object' || config.open) return [{ what: 'a config that cannot be read', file, line: config.line }];
  const findings: Finding[] = [];
  for (const what of ['policies', 'middlewares']) {
    const value = entryOf(config, what);
    if (isAbsent(value) || (value.kind === 'list' && value.items.length === 0)) continue;
    const names = value.kind === 'list' ? value.items.flatMap((item) => textIn(item) ?? textIn(entryOf(item, 'name')) ?? []) : [];
    findings.push({ what, file, line: value.line, ...(names.length === 0 ? {} : { names }) });
  }
  const auth = entryOf(config, 'auth');
  if (!isAbsent(auth)) {
    const open = auth.kind === 'plain' && auth.value === false;
    findings.push({ what: open ? 'auth: false' : 'auth', file, line: auth.line });
  }
  return findings;
}

/** A custom route; its handler is looked up in `api`, `api::article` or `plugin::upload`. */
export function ownRoute(item: Value, api: string, routerPrefix: string, file: string): OwnRoute | undefined {
  if (item.kind !== 'object' || item.open) return undefined;
  const method = textIn(entryOf(item, 'method'))?.trim().toUpperCase();
  const path = textIn(entryOf(item, 'path'))?.trim();
  const config = entryOf(item, 'config');
  const ownPrefix = config.kind === 'object' ? entryOf(config, 'prefix') : undefined;
  const prefix = ownPrefix === undefined || isAbsent(ownPrefix) ? routerPrefix : '';
  if (method === undefined || path === undefined) return undefined;
  const handler = entryOf(item, 'handler');
  const name = textIn(handler)?.trim();
  return {
    method,
    path: `${prefix}${path}`,
    action: name === undefined ? undefined : name.startsWith(`${api}.`) || name.includes('::') ? name : `${api}.${name}`,
    findings: configFindings(config, file),
    at: { what: ownRouteWords, file, line: item.line },
  };
}
