/** What pages ask the server besides the API. */
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import { closeToOtherOrigins } from '../check-secret-token.ts';

export function servePageData(app: FastifyInstance, url: string, handler: RouteHandlerMethod): void {
  app.route({
    method: ['GET', 'HEAD'],
    url,
    onRequest: async (_, reply) => {
      closeToOtherOrigins(reply);
      reply.header('vary', 'Authorization');
    },
    handler,
  });
}
