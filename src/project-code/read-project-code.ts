/** Reads the project's code to find what it changes about Lectern's routes. Never runs the code. */
import { normaliseName } from '../text/snake-case.ts';
import { findEverywhere } from './code-for-all-routes.ts';
import { readExtensions } from './extensions.ts';
import { controllers, type Part, readOverrides, services } from './overrides.ts';
import type { Finding, ProjectCode } from './project-code.ts';
import { readModules } from './read-module.ts';
import { type Routers, readRouter } from './routers.ts';
import { openSourceFiles } from './source-files.ts';

export function readProjectCode(dir: string): ProjectCode {
  const files = openSourceFiles(dir);
  const findings = new Map<string, Finding[]>();
  const report = (action: string, finding: Finding) => {
    const known = findings.get(action);
    if (known === undefined) findings.set(action, [finding]);
    else known.push(finding);
  };
  const routers: Routers = { coreRouters: [], ownRoutes: [], unreadable: [] };
  const routedApis = new Set<string>();

  const overrides = (folder: string, api: string, part: Part) => {
    for (const module of readModules(files, folder)) {
      const uid = `${api}.${normaliseName(module.name)}`;
      readOverrides(uid, module, part, (action, finding) => report(`${uid}.${action}`, finding));
    }
  };
  for (const name of files.folders('src/api')) {
    const api = `api::${normaliseName(name)}`;
    const routes = readModules(files, `src/api/${name}/routes`);
    if (routes.length > 0) routedApis.add(api);
    for (const module of routes) readRouter(api, module, routers);
    for (const finding of routers.unreadable.splice(0)) report(`${api}.*`, finding);
    overrides(`src/api/${name}/controllers`, api, controllers);
    overrides(`src/api/${name}/services`, api, services);
  }
  readExtensions(files, report, routers.ownRoutes);
  return { coreRouters: routers.coreRouters, ownRoutes: routers.ownRoutes, routedApis, findings, everywhere: findEverywhere(files) };
}
