import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import { jsonType } from './send-response.ts';

/** Errors that Strapi answers without the key `details`: those found before its own code runs. */
const withoutDetails: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'path.undecodable',
  'path.malicious',
  'body.invalid-json',
  'body.incomplete',
  'body.invalid-utf8',
  'body.invalid-encoding',
  'body.unsupported-encoding',
  'body.too-large',
]);

const internalError = JSON.stringify({
  data: null,
  error: { status: 500, name: 'InternalServerError', message: 'Internal Server Error' },
});

function errorBody({ status, errorName, message, code, details = {} }: ApiError): string {
  const error = { status, name: errorName, message };
  return JSON.stringify({ data: null, error: withoutDetails.has(code) ? error : { ...error, details } });
}

export function sendError(reply: FastifyReply, error: ApiError): FastifyReply {
  // Nobody waits for the rest of a request that did not come (RFC 9110, section 15.5.9).
  if (error.status === 408) reply.header('connection', 'close');
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter);
  return reply.code(error.status).header('content-type', jsonType).send(errorBody(error));
}

/** What a thrown value becomes: an expected failure its own answer, a failure that Fastify found a plain 4xx, everything else our bug. */
export function sendThrown(reply: FastifyReply, thrown: unknown): FastifyReply {
  if (thrown instanceof ApiError) {
    if (thrown.cause !== undefined) reply.log.error({ err: thrown.cause }, thrown.message);
    return sendError(reply, thrown);
  }
  // The request itself has broken off. Nobody gets the answer, but it is what the log says.
  if (thrown instanceof Error && thrown === reply.request.raw.errored) return sendError(reply, ApiError.of('body.incomplete', undefined));
  const status = clientErrorStatus(thrown);
  if (status === 413) return sendError(reply, ApiError.of('body.too-large', undefined));
  if (status !== undefined && thrown instanceof Error) {
    const body = JSON.stringify({ data: null, error: { status, name: 'BadRequestError', message: thrown.message, details: {} } });
    return reply.code(status).header('content-type', jsonType).send(body);
  }
  reply.log.error({ err: thrown }, 'unexpected error');
  return reply.code(500).header('content-type', jsonType).send(internalError);
}

/** Only Fastify's own errors (`FST_…`) may speak to callers: a driver's error can carry a `statusCode` and SQL text as well. */
function clientErrorStatus(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('statusCode' in thrown) || !('code' in thrown)) return undefined;
  const { statusCode, code } = thrown;
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return undefined;
  return typeof code === 'string' && code.startsWith('FST_') ? statusCode : undefined;
}
