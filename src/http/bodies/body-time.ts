/** Limits the time in which a body must arrive. Node's `requestTimeout` is one limit for all requests, so it stays off: an upload over a slow
 *  line takes minutes, and has a limit on silence instead (`receiveUpload`). Headers have Node's `headersTimeout`. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './unread-body.ts';

/** What is needed of `ErrorSender`. Importing that would make a cycle: `send-error.ts` imports this file. */
interface SocketErrors {
  sendToSocket(error: Error & { code?: string }, socket: Socket): void;
}

interface BodyTime {
  start(): void;
  stop(): void;
}

const bodyTimes = new WeakMap<IncomingMessage, BodyTime>();

/** Gives each body `milliseconds` to arrive. Afterwards a request without a response gets 408, and the connection of a request that already has
 *  one is closed. Uses events of the server and not Fastify's hooks, which do not see requests whose path cannot be read. */
export function boundBodies(server: Server, milliseconds: number, errors: SocketErrors): void {
  const giveUp = (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete) return;
    if (response.headersSent) request.socket.destroy();
    else errors.sendToSocket(Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.socket);
  };
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    let timer: NodeJS.Timeout | undefined;
    const stop = () => clearTimeout(timer);
    const start = () => {
      stop();
      timer = setTimeout(giveUp, milliseconds, request, response);
    };
    bodyTimes.set(request, { start, stop });
    request.once('close', stop);
    start();
  });
}

/** Lifts the time limit for handlers that read and limit the body themselves. */
export const liftBodyTime = (request: IncomingMessage): void => bodyTimes.get(request)?.stop();

const rests = new Set<IncomingMessage>();

/** Closes the connections of refused bodies that are still being sent, whose responses are sent: a server that ends does not wait for them. */
export function closeRests(): void {
  for (const request of rests) if (!request.complete) request.socket.destroy();
}

/** Drops the rest of a refused body, for the time that any body has. Closing at once would reset the connection, and the client could lose the
 *  response before reading it; most clients stop when they see it, or have little left to send. */
export function dropRest(request: IncomingMessage): void {
  bodyTimes.get(request)?.start();
  rests.add(request);
  request.once('close', () => rests.delete(request));
  request.resume();
}
