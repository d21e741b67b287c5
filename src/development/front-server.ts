/** One HTTP server for as long as `lectern dev` runs. The app behind it is replaced between two
 *  requests: port and connections stay open, and a request ends in the app that it began in. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { App } from '../app.ts';
import { httpUrl } from '../text/http-url.ts';

/** An app with the number of its requests that have no complete response yet. */
interface Generation {
  readonly app: App;
  running: number;
  /** Called when `running` becomes 0. */
  ended: () => void;
}

type RequestEvent = 'request' | 'checkContinue';

/** What Fastify has configured of an app's own server, which never listens. */
const serverSettings = ['maxHeaderSize', 'headersTimeout', 'requestTimeout', 'keepAliveTimeout', 'timeout', 'maxRequestsPerSocket'];

/** Maximum of requests that wait during a pause: for a reload, or a question on the terminal. */
const maxWaiting = 1000;
/** Seconds after which a refused request may be sent again. */
const retryAfter = 2;

export class FrontServer {
  readonly #server: Server = createServer();
  #current: Generation | undefined;
  /** Requests that arrived during a pause; undefined while there is none. */
  #waiting: (() => void)[] | undefined;

  /** Connections that may have become WebSockets, which no request ends. */
  readonly #upgraded = new Set<Socket>();

  constructor() {
    for (const event of ['request', 'checkContinue'] as const)
      this.#server.on(event, (request: IncomingMessage, response: ServerResponse) => this.#receive(event, request, response));
    this.#server.on('clientError', (error: Error, socket: Socket) => {
      if (this.#current === undefined) socket.destroy();
      else this.#current.app.server.emit('clientError', error, socket);
    });
  }

  /** Resolves with the URL once requests are accepted. The server must have an app before. */
  listen(host: string, port: number): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject);
        const bound = this.#server.address();
        resolve(httpUrl(host, typeof bound === 'object' && bound !== null ? bound.port : port));
      });
    });
  }

  /** Sends further requests to this app, also those that wait. When the former app has no requests
   *  left, however long that takes, closes it and resolves: a slow upload must not lose its
   *  database. */
  async replace(app: App): Promise<void> {
    const former = this.#current;
    this.#current = { app, running: 0, ended: () => undefined };
    const own = app.server;
    // Without a listener, Node responds as if no other protocol had been requested.
    this.#server.removeAllListeners('upgrade');
    if (own.listenerCount('upgrade') > 0)
      this.#server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
        this.#upgraded.add(socket);
        socket.once('close', () => this.#upgraded.delete(socket));
        own.emit('upgrade', request, socket, head);
      });
    Object.assign(this.#server, Object.fromEntries(serverSettings.map((name) => [name, Reflect.get(own, name)])));
    this.resume();
    if (former === undefined) return;
    await idle(former, undefined);
    await former.app.close();
  }

  /** Makes new requests wait. Resolves when no request runs, or after `patience` milliseconds. */
  async pause(patience: number): Promise<void> {
    this.#waiting ??= [];
    if (this.#current !== undefined) await idle(this.#current, patience);
  }

  resume(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const receive of waiting) receive();
  }

  /** Lets requests in flight end, then closes the app. */
  async close(): Promise<void> {
    this.resume();
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    this.#server.closeIdleConnections();
    for (const socket of this.#upgraded) socket.destroy();
    await closed;
    await this.#current?.app.close();
  }

  #receive(event: RequestEvent, request: IncomingMessage, response: ServerResponse): void {
    if (this.#waiting !== undefined && this.#waiting.length >= maxWaiting) {
      refuse(response);
      return;
    }
    if (this.#waiting !== undefined) {
      this.#waiting.push(() => this.#receive(event, request, response));
      return;
    }
    const generation = this.#current;
    // The client gave up while its request waited.
    if (generation === undefined || response.destroyed) {
      request.destroy();
      return;
    }
    generation.running += 1;
    response.once('close', () => {
      generation.running -= 1;
      if (generation.running === 0) generation.ended();
      // A connection that stays open would hold up the end of the server.
      if (!this.#server.listening) setImmediate(() => this.#server.closeIdleConnections());
    });
    generation.app.server.emit(event, request, response);
  }
}

/** In the shape of Strapi's errors: no app is there to send one. */
function refuse(response: ServerResponse): void {
  const message = 'The server reloads, and too many requests wait already; retry later';
  const error = { status: 503, name: 'ServiceUnavailableError', message, details: {} };
  response.writeHead(503, { 'content-type': 'application/json; charset=utf-8', 'retry-after': String(retryAfter), connection: 'close' });
  response.end(JSON.stringify({ data: null, error }));
}

/** Resolves when no request runs, or `patience` milliseconds later. */
function idle(generation: Generation, patience: number | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (generation.running === 0) {
      resolve();
      return;
    }
    const late = patience === undefined ? undefined : setTimeout(resolve, patience);
    generation.ended = () => {
      clearTimeout(late);
      resolve();
    };
  });
}
