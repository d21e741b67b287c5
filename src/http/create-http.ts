/** The HTTP server: routes, headers, limits. Order of checks: route, method, authentication,
 *  permission, then the pipeline's. */
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { isConsoleOn } from '../config/console-pages.ts';
import { ApiError } from '../errors/api-error.ts';
import { pathOf } from '../text/url-parts.ts';
import { readBodies } from './bodies/body-parsers.ts';
import { boundBodies } from './bodies/body-time.ts';
import { delayContinue } from './bodies/expect-continue.ts';
import { checkSecretToken } from './check-secret-token.ts';
import { corsOptions } from './cors-options.ts';
import type { Server } from './create-server.ts';
import { currentCallers } from './current-callers.ts';
import { createAccounts } from './endpoints/accounts/account-endpoints.ts';
import { createEndpoints, endpointOf } from './endpoints/create-endpoints.ts';
import type { ExplainRefusal } from './explain-refusals.ts';
import { serveUploads } from './files/uploads-route.ts';
import type { Forwarding } from './forwarding/forwarding.ts';
import { guardRoute } from './guard-route.ts';
import type { HttpParts } from './http-parts.ts';
import { createLogResponse } from './log-response.ts';
import { isManagementPath } from './management/management-path.ts';
import { observeRequests } from './observe-requests.ts';
import { createProxyHint } from './rate-limits/proxy-hint.ts';
import { countRequests } from './rate-limits/request-rate-limit.ts';
import { createSignInRateLimits } from './rate-limits/sign-in-rate-limit.ts';
import { isHostRepeated } from './repeated-host.ts';
import { isBelow, movedRoute } from './routes/api-prefix.ts';
import { createMeantPath } from './routes/meant-path.ts';
import { handlingOf, mcpRoutes, openApiRoute, type Route } from './routes/routes.ts';
import { serveConsole } from './site/console/console-route.ts';
import { serveExplore } from './site/explore/explore-routes.ts';
import { serveMetricsRoute } from './site/metrics-route.ts';
import { serveSite } from './site/site-routes.ts';
import { sendOptions, sendUnrouted } from './unrouted-requests.ts';
import { UnsentResponses } from './unsent-responses.ts';
import { carryPositions, type WritePositions } from './write-position.ts';

/** The request headers that decide a response of the API beside the URL. Shared caches must not
 *  serve it to another caller, or in another format. */
const variesBy = 'Authorization, Strapi-Response-Format, Strapi-Encode-Source-Maps';

/** Milliseconds that a body may take to arrive; uploads have `upload.stallTime`. */
const bodyTime = 30_000;

/** The server, ready to `listen` or `inject`. Closing it lets requests in flight
 *  finish; the database stays open. */
