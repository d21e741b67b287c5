/** Sends one request as it stands in a log or file, and reads a response of limited size in limited
 *  time. Redirects are not followed. */
import http from 'node:http';
import https from 'node:https';
import type { Target } from './target.ts';

export interface SentRequest {
  readonly method: string;
  readonly target: Target;
  /** Override the default headers. Names are in lower case; null removes the header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** JSON. */
  readonly body?: string | undefined;
}

export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** From the request's first byte to the response's last. */
  readonly milliseconds: number;
}

/** `reason` is for people: `no response within 30 s`, `ECONNREFUSED`. */
export type Asked = Answer | { readonly kind: 'failed'; readonly reason: string };

export interface AskLimits {
  readonly milliseconds: number;
  readonly bytes: number;
}

export interface Side {
  ask(request: SentRequest): Promise<Asked>;
  close(): void;
}

/** `base`: `https://example.org`, perhaps with a path that goes in front. `token` is for this
 *  server alone. */
export function sideAt(base: URL, token: string | undefined, limits: AskLimits, signal: AbortSignal): Side {
  const { Agent, request: send } = base.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true });
  const folder = base.pathname.replace(/\/+$/, '');
  const headers = {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'lectern-compare',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const headersOf = ({ headers: own = {}, body }: SentRequest) => {
    const content = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    return Object.fromEntries(
      Object.entries({ ...headers, ...content, ...own }).filter(([, value]) => value !== null),
    ) as http.OutgoingHttpHeaders;
  };
  const ask = (request: SentRequest): Promise<Asked> =>
    new Promise((resolve) => {
      const { method, target, body } = request;
      const isRead = method === 'GET' || method === 'HEAD';
      const start = performance.now();
      const finish = (asked: Asked | Promise<Asked>) => {
        clearTimeout(late);
        resolve(asked);
      };
      const fail = (reason: string) => finish({ kind: 'failed', reason });
      const { hostname, port } = base;
      // Brackets are not part of an IPv6 address.
      const to = { hostname: hostname.replaceAll(/[[\]]/g, ''), port };
      // A write uses a new connection: if an idle one closed just then, its outcome would be
      // unknown.
      const options = { ...to, agent: isRead && agent, method, path: folder + target, headers: headersOf(request), signal };
      const sent = send(options, (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size > limits.bytes) sent.destroy(new Error(`a response of more than ${limits.bytes} bytes`));
          else chunks.push(chunk);
        });
        response.on('error', (error) => fail(error.message));
        response.on('end', () => {
          const milliseconds = performance.now() - start;
          const { statusCode: status = 0 } = response;
          finish({ kind: 'answer', status, headers: flat(response.headers), body: Buffer.concat(chunks), milliseconds });
        });
      });
      const late = setTimeout(
        () => sent.destroy(new Error(`no whole response within ${limits.milliseconds / 1000} s`)),
        limits.milliseconds,
      );
      // Nobody asked for it. Without a listener, Node closes the connection and says nothing.
      sent.on('upgrade', (_, socket) => {
        socket.destroy();
        fail('a response with status 101, which changes the protocol');
      });
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed the idle connection at that moment. Retries end with a new connection.
        if (error.code === 'ECONNRESET' && sent.reusedSocket) finish(ask(request));
        else fail(error.code ?? error.message);
      });
      sent.end(body);
    });
  return { ask, close: () => agent.destroy() };
}

const flat = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]));
