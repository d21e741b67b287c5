/** Limits how many requests of one connection wait for their responses. Node reads faster than it
 *  responds: a few connections could delay everybody for seconds, and fill the memory. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Browsers and libraries send one request at a time, or a few. */
const maxWaiting = 100;

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

const waiting = new WeakMap<Socket, number>();

/** Closes a connection with more requests than that. They are not responded to. */
export function boundPipelines(respond: Respond): Respond {
  return (request, response) => {
    const { socket } = request;
    // What Node had read before the connection was closed.
    if (socket.destroyed) return;
    const count = waiting.get(socket) ?? 0;
    if (count >= maxWaiting) {
      socket.destroy();
      return;
    }
    waiting.set(socket, count + 1);
    response.on('close', noteClosed);
    respond(request, response);
  };
}

/** One function for all responses: another one for each would cost more than the count. */
function noteClosed(this: ServerResponse): void {
  const { socket } = this.req;
  waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
}
