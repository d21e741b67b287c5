/** Limits the time in which a body must arrive. Node's `requestTimeout` has one limit for all:
 *  uploads take minutes, so theirs is on silence (`receiveUpload`). Headers have
 *  `headersTimeout`. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from './unread-body.ts';

/** The part of `ErrorSender` that is used: `send-error.ts` imports this file, not the reverse. */
interface SocketErrors {
  sendToSocket(error: Error & { code?: string }, socket: Socket): void;
}

interface BodyTime {
  start(): void;
  stop(): void;
}

const bodyTimes = new WeakMap<IncomingMessage, BodyTime>();

/** Gives each body `milliseconds` to arrive. Afterwards the request gets 408, or its connection is
 *  closed. Listens to the server: Fastify's hooks do not see requests with an undecodable path. */
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

/** The end of a server does not wait for refused bodies whose responses are sent. */
export function closeRests(): void {
  for (const request of rests) if (!request.complete) request.socket.destroy();
}

/** Drops the rest of a refused body, for the time that any body has. Closing the connection at once
 *  could reset it before the client has read the response. */
export function dropRest(request: IncomingMessage): void {
  bodyTimes.get(request)?.start();
  rests.add(request);
  request.once('close', () => rests.delete(request));
  request.resume();
}
