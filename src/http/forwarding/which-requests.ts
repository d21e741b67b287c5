/** Decides what is forwarded, by Fastify's routing, and for OPTIONS by the table of routes. */
import type { FastifyRequest } from 'fastify';
import { decoded, pathOf } from '../../text/url-parts.ts';
import { isManagementPath } from '../management/management-path.ts';
import { isBelow } from '../routes/api-prefix.ts';
import { handlingOf, methodsOf, type Route } from '../routes/routes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The requests of this route are forwarded. */
    readonly forwarded?: boolean;
  }
}

/** TRACE and unknown methods are no use to Strapi. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** `prefix`: that of the API. */
export function whichRequests(all: readonly Route[], prefix: string) {
  const own = all.filter((route) => handlingOf(route) !== 'forwarded');
  // Without a prefix, a type of the project may have this path.
  const isMetrics = all.some(({ path }) => isBelow('/metrics')(path)) ? () => false : isBelow('/metrics');
  /** Paths that need Lectern's own tokens: forwarding a mistyped one would send the token to
   *  Strapi. */
  const isReserved = (path: string) => isManagementPath(path, prefix) || isMetrics(decoded(path) ?? '');
  const besideRoutes = (path: string) => /^\/(?:uploads\/|_health\/?$)/i.test(path) || isReserved(path);

  /** A preflight goes where its request will go: the headers have to come from the same server. */
  function isOptionsForwarded({ raw }: FastifyRequest): boolean {
    const path = decoded(pathOf(raw.url ?? ''), decodeURI);
    if (path === undefined || !path.startsWith('/') || besideRoutes(path)) return false;
    const wanted = raw.headers['access-control-request-method'];
    const served: readonly string[] = methodsOf(path, own);
    if (wanted === undefined) return served.length === 0;
    return !served.includes(wanted === 'HEAD' ? 'GET' : wanted);
  }

  return {
    isForwarded(request: FastifyRequest): boolean {
      if (!methods.has(request.method)) return false;
      if (request.method === 'OPTIONS') return isOptionsForwarded(request);
      if (request.is404) return !isReserved(pathOf(request.raw.url ?? ''));
      return request.routeOptions.config.forwarded === true;
    },
    /** Whether a route of Lectern's own, refused ones included, matches this path. */
    isOurs: (path: string): boolean => besideRoutes(path) || methodsOf(path, own).length > 0,
  };
}
