/** What `/explore` needs besides the API: the readable types and, in development, statements. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../../config/config.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { ContentModel } from '../../../model/content-model.ts';
import type { ExplainRead, ReadTarget } from '../../../pipeline/call.ts';
import { type GuardedRoute, guardRoute, type RouteGuards } from '../../guard-route.ts';
import { isOwnHost } from '../../own-host.ts';
import { handlingOf, type Route } from '../../routes/routes.ts';
import { type Endpoint, jsonResponse, parameter } from '../../send-response.ts';
import { servePageData } from '../page-data.ts';
import { describeModel } from './describe-model.ts';

export interface ExploreParts {
  readonly config: Config;
  readonly model: ContentModel;
  readonly routes: readonly Route[];
  /** Undefined outside of development: then no route shows statements. */
  readonly explainRead: ExplainRead | undefined;
}

export function serveExplore(app: FastifyInstance, { config, model, routes, explainRead }: ExploreParts, guards: RouteGuards): void {
  const serve = (url: string, route: GuardedRoute, endpoint: Endpoint) => servePageData(app, url, guardRoute(route, guards, endpoint));
  serve('/explore/types', { action: 'explore', isUnrestricted: true }, ({ actor }) =>
    jsonResponse(describeModel({ model, config, development: explainRead !== undefined }, actor.rights)),
  );
  if (explainRead === undefined) return;
  for (const route of routes) {
    const { method, path, action, serves } = route;
    if (method !== 'GET' || serves.kind !== 'content' || handlingOf(route) !== 'served') continue;
    const { type, target } = serves;
    serve(`/explore/statements${path}`, { action }, async ({ request, query, actor, restriction, dataVersion }) => {
      if (!isOwnHost(request.headers.host, config)) throw ApiError.of('explore.foreign-host');
      const to = targetOf(target, parameter(request, 'documentId'));
      return jsonResponse({ data: await explainRead({ type, target: to, query, actor, restriction, envelope: 'flat', dataVersion }) });
    });
  }
}

function targetOf(target: 'list' | 'document' | 'single', key: string): ReadTarget {
  if (target !== 'document') return { kind: target };
  if (key.includes('\0')) throw ApiError.of('path.malicious');
  return { kind: 'one', by: 'documentId', key };
}
