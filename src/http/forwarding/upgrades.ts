/** Requests to change the protocol. Node gives them to the server outside of the routes. They are
 *  sent through the routes as well, so that one decision says what is forwarded. */
import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { hasBody } from '../bodies/unread-body.ts';
import type { ErrorSender } from '../send-error.ts';
import { responseHeaders } from './forwarded-headers.ts';

export interface Upgrade {
  readonly socket: Socket;
  /** Bytes that came after the request. */
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Undefined for other requests and protocols, which are served as if they had not asked. */
export const webSocketOf = (request: IncomingMessage): Upgrade | undefined =>
  request.method === 'GET' && /^websocket$/i.test(request.headers.upgrade ?? '') ? upgrades.get(request) : undefined;

/** Milliseconds for the client to read a response before its connection is destroyed. */
const lingering = 2000;

export function routeUpgrades(server: Server, errors: ErrorSender): void {
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    // Node has not read the body, whose bytes would be taken for something else.
    if (hasBody(request)) {
      errors.sendToSocket(new Error('an upgrade with a body'), socket);
      return;
    }
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => {
      socket.end();
      setTimeout(() => socket.destroy(), lingering).unref();
    });
    upgrades.set(request, { socket, head });
    server.emit('request', request, response);
  });
}

/** Milliseconds of silence after which TCP asks whether the other side is still there. */
const probing = 30_000;

/** Connects the two sockets once the upstream sends 101. Each ends with the other. */
export function joinSockets({ socket, head }: Upgrade, response: IncomingMessage, upstream: Socket, rest: Buffer, origin: string): void {
  const headers = responseHeaders(response, origin);
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (rest.length > 0) socket.write(rest);
  if (head.length > 0) upstream.write(head);
  const end = () => {
    socket.destroy();
    upstream.destroy();
  };
  for (const each of [socket, upstream]) {
    each.setTimeout(0);
    each.setNoDelay(true);
    each.setKeepAlive(true, probing);
  }
  pipeline(socket, upstream, end);
  pipeline(upstream, socket, end);
}
