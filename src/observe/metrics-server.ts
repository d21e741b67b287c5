/** The port for `/metrics` alone (`metrics.port`). */

import { createServer, type Server } from 'node:http';
import { StartError } from '../errors/start-error.ts';
import { createTokenCheck } from '../identity/secret-token.ts';
import { httpUrl } from '../text/http-url.ts';

export interface MetricsServerOptions {
  readonly host: string;
  readonly port: number;
  /** Undefined: everybody who reaches the port may read. */
  readonly token: string | undefined;
  readonly text: () => Promise<string>;
}

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Few programs read metrics; further connections are refused. */
const maxConnections = 50;
/** Milliseconds in which a request has to arrive. */
const requestTimeout = 10_000;

export async function openMetricsServer({ host, port, token, text }: MetricsServerOptions): Promise<MetricsServer> {
  const isRight = token === undefined ? () => true : createTokenCheck(token);
  // Scrapers that come together share one reading.
  let reading: Promise<string> | undefined;
  const read = () => {
    reading ??= text().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const server = createServer({ requestTimeout, headersTimeout: requestTimeout }, (request, response) => {
    const send = (status: number, body: string, type = 'text/plain; charset=utf-8') => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
      response.end(body);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') send(405, 'Method Not Allowed\n');
    else if (!/^\/metrics(?:\?|$)/.test(request.url ?? '')) send(404, 'Not Found: the metrics are at /metrics\n');
    else if (!isRight(request.headers.authorization)) send(401, 'Unauthorized: LECTERN_METRICS_TOKEN is needed as a Bearer token\n');
    else
      read().then(
        (body) => send(200, body, metricsType),
        () => send(503, 'The metrics cannot be read at the moment\n'),
      );
  });
  server.maxConnections = maxConnections;
  await listen(server, host, port);
  const bound = server.address();
  return {
    url: `${httpUrl(host, typeof bound === 'object' && bound !== null ? bound.port : port)}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new StartError([
          error.code === 'EADDRINUSE'
            ? `metrics.port: port ${port} of ${host} is in use by another process. Choose another one: LECTERN_METRICS_PORT`
            : `metrics.port: ${host}:${port} cannot be listened on (${error.code ?? error.message})`,
        ]),
      ),
    );
    server.listen(port, host, () => {
      // A failed accept must not end the process.
      server.on('error', () => undefined);
      resolve();
    });
  });
}

/** The media type of Prometheus's text format. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';
