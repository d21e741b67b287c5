/** Endpoints of the project's own code. */
import type { Readable } from 'node:stream';
import { stringify } from 'lossless-json';
import { ApiError } from '../../errors/api-error.ts';
import { type ErrorCode, isErrorCode } from '../../errors/catalogue/catalogue.ts';
import { eventCaller } from '../../events/document-event.ts';
import type { Actor } from '../../identity/actor.ts';
import { apiErrorOfCode } from '../../own-code/code-errors.ts';
import { type OwnCode, timeLimits } from '../../own-code/own-code.ts';
import type { Ask, EndpointManifest, EndpointOutcome } from '../../own-code/protocol.ts';
import { CodeFailure } from '../../own-code/thread-of-code.ts';
import type { Caller } from '../../pipeline/call.ts';
import { isObject } from '../../text/json.ts';
import { unreadBody } from '../bodies/unread-body.ts';
import type { Endpoint, EndpointResponse } from '../send-response.ts';
import { whenClosed } from '../when-closed.ts';

export interface CodeEndpointParts {
  readonly code: OwnCode;
  readonly answerFor: (run: { readonly actor: Actor; readonly caller: Caller }) => (ask: Ask) => Promise<string | null>;
  readonly prefix: string;
}

/** Headers that belong to the connection, or that the server decides. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'upgrade',
  'trailer',
  'te',
  'x-request-id',
  'server-timing',
]);
/** Statuses without a body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

export function codeEndpoint(endpoint: EndpointManifest, { code, answerFor, prefix }: CodeEndpointParts): Endpoint {
  const { file, index, method, body: bodySchema, timeLimit = timeLimits.endpoint } = endpoint;
  return async ({ request, reply, actor, caller, query }) => {
    if (bodySchema !== undefined) {
      const problem = unreadBody(request, prefix);
      if (problem !== undefined) throw ApiError.of('endpoint.invalid', { message: problem });
    }
    const left = new AbortController();
    let stream: Readable | undefined;
    whenClosed(reply.raw, () => {
      left.abort();
      stream?.destroy();
    });
    const call = code.endpoints.call(
      {
        ...{ kind: 'endpoint', file, index, query },
        params: textsOf(request.params),
        body: request.body === undefined ? undefined : stringify(request.body),
        headers: textsOf(request.headers),
        url: request.raw.url ?? '',
        caller: eventCaller(actor),
      },
      { timeLimit, answer: answerFor({ actor, caller }), signal: left.signal },
    );
    const { text, body } = await call.catch((error: unknown) => {
      const where = `${file} (${method} ${endpoint.path})`;
      const response = responseTo(error, where);
      if (response instanceof ApiError && isMistakeOfCode(response))
        request.log.info(
          `${where}: documents refused it with ${response.message} (${response.code}); they have the rights of the caller, asSystem.documents all rights`,
        );
      throw response;
    });
    stream = body;
    const outcome: EndpointOutcome = JSON.parse(text);
    const varies = reply.getHeader('vary');
    if (!outcome.isStreamed || request.method !== 'HEAD') return responseOf(outcome, body, varies);
    // A body may have no end, and a response to HEAD would wait for it.
    body.destroy();
    return responseOf({ ...outcome, isStreamed: false }, body, varies);
  };
}

function responseOf(
  { status, headers, body, isStreamed }: EndpointOutcome,
  stream: NodeJS.ReadableStream,
  varies: unknown,
): EndpointResponse {
  const isRight = Number.isInteger(status) && status >= 200 && status < 600;
  const kept = headers.filter(([name]) => !ownHeaders.has(name));
  const contentType = kept.find(([name]) => name === 'content-type')?.[1];
  const cookies = kept.flatMap(([name, value]) => (name === 'set-cookie' ? [value] : []));
  const others = Object.fromEntries(kept.filter(([name]) => name !== 'content-type' && name !== 'set-cookie'));
  return {
    status: isRight ? status : 500,
    // The rights of the caller decide over the response, whatever else it varies by.
    headers: others.vary === undefined || varies === undefined ? others : { ...others, vary: `${varies}, ${others.vary}` },
    ...(cookies.length === 0 ? {} : { cookies }),
    ...(contentType === undefined ? {} : { contentType }),
    body: bodiless.has(status) ? null : body,
    ...(isStreamed && !bodiless.has(status) ? { stream } : {}),
  };
}

const textsOf = (values: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));

/** By status, the errors for a `DocumentError` that code has made itself. */
const codes: Readonly<Record<number, ErrorCode>> = { 401: 'access.credentials', 403: 'access.forbidden', 404: 'document.not-found' };

/** Whether the refusal is more likely about what the code asks than about what the caller has sent. */
const isMistakeOfCode = ({ status, code }: ApiError): boolean => status === 403 || code.startsWith('query.');

/** A refusal of `documents` that the handler did not catch is the response. */
function responseTo(error: unknown, where: string): unknown {
  if (!(error instanceof CodeFailure) || error.failure.kind !== 'document') return apiErrorOfCode(error, where, 'endpoint.invalid');
  const { status, code, message, details } = error.failure.error;
  // A wrong use of `documents` is a mistake in the code, not of the caller.
  if (status < 400 || status >= 500 || code === 'code.asked-wrong') return apiErrorOfCode(error, where, 'endpoint.invalid');
  return ApiError.fromData({
    code: isErrorCode(code) ? code : (codes[status] ?? 'request.refused'),
    message,
    details: isObject(details) ? details : {},
    help: undefined,
    cause: undefined,
  });
}
