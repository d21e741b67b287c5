/** `lectern mcp`: forwards the messages of an assistant from standard input to `/api/_mcp` of a
 *  server, and the responses to standard output. Nothing else is written there. */
import { createInterface } from 'node:readline';
import { StartError } from '../../errors/start-error.ts';
import { isLoopback } from '../../text/http-url.ts';
import { isObject, type JsonObject, jsonOrUndefined, objectAt } from '../../text/json.ts';
import { exitCodes } from '../exit-codes.ts';

/** Codes of JSON-RPC: an error that the server defines, and a message that is not JSON. */
const serverError = -32_000;
const parseError = -32_700;

export async function mcp({ url }: { readonly url: string }): Promise<number> {
  const token = process.env.LECTERN_API_TOKEN ?? '';
  // An argument could be read in the list of processes.
  if (token === '')
    throw new StartError(['Set LECTERN_API_TOKEN to an API token: the server decides by it what the assistant may do'], exitCodes.usage);
  const forward = forwarderTo(endpointOf(url), token);
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const work = forward(line).finally(() => running.delete(work));
    running.add(work);
  }
  await Promise.all(running);
  return exitCodes.done;
}

function endpointOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (
    parsed === undefined ||
    !/^https?:$/.test(parsed.protocol) ||
    parsed.username !== '' ||
    parsed.password !== '' ||
    parsed.search !== ''
  )
    throw new StartError(['--url must be the URL of the API, such as https://example.org/api'], exitCodes.usage);
  if (parsed.protocol === 'http:' && !isLoopback(parsed.hostname))
    process.stderr.write(`The token is sent to ${parsed.host} without encryption: use https\n`);
  const path = parsed.pathname.replace(/\/+$/, '');
  return `${parsed.origin}${path === '' ? '/api' : path}/_mcp`;
}

/** Returns a function that sends one message and writes its response. It does not reject. */
function forwarderTo(endpoint: string, token: string): (line: string) => Promise<void> {
  // The version of the protocol that the server has chosen; every later request names it.
  let version: string | undefined;
  const write = (message: unknown) => process.stdout.write(`${JSON.stringify(message)}\n`);

  return async (line) => {
    const message = jsonOrUndefined(line);
    if (!isObject(message)) {
      write({ jsonrpc: '2.0', id: null, error: { code: parseError, message: 'The line is not a JSON object' } });
      return;
    }
    const refuse = (problem: string) => {
      // A notification has no response.
      if (message.id === undefined) process.stderr.write(`${problem}\n`);
      else write({ jsonrpc: '2.0', id: message.id, error: { code: serverError, message: problem } });
    };
    try {
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: {
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
        },
        body: line,
        // The token is for this server only.
        redirect: 'error',
      });
      const text = await response.text();
      if (response.status === 202) return;
      const received = jsonOrUndefined(text);
      if (!isObject(received) || received.jsonrpc !== '2.0') {
        refuse(problemOf(response.status, received));
        return;
      }
      if (message.method === 'initialize') version = versionIn(received) ?? version;
      write(received.id === null && message.id !== undefined ? { ...received, id: message.id } : received);
    } catch (error) {
      refuse(`The server at ${endpoint} did not respond: ${reasonOf(error)}`);
    }
  };
}

function versionIn(response: JsonObject): string | undefined {
  const { protocolVersion } = objectAt(response, 'result');
  return typeof protocolVersion === 'string' ? protocolVersion : undefined;
}

/** A response of the API that is not of the protocol: a wrong token, too many requests, no MCP. */
function problemOf(status: number, body: unknown): string {
  const { message } = isObject(body) ? objectAt(body, 'error') : {};
  const hint = status === 404 || status === 405 ? ' (is mcp.enabled true, and --url the URL of the API?)' : '';
  return `${status}${typeof message === 'string' ? ` ${message}` : ''}${hint}`;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
