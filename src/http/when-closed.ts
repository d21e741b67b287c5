import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What waits for the end of a connection: one listener, however many requests are pipelined on it. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/** Calls `then` once, when the response or its connection is closed. A pipelined response that never got its turn on the connection does not report that it
 *  is closed. Nor would a connection that is closed already: callers look at `destroyed` first. */
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
