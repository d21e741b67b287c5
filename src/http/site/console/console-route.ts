/** What `/console` asks the server besides the API. */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../../config/config.ts';
import type { ContentModel } from '../../../model/content-model.ts';
import { guardRoute, type RouteGuards } from '../../guard-route.ts';
import { jsonResponse } from '../../send-response.ts';
import { servePageData } from '../page-data.ts';
import { consoleSettings } from './console-settings.ts';
import { serveExtensions } from './extensions.ts';

interface Parts {
  readonly config: Config;
  readonly model: ContentModel;
}

export function serveConsole(app: FastifyInstance, parts: Parts, guards: RouteGuards): void {
  serveExtensions(app, parts.config.dir);
  const route = { action: 'console', isUnrestricted: true };
  servePageData(
    app,
    '/console/settings',
    guardRoute(route, guards, ({ actor }) => jsonResponse(consoleSettings(parts, actor.rights))),
  );
}
