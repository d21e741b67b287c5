/** The routes of a project's endpoints. */
import { actionOfRight } from '../../own-code/own-rights.ts';
import type { EndpointManifest } from '../../own-code/protocol.ts';
import { overlapOf } from './route-overlap.ts';
import { isAddition, type Route } from './routes.ts';

export interface CodeRoutes {
  readonly routes: readonly Route[];
  readonly problems: readonly string[];
}

/** Adds the routes of endpoints to all others. An endpoint replaces a route that would respond with
 *  501, or that Strapi lacks; one that would hide another route is a problem. `known`: the actions
 *  that can be granted. */
export function withCodeRoutes(others: readonly Route[], endpoints: readonly EndpointManifest[], known: ReadonlySet<string>): CodeRoutes {
  const problems: string[] = [];
  const added = endpoints.map((endpoint): Route => {
    const { file, method, path, right } = endpoint;
    const action = actionOfRight(right);
    const isPublic = right === 'public';
    if (path.startsWith('/api/'))
      problems.push(`${file}: ${method} ${path} would be at /api${path}: paths are below /api, write ${path.slice('/api'.length)}`);
    if (!isPublic && !known.has(action)) problems.push(`${file}: right: ${describeUnknown(right)}`);
    return { method, path: `/api${path}`, action, ...(isPublic ? { isUnrestricted: true } : {}), serves: { kind: 'code', endpoint } };
  });
  const replaced = new Set<Route>();
  for (const { method, path, serves } of added) {
    const file = serves.kind === 'code' ? serves.endpoint.file : '';
    for (const other of others) {
      if (other.method !== method || overlapOf(path, other.path) !== 'same') continue;
      if (other.findings !== undefined || isAddition(other)) replaced.add(other);
      else problems.push(`${file}: ${method} ${path} would hide the route of ${other.action}: choose another path`);
    }
  }
  return { routes: [...others.filter((route) => !replaced.has(route)), ...added], problems };
}

const describeUnknown = (right: string): string =>
  right.includes('::')
    ? `there is no right ${right}`
    : right.includes('.')
      ? `write ${JSON.stringify(right)} as a string literal at the endpoint, so that commands can read it`
      : `${JSON.stringify(right)} is neither "public", nor a right of its own such as "orders.refund", nor that of a content route such as "api::article.article.find"`;
