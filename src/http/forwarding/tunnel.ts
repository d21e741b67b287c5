/** WebSockets: after the upstream has agreed, bytes are passed both ways. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { responseHeaders } from './forwarded-headers.ts';
import type { Upgrade } from './upgrades.ts';

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
