/** Requests as they stand: `fetch` would encode brackets, spaces and broken percent-encodings on the way. */
import http from 'node:http';

export interface SentRequest {
  readonly method?: string;
  /** Path and query, literally. */
  readonly path: string;
  /** Undefined: without a header that is sent by default. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as it is when a text or bytes, otherwise as JSON. */
  readonly body?: unknown;
  /** The address to send from: any of 127.0.0.0/8. */
  readonly from?: string | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly text: string;
  /** The body as JSON; throws with the body's beginning when it is none. */
  json(): unknown;
}

// Kept open: most of a suite's requests go to one server. It is also what a front end does, so stopping has to cope with it.
const agent = new http.Agent({ keepAlive: true, maxSockets: 128 });

/** Longer than any request may take; a server that hangs shall fail the test, not the machine. */
const hangs = 60_000;

export function send(base: string, request: SentRequest): Promise<HttpResponse> {
  const { hostname, port } = new URL(base);
  const { body } = request;
  const payload = body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const headers: http.OutgoingHttpHeaders = {
    ...(payload === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(payload)) }),
    ...request.headers,
  };
  for (const [name, value] of Object.entries(headers)) if (value === undefined) delete headers[name];
  return new Promise((resolve, reject) => {
    const from = request.from === undefined ? {} : { localAddress: request.from };
    const options = { agent, hostname, port, method: request.method ?? 'GET', path: request.path, headers, ...from };
    const sent = http.request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve(answerOf(response, Buffer.concat(chunks))));
    });
    sent.setTimeout(hangs, () => sent.destroy(new Error(`${request.path.slice(0, 200)}: no answer within ${hangs / 1000} s`)));
    sent.on('error', reject);
    sent.end(payload);
  });
}

function answerOf(response: http.IncomingMessage, raw: Buffer): HttpResponse {
  const text = raw.toString('utf8');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    raw,
    text,
    json() {
      try {
        return JSON.parse(text);
      } catch {
        throw new Error(`no JSON (status ${response.statusCode}): ${text.slice(0, 200)}`);
      }
    },
  };
}

/** The number of statements that a response took, as `Server-Timing` says. */
export const statementsOf = ({ headers }: HttpResponse) => Number(/statements;desc="(\d+)"/.exec(String(headers['server-timing']))?.[1]);

const ownToEach = new Set(['date', 'x-request-id', 'server-timing', 'connection', 'keep-alive']);
/** A response without the headers that differ each time and reveal nothing. */
export const said = ({ status, headers, text }: HttpResponse) => ({
  status,
  headers: Object.entries(headers)
    .filter(([name]) => !ownToEach.has(name))
    .sort(),
  text,
});
