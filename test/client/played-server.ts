/** A server that plays the responses that a test gives it, and remembers the requests. */
import http from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { listen } from '../support/listen.ts';

export interface PlayedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** Milliseconds. */
  readonly at: number;
}

export interface PlayedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is when a text, otherwise as JSON. */
  readonly body?: unknown;
  /** The connection is closed without a response, or in the middle of the body. */
  readonly breaks?: 'before' | 'within';
  /** There is never a response, or never the end of its body. */
  readonly hangs?: 'before' | 'within';
}

export interface PlayedServer {
  readonly base: string;
  /** The requests since the last `play`. */
  readonly requests: PlayedRequest[];
  /** One response for each request; the last one is repeated. */
  play(...responses: readonly (PlayedResponse | ((request: PlayedRequest) => PlayedResponse))[]): void;
  /** Waits until so many requests have arrived since the last `play`. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
}

export const ok: PlayedResponse = { body: { data: [], meta: { pagination: { page: 1, pageSize: 25, pageCount: 0, total: 0 } } } };

export const refusal = (status: number, headers: Readonly<Record<string, string>> = {}, code = 'some.code'): PlayedResponse => ({
  status,
  headers,
  body: { data: null, error: { status, name: 'SomeError', code, message: 'No', details: { a: 1 } } },
});

export async function startPlayedServer(): Promise<PlayedServer> {
  const requests: PlayedRequest[] = [];
  let responses: readonly (PlayedResponse | ((request: PlayedRequest) => PlayedResponse))[] = [ok];
  const sockets = new Set<Socket>();
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url = '', headers } = request;
    const received = { method, url, headers, body, at: Date.now() };
    const next = responses[Math.min(requests.length, responses.length - 1)] ?? ok;
    requests.push(received);
    const { status = 200, headers: own = {}, body: content = '', breaks, hangs } = typeof next === 'function' ? next(received) : next;
    if (hangs === 'before') return;
    if (breaks === 'before') {
      request.socket.destroy();
      return;
    }
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const length = Buffer.byteLength(text) + (breaks === 'within' || hangs === 'within' ? 10 : 0);
    response.writeHead(
      status,
      status === 304 || status === 204 ? own : { 'content-type': 'application/json', 'content-length': length, ...own },
    );
    if (breaks === 'within') response.write(text, () => request.socket.destroy());
    else if (hangs === 'within') response.write(text);
    else response.end(status === 304 || status === 204 ? undefined : text);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const base = `http://127.0.0.1:${await listen(server)}`;
  return {
    base,
    requests,
    play(...given) {
      requests.length = 0;
      responses = given;
    },
    async arrived(count) {
      while (requests.length < count) await setTimeout(5);
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