export async function createHttp(server: Server, parts: HttpParts): Promise<FastifyInstance> {
  const { app, headers, errors } = server;
  const { config, database, askVersion, counts, tokenUse, replicas } = parts;
  const all = servedRoutes(parts);
  const { prefix } = config.api;
  const asStrapi = !config.policies.plainMessages;
  const isApi = isBelow(prefix);
  const { identify, rightsOfUser, forget } = parts.identification;
  boundBodies(app.server, bodyTime, errors);
  delayContinue(app.server);

  const { admit, countFurther } = countRequests(config, identify, counts);

  // First, so that every response is observed.
  observeRequests(app, parts.observation.observer);
  const isLogged = app.log.level !== 'silent';
  if (isLogged) app.addHook('onRequest', createProxyHint(config, app.log));
  const forwarding = await openUpstream(app, all, { ...parts, errors });
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id);
    if (isHostRepeated(request.raw)) {
      errors.send(reply, ApiError.of('request.malformed'));
      return;
    }
    if (forwarding?.isForwarded(request)) {
      forwarding.forward(request, reply);
      return;
    }
    // By the route: the same path may be spelled in other ways, with `%61` or as an absolute URL.
    if (isApi(request.routeOptions.url ?? request.url)) reply.header('vary', variesBy);
    const isPreflight = request.headers['access-control-request-method'] !== undefined;
    // The management API is not for pages of other origins.
    if (request.method === 'OPTIONS' && (!isPreflight || isManagementPath(pathOf(request.raw.url ?? ''), prefix))) {
      sendOptions(request, reply, { routes: all, asStrapi });
      return;
    }
    done();
  });
  if (isLogged) app.addHook('onResponse', createLogResponse(prefix));
  const positions = positionsOf(app, parts);
  await app.register(cors, corsOptions(config, positions !== undefined));
  readBodies(app, config.limits);
  app.setErrorHandler((error, _, reply) => errors.sendThrown(reply, parts.expected(error)));
  const publicRights = async () => (await identify(undefined, await askVersion())).rights;
  const isDevelopment = parts.refusals !== undefined;
  const meantPath = createMeantPath(all, prefix);
  const unrouted = { routes: all, errors, prefix, meantPath, asStrapi, publicRights, isDevelopment };
  app.setNotFoundHandler((request, reply) => sendUnrouted(request, reply, unrouted));

  serveUploads(app, parts, forwarding);
  const { managementToken } = config.secrets;
  const checkToken = managementToken === undefined ? undefined : checkSecretToken(managementToken, counts, 'management');
  serveSite(app, { ...parts, publicRights, checkToken });
  const limited = createSignInRateLimits(config, counts);
  const accounts = createAccounts({ ...parts, rightsOfUser, usersChanged: forget, limited }, app);
  const endpoints = createEndpoints({ ...parts, countFurther }, accounts);
  const isCurrent = database.hasWritingNodes ? currentCallers(positions) : undefined;
  const unsent = new UnsentResponses(config.limits.unsentBytes);
  const guards = { askVersion, admit, tokenUse, unsent, isCurrent, explainRefusal: await explainRefusals(parts) };
  for (const route of all) {
    const method = route.method === 'GET' ? ['GET', 'HEAD'] : route.method;
    if (handlingOf(route) === 'forwarded') {
      // Without its route, a parameter of another one could match its path. The hook responds.
      app.route({ method, url: route.path, config: { forwarded: true }, handler: () => undefined });
      continue;
    }
    const endpoint = endpointOf(route, endpoints, { ...parts, countFurther, positions: replicas && positions });
    if (endpoint === undefined) continue;
    app.route({ method, url: route.path, handler: guardRoute(route, guards, endpoint) });
  }
  if (parts.observation.route !== undefined) serveMetricsRoute(app, parts.observation.route, counts);
  if (config.site.pages) serveExplore(app, parts, guards);
  if (isConsoleOn(config)) serveConsole(app, parts, guards);
  if (accounts !== undefined) {
    const { serveManagement } = await import('./management/serve-management.ts');
    await serveManagement(app, accounts, { token: managementToken, counts, admit, askVersion, unrouted });
  }
  await app.ready();
  return app;
}

/** Undefined where every read sees every write. */
function positionsOf(app: FastifyInstance, { config, replicas, database }: HttpParts): WritePositions | undefined {
  if (replicas !== undefined) return carryPositions(app, { config, position: () => replicas.position() });
  const { jwtSecret, apiTokenSalt } = config.secrets;
  if (!database.hasWritingNodes || (jwtSecret ?? apiTokenSalt) === undefined) return undefined;
  return carryPositions(app, { config, position: () => Promise.resolve(0n) });
}

/** Undefined outside of development, where the code is not even loaded. */
async function explainRefusals(parts: HttpParts): Promise<ExplainRefusal | undefined> {
  if (parts.refusals === undefined) return undefined;
  const { createExplainRefusal } = await import('./explain-refusals.ts');
  return createExplainRefusal({ ...parts, ...parts.refusals });
}

/** Undefined without `upstream`. */
async function openUpstream(
  app: FastifyInstance,
  routes: readonly Route[],
  parts: Pick<HttpParts, 'config' | 'counts'> & Pick<Server, 'errors'>,
): Promise<Forwarding | undefined> {
  const { upstream } = parts.config;
  if (upstream === undefined) return undefined;
  const { openForwarding } = await import('./forwarding/forwarding.ts');
  const forwarding = openForwarding(app.server, upstream, { ...parts, routes });
  app.addHook('preClose', async () => forwarding.close());
  return forwarding;
}

/** The routes of the project, and those that settings switch on. A route of the project wins. */
function servedRoutes({ config, routes }: HttpParts): readonly Route[] {
  const { api, mcp } = config;
  const added = [...(api.openapi ? [openApiRoute] : []), ...(mcp.enabled ? mcpRoutes : [])].map((route) => movedRoute(route, api.prefix));
  const isTaken = (own: Route) => routes.some(({ method, path }) => method === own.method && path.toLowerCase() === own.path.toLowerCase());
  return [...routes, ...added.filter((route) => !isTaken(route))];
}
