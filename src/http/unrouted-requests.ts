/** Requests that match no route: 404, 405 and plain OPTIONS, as Strapi responds. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import type { Rights } from '../rights/rights.ts';
import { pathOf } from '../text/url-parts.ts';
import { isBelow } from './routes/api-prefix.ts';
import type { MeantPath } from './routes/meant-path.ts';
import { type Method, methodsOf, type Route, routeOf } from './routes/routes.ts';
import type { ErrorSender } from './send-error.ts';

const writingMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const plainText = 'text/plain; charset=utf-8';

const isGraphQl = /^\/graphql\/?$/i;
const insteadOfGraphQl = (prefix: string) =>
  `Lectern has no GraphQL. The REST API${prefix === '' ? '' : ` below ${prefix}`} selects fields and relations in one request, as GraphQL does: GET ${prefix}/articles?fields=title&populate[author][fields]=name (docs/query.md)`;

const outsideOfApi = (prefix: string) => `Not Found: the content is below ${prefix}, as in ${prefix}/articles`;

export interface Unrouted {
  readonly routes: readonly Route[];
  readonly errors: ErrorSender;
  /** `api.prefix` */
  readonly prefix: string;
  readonly meantPath: MeantPath;
  /** Whether a 405 is text. */
  readonly asStrapi: boolean;
  /** The rights of everybody: a 404 shows no type to callers who may not know it. */
  readonly publicRights: () => Promise<Rights>;
  /** Whether a 404 may name every type. */
  readonly isDevelopment: boolean;
}

/** GET and HEAD are 404, and all of `/graphql`. Other methods without a route are 405, and outside
 *  of Strapi's rules GET and HEAD as well where the path has other methods. */
export async function sendUnrouted(request: FastifyRequest, reply: FastifyReply, unrouted: Unrouted): Promise<FastifyReply> {
  const { routes, errors, prefix, asStrapi, isDevelopment } = unrouted;
  const { method, url } = request.raw;
  const path = pathOf(url ?? '');
  if (isGraphQl.test(path)) return errors.send(reply, ApiError.of('route.not-found').helpedBy(insteadOfGraphQl(prefix)));
  const methods = methodsOf(path, routes);
  if (method === 'GET' || method === 'HEAD') {
    if (path.includes('%00')) return errors.send(reply, ApiError.of('path.malicious'));
    if (asStrapi || methods.length === 0 || methods.includes('GET')) return errors.send(reply, await notFound(path, unrouted));
  } else if (method === undefined || !writingMethods.has(method)) {
    return reply.code(501).header('content-type', plainText).send('Not Implemented');
  }
  const allowed = allow(methods, asStrapi);
  reply.header('allow', allowed);
  const action = isDevelopment && method === 'POST' ? meantAction(path, routes) : undefined;
  const meant = action === undefined ? '' : `: did you mean POST ${action}?`;
  if (asStrapi) return reply.code(405).header('content-type', plainText).send(`Method Not Allowed${meant}`);
  const error = ApiError.of('route.method', { method, allowed });
  return errors.send(reply, meant === '' ? error : error.helpedBy(`This path does not support POST${meant}`));
}

/** `/api/articles/:documentId/actions/publish` for a path without `actions`. */
function meantAction(path: string, routes: readonly Route[]): string | undefined {
  const withActions = path.replace(/\/(?=[^/]+\/?$)/, '/actions/');
  return routeOf('POST', withActions, routes)?.route.path;
}

async function notFound(path: string, { prefix, meantPath, asStrapi, publicRights, isDevelopment }: Unrouted): Promise<ApiError> {
  const error = ApiError.of('route.not-found');
  if (!isBelow(prefix)(path)) return error.helpedBy(outsideOfApi(prefix));
  // Strapi's body has no details.
  if (asStrapi && !isDevelopment) return error;
  const meant = await meantPath(path, isDevelopment ? undefined : publicRights);
  if (meant === undefined) return error;
  const help = `Not Found: did you mean ${meant}?`;
  return asStrapi ? error.hintedBy(help) : error.helpedBy(help);
}

/** OPTIONS that is not a CORS preflight. */
export const sendOptions = (
  request: FastifyRequest,
  reply: FastifyReply,
  { routes, asStrapi }: Pick<Unrouted, 'routes' | 'asStrapi'>,
): FastifyReply =>
  reply
    .code(200)
    .headers({ 'content-type': plainText, allow: allow(methodsOf(pathOf(request.raw.url ?? ''), routes), asStrapi) })
    .send('');

/** Strapi has a GET for every path, which serves its panel. Paths beside the API, such as uploads,
 *  are in no list. */
const allow = (methods: readonly Method[], asStrapi: boolean): string => {
  const isReadable = asStrapi || methods.length === 0 || methods.includes('GET');
  return [...new Set([...(isReadable ? ['HEAD', 'GET'] : []), ...methods])].join(', ');
};
