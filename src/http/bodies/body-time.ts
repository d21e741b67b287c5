/** How long a body may take to arrive. Node's `requestTimeout` is one for all requests and cannot be lifted for one of them, so it stays off: an
 *  upload over a slow line takes minutes, and is bounded by silence instead (`receiveUpload`). Headers have Node's `headersTimeout`. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ErrorSender } from '../send-error.ts';

interface BodyTime {
  start(): void;
  stop(): void;
}

const bodyTimes = new WeakMap<IncomingMessage, BodyTime>();

/** Gives each body that many milliseconds: 408 for whoever has no answer by then, and the end of the connection for whoever has one and sends
 *  on. Asked of the server and not of Fastify, whose hooks do not see requests with a path that cannot be read. */
export function boundBodies(server: Server, milliseconds: number, errors: ErrorSender): void {
  const giveUp = (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete) return;
    if (response.headersSent) request.socket.destroy();
    else errors.sendToSocket(Object.assign(new Error('too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), request.socket);
  };
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers } = request;
    if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return;
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

/** Ends the time limit of a body whose reader bounds it in another way. */
export const liftBodyTime = (request: IncomingMessage): void => bodyTimes.get(request)?.stop();

/** Drops what is still to come of a body that was refused, for as long as any body may take. Closing at once would be a reset, and that takes the
 *  answer away from who has not read it yet; most senders stop when they see it, or have little left. */
export function dropRest(request: IncomingMessage): void {
  bodyTimes.get(request)?.start();
  request.resume();
}
