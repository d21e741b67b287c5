import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What waits for the end of a connection: one listener, however many requests it has. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/** Calls `then` once, when the response or its connection is closed. Pipelined responses that have
 *  not begun do not report it. A closed connection reports nothing: callers look at `destroyed`. */
export function whenClosed(response: ServerResponse, then: () => void): void {
  const { socket } = response.req;
  const calls = waiting.get(socket) ?? callsAtEnd(socket);
  calls.add(call);
  response.once('close', call);
  function call() {
    if (calls.delete(call)) then();
  }
}

function callsAtEnd(socket: Socket): Set<() => void> {
  const calls = new Set<() => void>();
  waiting.set(socket, calls);
  socket.once('close', () => {
    for (const call of calls) call();
  });
  return calls;
}
