/** Runs an endpoint for one request. */
import { parse } from 'qs';
import type { DefinedEndpoint } from './define.ts';
import { textOf } from './failure.ts';
import type { EndpointOutcome, EndpointWork } from './protocol.ts';
import type { ChunkStream } from './server-link.ts';
import type { EndpointContext } from './types.ts';
import { validated } from './value-schemas.ts';

type ContextOf = (values: { readonly query: unknown; readonly body: unknown }) => EndpointContext<unknown, unknown>;

export async function runEndpoint(
  endpoint: DefinedEndpoint,
  work: EndpointWork,
  contextOf: ContextOf,
  stream: ChunkStream,
): Promise<EndpointOutcome> {
  const query = await validated(parse(work.query, queryLimits), endpoint.query, true);
  const sent = work.body === undefined ? undefined : (JSON.parse(work.body) as unknown);
  const body = endpoint.body === undefined ? sent : await validated(sent, endpoint.body, false);
  const result: unknown = await endpoint.handler(contextOf({ query, body }) as never);
  if (result instanceof Response) return sendResponse(result, stream);
  if (result === undefined) return { status: 204, headers: [], body: null, isStreamed: false };
  const text = JSON.stringify(result);
  if (text === undefined)
    throw new TypeError(`the handler returned ${String(result)}, which is not JSON: it returns a value, or a Response`);
  return { status: 200, headers: [['content-type', 'application/json; charset=utf-8']], body: text, isStreamed: false };
}

/** The server bounds the length of queries. */
const queryLimits = { depth: 5, parameterLimit: 1000, arrayLimit: 100, plainObjects: false };

function sendResponse(response: Response, stream: ChunkStream): EndpointOutcome {
  const { status, body } = response;
  const isStreamed = body !== null;
  if (body !== null) void sendChunks(body, stream);
  return { status, headers: [...response.headers], body: null, isStreamed };
}

async function sendChunks(body: ReadableStream<Uint8Array>, stream: ChunkStream): Promise<void> {
  try {
    // The iterator cancels the body when the client has left.
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) await stream.write(chunk);
    stream.end();
  } catch (error) {
    stream.end(textOf(error));
  }
}
