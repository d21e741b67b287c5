/** The bare HTTP server: its limits, its log, and what it says to requests that reach no route. */
import { createServer as createNodeServer } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Config } from '../config/config.ts';
import { ApiError } from '../errors/api-error.ts';
import { boundPipelines } from './pipelined-requests.ts';
import { requestId } from './request-id.ts';
import { createErrorSender, type ErrorSender } from './send-error.ts';
import { type Headers, securityHeaders } from './site/security-headers.ts';

export interface Server {
  readonly app: FastifyInstance;
  /** Every response has these. */
  readonly headers: Headers;
  readonly errors: ErrorSender;
}

/** Takes the log, a line of JSON at a time. */
export interface LogStream {
  write(line: string): void;
}

/** Room for a header block beside the longest query, so that our own limit is
 *  reached before Node's 431. */
const headerBytes = 64 * 1024;
const minHeaderBytes = 128 * 1024;

function noSchemas(): never {
  throw new Error('a route with a schema needs the schema compilers');
}

/** Fastify without routes. What is made before the routes, such as counters, writes to its log. */
export function createServer(config: Config, log: LogStream): Server {
  const headers: Headers = { ...securityHeaders(), 'x-powered-by': 'Lectern' };
  const errors = createErrorSender(config.policies);
  const nothing = Object.freeze({});
  const app = Fastify({
    logger: config.log.level === 'silent' ? false : { level: config.log.level, stream: log },
    trustProxy: config.trustProxy.length === 0 ? false : [...config.trustProxy],
    // One line a request of our own instead of Fastify's two.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    // No route has a schema. Without these, Fastify loads its schema compilers, which takes a fifth
    // of the start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    requestIdHeader: false,
    genReqId: requestId,
    exposeHeadRoutes: false,
    bodyLimit: config.limits.bodyBytes,
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection while the server stops is served like those
    // that run.
    return503OnClosing: false,
    serverFactory: (toRoutes) =>
      createNodeServer(
        {
          maxHeaderSize: Math.max(minHeaderBytes, config.limits.queryBytes + headerBytes),
          headersTimeout: 20_000,
          keepAliveTimeout: 72_000,
          // `boundBodies` limits bodies.
          requestTimeout: 0,
        },
        boundPipelines(toRoutes),
      ),
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      maxParamLength: 4096,
      // The pipeline reads the query from the raw URL; nothing is parsed twice.
      querystringParser: () => nothing,
    },
    clientErrorHandler: errors.sendToSocket,
    frameworkErrors(error, request: FastifyRequest, reply: FastifyReply) {
      reply.headers(headers).header('x-request-id', request.id);
      errors.send(reply, ApiError.of(error.code === 'FST_ERR_BAD_URL' ? 'path.undecodable' : 'route.not-found', undefined));
    },
  });
  return { app, headers, errors };
}
