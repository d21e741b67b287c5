/** Turns errors outside of the pipeline into responses. */
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import { type ErrorStyle, errorResponse } from '../errors/error-body.ts';
import { dropRest } from './bodies/body-time.ts';
import { OutageLog } from './outage-log.ts';
import { jsonType } from './send-response.ts';

export interface ErrorSender {
  send(reply: FastifyReply, error: ApiError): FastifyReply;
  /** Sends an expected error as it is, Fastify's as a plain 4xx, and any other as a 500. */
  sendThrown(reply: FastifyReply, thrown: unknown): FastifyReply;
  /** Bytes that cannot be read as a request reach no route; the response has the usual shape. */
  sendToSocket(error: Error & { code?: string }, socket: Socket): void;
}

/** Milliseconds for the client to read the response before the connection is destroyed. */
const lingering = 2000;

const reasons: Readonly<Record<number, string>> = { 400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large' };

export function createErrorSender(style: ErrorStyle): ErrorSender {
  const outages = new OutageLog();
  function send(reply: FastifyReply, error: ApiError): FastifyReply {
    const { status, body, headers } = errorResponse(error, style);
    // The rest of an incomplete request is not awaited (RFC 9110, section 15.5.9).
    if (status === 408) reply.header('connection', 'close');
    return reply.code(status).headers(headers).header('content-type', jsonType).send(body);
  }

  return {
    send,
    sendThrown(reply, thrown) {
      if (thrown instanceof ApiError && outages.takes(thrown)) outages.note(reply, thrown);
      else if (thrown instanceof ApiError && thrown.cause !== undefined) reply.log.error({ err: thrown.cause }, thrown.message);
      const expected = thrown instanceof ApiError ? thrown : expectedOf(reply, thrown);
      if (expected === undefined) reply.log.error({ err: thrown }, 'unexpected error');
      if (expected?.code === 'body.too-large' && !reply.request.raw.complete) {
        // Fastify would close the connection, and the client could lose the response (`dropRest`).
        reply.removeHeader('connection');
        dropRest(reply.request.raw);
      }
      return send(reply, expected ?? ApiError.of('server.error'));
    },
    sendToSocket(error, socket) {
      if (error.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      const { status, body, headers } = errorResponse(ApiError.of(socketErrors[error.code ?? ''] ?? 'request.malformed'), style);
      const head = {
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': String(Buffer.byteLength(body)),
        connection: 'close',
      };
      const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
      socket.end(`HTTP/1.1 ${status} ${reasons[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
      // Node leaves its side open until the client closes too, which a client need not do.
      setTimeout(() => socket.destroy(), lingering).unref();
    },
  };
}

const socketErrors: Readonly<Record<string, 'request.headers-too-large' | 'request.timeout' | 'request.invalid-url'>> = {
  HPE_HEADER_OVERFLOW: 'request.headers-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request.timeout',
  HPE_INVALID_URL: 'request.invalid-url',
};

function expectedOf(reply: FastifyReply, thrown: unknown): ApiError | undefined {
  if (!(thrown instanceof Error)) return undefined;
  // The connection broke in the middle of the request. Only the log records the response.
  if (thrown === reply.request.raw.errored) return ApiError.of('body.incomplete');
  const status = clientErrorStatus(thrown);
  if (status === 413) return ApiError.of('body.too-large');
  return status === undefined ? undefined : ApiError.of('request.refused', { problem: thrown.message });
}

/** Only Fastify's errors (`FST_…`) may reach callers: those of drivers can have SQL text. */
function clientErrorStatus(thrown: Error): number | undefined {
  if (!('statusCode' in thrown) || !('code' in thrown)) return undefined;
  const { statusCode, code } = thrown;
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return undefined;
  return typeof code === 'string' && code.startsWith('FST_') ? statusCode : undefined;
}
