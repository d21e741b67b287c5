import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { closeRests } from './bodies/body-time.ts';

const look = 25;

/** Ends each connection with the response to its next request (`Connection: close`): a client that
 *  keeps one open would otherwise send a request at the moment when the server closes it. */
export function endConnections(server: Server): void {
  server.prependListener('request', (_, response) => {
    response.shouldKeepAlive = false;
  });
}

/** Accepts no more connections, and ends each with the response to its next request, which
 *  `server.close` would not send. Resolves without connections, or after `time` (milliseconds). */
export async function drain(server: Server, time: number): Promise<void> {
  endConnections(server);
  // `close` of an HTTP server closes idle connections at once.
  NetServer.prototype.close.call(server);
  const end = performance.now() + time;
  while (performance.now() < end && (await connectionsOf(server)) > 0) {
    closeRests();
    await new Promise((resolve) => setTimeout(resolve, look));
  }
}

/** Closes the server after its running requests. The rest of a refused body does not count. */
export async function closeServer(http: { close(): PromiseLike<unknown> }): Promise<void> {
  const closing = setInterval(closeRests, look);
  await Promise.resolve(http.close()).finally(() => clearInterval(closing));
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((error, count) => resolve(error === null ? count : 0)));
