/** The headers of forwarded requests and of their responses. */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { hasBody } from '../bodies/unread-body.ts';

/** Those of one connection (RFC 9110, section 7.6.1). Lectern itself responds to `Expect`. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What only a trusted proxy may say. */
const ofProxies = /^(?:forwarded|x-forwarded-.+|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip)$/;
/** Those that Lectern always sets. */
const written: ReadonlySet<string> = new Set(['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host']);

const namedIn = (connection: string | undefined): ReadonlySet<string> =>
  new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));

/** `via`: this server, in the header `Via`. `host`: for requests without the header. */
export function requestHeaders(
  request: FastifyRequest,
  { via, host }: { readonly via: string; readonly host: string },
): OutgoingHttpHeaders {
  const { headers, headersDistinct } = request.raw;
  const named = namedIn(headers.connection);
  const { ips = [] } = request;
  const isProxyTrusted = ips.length > 1;
  const sent: OutgoingHttpHeaders = Object.create(null);
  for (const [name, values] of Object.entries(headersDistinct)) {
    if (values === undefined || ofConnection.has(name) || named.has(name) || written.has(name)) continue;
    if (!isProxyTrusted && ofProxies.test(name)) continue;
    sent[name] = values.length === 1 ? values[0] : values;
  }
  if (hasBody(request.raw)) {
    if (headers['transfer-encoding'] !== undefined) sent['transfer-encoding'] = 'chunked';
    else sent['content-length'] = headers['content-length'];
  } else delete sent['content-length'];
  // The address of the connection comes first in `ips`, and last in the header.
  sent['x-forwarded-for'] = ips.length === 0 ? request.ip : ips.toReversed().join(', ');
  sent['x-forwarded-proto'] = request.protocol === 'https' ? 'https' : 'http';
  if (request.host !== '') sent['x-forwarded-host'] = request.host;
  // Strapi makes URLs and cookies for the name that the caller knows.
  sent.host = headers.host ?? host;
  sent.via = headers.via === undefined ? `1.1 ${via}` : `${headers.via}, 1.1 ${via}`;
  return sent;
}

/** Names and values in turn, repeated ones included. `origin`: that of the upstream. */
export function responseHeaders({ headers, rawHeaders }: IncomingMessage, origin: string): string[] {
  const named = namedIn(headers.connection);
  const sent: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const value = rawHeaders[index + 1] ?? '';
    const lower = name.toLowerCase();
    if (ofConnection.has(lower) || named.has(lower)) continue;
    sent.push(name, lower === 'location' ? relativeLocation(value, origin) : value);
  }
  return sent;
}

/** A redirect to the upstream's origin becomes one to the same path here. `//` is another host. */
function relativeLocation(location: string, origin: string): string {
  if (!location.startsWith(`${origin}/`)) return location;
  const path = location.slice(origin.length);
  return /^\/[/\\]/.test(path) ? location : path;
}
