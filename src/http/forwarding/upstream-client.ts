/** The HTTP client for the upstream. */
import http, { type ClientRequest, type OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';

interface UpstreamRequest {
  readonly method: string;
  /** The target as it came. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  /** Whether it may be sent on a connection that served another request. The upstream may close it
   *  at the same moment, so this is for requests that can be repeated. */
  readonly onKeptConnection: boolean;
}

export type UpstreamClient = ReturnType<typeof openUpstreamClient>;

const responseHeaderBytes = 64 * 1024;
const keptConnections = 32;

export function openUpstreamClient(upstream: string) {
  const { protocol, hostname, port, host, origin } = new URL(upstream);
  const client = protocol === 'https:' ? https : http;
  const agent = new client.Agent({ keepAlive: true, maxFreeSockets: keptConnections });
  const name = hostname.replace(/^\[|\]$/g, '');
  return {
    /** With its port. */
    host,
    origin,
    send: ({ onKeptConnection, ...request }: UpstreamRequest): ClientRequest =>
      client.request({
        ...request,
        host: name,
        ...(port === '' ? {} : { port }),
        agent: onKeptConnection ? agent : false,
        maxHeaderSize: responseHeaderBytes,
        // Node would take the name to verify from the header Host, which is the caller's.
        ...(protocol === 'https:' ? { servername: isIP(name) === 0 ? name : '' } : {}),
      }),
    close: (): void => agent.destroy(),
  };
}
