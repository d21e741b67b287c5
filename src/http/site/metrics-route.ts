/** `/metrics` of the server itself, behind a token: labels name content types. */
import type { FastifyInstance } from 'fastify';
import { metricsType } from '../../observe/metrics-server.ts';
import { checkSecretToken } from '../check-secret-token.ts';
import type { RateCounts } from '../rate-limits/rate-limiter.ts';

export interface MetricsRoute {
  readonly token: string;
  /** The metrics of all processes of the server together. */
  readonly text: () => Promise<string>;
}

export function serveMetricsRoute(app: FastifyInstance, { token, text }: MetricsRoute, counts: RateCounts): void {
  const check = checkSecretToken(token, counts, 'metrics');
  app.route({
    method: ['GET', 'HEAD'],
    url: '/metrics',
    onRequest: check,
    handler: async (_, reply) => reply.header('content-type', metricsType).send(await text()),
  });
}
