/** An HTTP server that plays the Strapi behind the setting `upstream`: it says what it received, and can fail in the ways that servers do. */
import { createHash } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly bytes: number;
  readonly digest: string;
}

export interface Upstream {
  readonly base: string;
  readonly port: number;
  /** Targets of the requests whose responses the caller did not wait for. */
  readonly left: readonly string[];
  /** The targets of all requests so far. */
  readonly targets: readonly string[];
  /** Runs before the response to `/api/written`. */
  onWrite: () => Promise<void>;
  /** Frees the port, as a Strapi that ends. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const webSocketKey = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

/** What its paths respond; any other path responds with what was received. */
const responses: Readonly<Record<string, Respond>> = {
  '/fails/silent': () => undefined,
  '/fails/reset': (_, { socket }) => void socket.destroy(),
  '/fails/no-http': (_, { socket }) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
  '/fails/switch': (_, { socket }) => void socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: own\r\n\r\n'),
  '/fails/stuck': (response) => void response.writeHead(200, { 'content-length': '10' }).write('12345'),
  '/fails/cut': (response) => {
    response.writeHead(200, { 'content-length': '10' }).write('12345');
    setTimeout(() => response.destroy(), 50);
  },
  '/events': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: first\n\n');
    setTimeout(() => response.write('data: second\n\n'), 1300);
  },
  '/gzip': (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('pressed')),
  '/cookies': (response) => void response.writeHead(200, { 'set-cookie': ['a=1', 'b=2; HttpOnly'] }).end(),
  '/connection': (response) =>
    void response.writeHead(200, { connection: 'keep-alive, x-inner', 'x-inner': '1', 'x-outer': '2', 'keep-alive': 'timeout=9' }).end(),
  '/not-modified': (response) => void response.writeHead(304, { etag: '"a"' }).end(),
  '/early': (response) => void response.writeHead(413).end('too large'),
};

export async function startUpstream(): Promise<Upstream> {
  const left: string[] = [];
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const server = http.createServer(async (request, response) => {
    const { method = '', url = '', headers, rawHeaders } = request;
    targets.push(url);
    response.on('close', () => {
      if (!response.writableFinished) left.push(url);
    });
    // As Strapi, whose headers must not be mixed with Lectern's.
    response.setHeader('Content-Security-Policy', "default-src 'self'");
    response.setHeader('X-Powered-By', 'Strapi <strapi.io>');
    response.setHeader('Access-Control-Allow-Origin', 'https://strapi.example');
    response.setHeader('Vary', 'Origin');
    const respond = responses[url];
    if (respond !== undefined) {
      respond(response, request);
      return;
    }
    if (url.startsWith('/redirect')) {
      response.writeHead(302, { location: `${upstream.base}${url.slice('/redirect'.length)}` }).end();
      return;
    }
    if (url === '/api/written') await upstream.onWrite();
    const digest = createHash('sha256');
    let bytes = 0;
    try {
      for await (const chunk of request) {
        digest.update(chunk);
        bytes += chunk.length;
      }
    } catch {
      left.push(`${url} (body)`);
      return;
    }
    const received = { method, url, headers, rawHeaders, bytes, digest: digest.digest('hex') };
    response.writeHead(method === 'OPTIONS' ? 204 : 200, { 'content-type': 'application/json' });
    response.end(method === 'OPTIONS' || method === 'HEAD' ? undefined : JSON.stringify(received));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    targets.push(request.url ?? '');
    socket.on('error', () => undefined);
    socket.on('close', () => left.push(request.url ?? ''));
    if (request.url !== '/socket') {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno');
      return;
    }
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${webSocketKey}`).digest('base64');
    const seen = `X-Seen: ${request.headers.cookie ?? ''}`;
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${seen}\r\n\r\n`,
    );
    // Frames are bytes to what stands between.
    socket.on('data', (data) => socket.write(data));
    socket.on('end', () => socket.end());
  });
  const start = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await start(0);
  const { port } = server.address() as AddressInfo;
  const upstream: Upstream = {
    base: `http://127.0.0.1:${port}`,
    port,
    left,
    targets,
    onWrite: async () => undefined,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    start: () => start(port),
  };
  return upstream;
}
