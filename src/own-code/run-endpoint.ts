/** Runs an endpoint for one request. */
import { parse } from 'qs';
import type { DefinedEndpoint } from './define.ts';
import { textOf } from './failure.ts';
import type { EndpointOutcome, EndpointWork } from './protocol.ts';
import type { ChunkStream } from './server-link.ts';
import type { EndpointContext } from './types.ts';
import { validated } from './value-schemas.ts';

export interface RequestValues {
  readonly query: unknown;
  readonly body: unknown;
}

interface EndpointRun {
  readonly outcome: EndpointOutcome;
  /** Resolves when the body was sent; undefined if the outcome contains it. */
  readonly sent: Promise<void> | undefined;
}

export async function runEndpoint(
  endpoint: DefinedEndpoint,
  work: EndpointWork,
  contextOf: (values: RequestValues) => EndpointContext<unknown, unknown>,
  stream: ChunkStream,
): Promise<EndpointRun> {
  const query = await validated(parse(work.query, queryLimits), endpoint.query, true);
  const sent = work.body === undefined ? undefined : (JSON.parse(work.body) as unknown);
  const body = endpoint.body === undefined ? sent : await validated(sent, endpoint.body, false);
  const result: unknown = await endpoint.handler(contextOf({ query, body }) as never);
  if (result instanceof Response) return sendResponse(result, stream);
  if (result === undefined) return { outcome: { status: 204, headers: [], body: null, isStreamed: false }, sent: undefined };
  const text = JSON.stringify(result);
  if (text === undefined)
    throw new TypeError(
      `the handler returned ${String(result)}, which is not JSON: it has to return a value for JSON, a Response or nothing`,
    );
  const headers = [['content-type', 'application/json; charset=utf-8']] as const;
  return { outcome: { status: 200, headers, body: text, isStreamed: false }, sent: undefined };
}

/** The server limits the length of queries. */
const queryLimits = { depth: 5, parameterLimit: 1000, arrayLimit: 100, plainObjects: false };

function sendResponse(response: Response, stream: ChunkStream): EndpointRun {
  const { status, body, url } = response;
  // A response of `fetch` is decoded, but its headers still name the encoding.
  const headers = [...response.headers].filter(([name]) => url === '' || name !== 'content-encoding');
  const sent = body === null ? undefined : sendChunks(body, stream);
  return { outcome: { status, headers, body: null, isStreamed: sent !== undefined }, sent };
}

/** Never rejects. */
async function sendChunks(body: ReadableStream<Uint8Array>, stream: ChunkStream): Promise<void> {
  const { signal } = stream;
  const reader = body.getReader();
  // The body may wait for its next chunk for long: it learns at once that the client has left.
  const cancel = () => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', cancel);
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) await stream.write(next.value);
    stream.end();
  } catch (error) {
    cancel();
    stream.end(textOf(error));
  }
}
