/** The result of an endpoint; an `Outcome` of the pipeline is one. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DataVersion } from '../dialects/database.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { Actor } from '../identity/actor.ts';
import type { Caller, Outcome } from '../pipeline/call.ts';
import type { Restriction } from '../rights/restrictions.ts';
import { entityTag, matchesTag } from './etag.ts';

export interface EndpointResponse {
  readonly status: number;
  /** The complete text; null for a response without a body. */
  readonly body: string | Uint8Array | null;
  /** A body that is sent as it comes. */
  readonly stream?: NodeJS.ReadableStream;
  /** Values of `Set-Cookie`. */
  readonly cookies?: readonly string[];
  /** For bodies that are not JSON. */
  readonly contentType?: string;
  readonly timings?: Outcome['timings'];
  readonly statements?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** For one document: the state of its row, which the entity tag begins with. */
  readonly version?: string | undefined;
  /** Digest of the body. A response with a digest or a version gets an entity tag. */
  readonly digest?: string | undefined;
  /** Whether the response comes from the cache. */
  readonly isCached?: boolean;
  /** The number of the replica that was read. */
  readonly replica?: number | undefined;
  /** The error of a 403 that the pipeline has found. */
  readonly refusal?: ApiError;
}

export interface EndpointCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly actor: Actor;
  /** The restriction of the right to this route. */
  readonly restriction: Restriction | undefined;
  /** The caller on whose behalf the work is done. */
  readonly caller: Caller;
  /** The query string as it came, without `?`. */
  readonly query: string;
  /** The version of the data when the request arrived, if it was asked for. Useless to an
   *  endpoint that has written. */
  readonly dataVersion: DataVersion | undefined;
}

export type Endpoint = (call: EndpointCall) => EndpointResponse | Promise<EndpointResponse>;

export const jsonType = 'application/json; charset=utf-8';

export const jsonResponse = (value: unknown): EndpointResponse => ({ status: 200, body: JSON.stringify(value) });

/** The last parameter of a path, decoded. */
export function parameter(request: FastifyRequest, name: string): string {
  const { params } = request;
  if (typeof params !== 'object' || params === null || !(name in params)) return '';
  return String((params as Record<string, unknown>)[name]);
}

export function send(reply: FastifyReply, response: EndpointResponse, identified: number): FastifyReply {
  reply.code(response.status).header('server-timing', serverTiming(response, identified));
  if (response.headers !== undefined) reply.headers(response.headers);
  if (response.cookies !== undefined) reply.header('set-cookie', response.cookies);
  if (response.stream !== undefined)
    return reply.header('content-type', response.contentType ?? 'application/octet-stream').send(response.stream);
  if (response.body === null)
    return (response.contentType === undefined ? reply : reply.header('content-type', response.contentType)).send();
  if ((response.version !== undefined || response.digest !== undefined) && response.status < 300) {
    const tag = entityTag(response.version, response.body, response.digest);
    reply.header('etag', tag);
    const { method, headers } = reply.request;
    const known = headers['if-none-match'];
    if (known !== undefined && (method === 'GET' || method === 'HEAD') && matchesTag(known, tag)) return reply.code(304).send();
  }
  return reply.header('content-type', response.contentType ?? jsonType).send(response.body);
}

/** The header `Server-Timing`. `identified`: milliseconds until the caller was known. */
function serverTiming({ isCached, timings = [], statements, replica }: EndpointResponse, identified: number): string {
  let timing = `identify;dur=${rounded(identified)}`;
  if (isCached) timing += ', cache;desc=hit';
  for (const [stage, milliseconds] of timings) timing += `, ${stage};dur=${rounded(milliseconds)}`;
  if (replica !== undefined) timing += `, replica;desc="${replica}"`;
  if (statements !== undefined) timing += `, statements;desc="${statements}"`;
  return timing;
}

const rounded = (milliseconds: number) => Math.round(milliseconds * 1000) / 1000;
