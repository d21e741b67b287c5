/** Requests that match no route: 404, 405 and plain OPTIONS, as Strapi responds. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import { pathOf } from '../text/url-parts.ts';
import { isBelow } from './routes/api-prefix.ts';
import { methodsOf, type Route } from './routes/routes.ts';
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
}

/** GET and HEAD are 404, and all of `/graphql`. Other methods without a route are 405. */
export function sendUnrouted(request: FastifyRequest, reply: FastifyReply, { routes, errors, prefix }: Unrouted): FastifyReply {
  const { method, url } = request.raw;
  const path = pathOf(url ?? '');
  if (isGraphQl.test(path)) return errors.send(reply, ApiError.of('route.not-found').helpedBy(insteadOfGraphQl(prefix)));
  if (method === 'GET' || method === 'HEAD') {
    if (path.includes('%00')) return errors.send(reply, ApiError.of('path.malicious'));
    return errors.send(
      reply,
      isBelow(prefix)(path) ? ApiError.of('route.not-found') : ApiError.of('route.not-found').helpedBy(outsideOfApi(prefix)),
    );
  }
  reply.header('content-type', plainText);
  if (method === undefined || !writingMethods.has(method)) return reply.code(501).send('Not Implemented');
  return reply.code(405).header('allow', allow(path, routes)).send('Method Not Allowed');
}

/** OPTIONS that is not a CORS preflight. */
export const sendOptions = (request: FastifyRequest, reply: FastifyReply, routes: readonly Route[]): FastifyReply =>
  reply
    .code(200)
    .headers({ 'content-type': plainText, allow: allow(pathOf(request.raw.url ?? ''), routes) })
    .send('');

const allow = (path: string, routes: readonly Route[]) => [...new Set(['HEAD', 'GET', ...methodsOf(path, routes)])].join(', ');
