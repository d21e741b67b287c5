/** Requests to the upstream, each with its response. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import { pathOf } from '../../text/url-parts.ts';
import { dropRest, liftBodyTime } from '../bodies/body-time.ts';
import { askForBody } from '../bodies/expect-continue.ts';
import { hasBody } from '../bodies/unread-body.ts';
import { logAnswered } from '../log-response.ts';
import type { ErrorSender } from '../send-error.ts';
import { whenClosed } from '../when-closed.ts';
import { requestHeaders, responseHeaders } from './forwarded-headers.ts';
import { joinSockets, type Upgrade, webSocketOf } from './upgrades.ts';
import type { UpstreamClient } from './upstream-client.ts';

interface ExchangeOptions {
  /** Milliseconds without progress. */
  readonly time: number;
  readonly via: string;
  readonly errors: ErrorSender;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly upgrade: Upgrade | undefined;
  /** A repeated request is not repeated again. */
  isRepeated: boolean;
  /** Ends with the client's connection. */
  outgoing: ClientRequest | undefined;
}

interface Destroyable {
  destroy(): unknown;
}

class Stalled extends Error {}

const repeatable: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

export class Exchanges {
  readonly #client: UpstreamClient;
  readonly #options: ExchangeOptions;
  /** WebSockets and streams of events: they end when one of the sides does. */
  readonly #lasting = new Set<Destroyable>();
  readonly #requests = new Set<Exchange>();
  readonly #webSockets = new Set<Exchange>();
  #isEnding = false;

  constructor(client: UpstreamClient, options: ExchangeOptions) {
    this.#client = client;
    this.#options = options;
  }

  get requests(): number {
    return this.#requests.size;
  }

  get webSockets(): number {
    return this.#webSockets.size;
  }

  /** The client may have left already: a file was looked for, or calls were counted in Redis. */
  begin(request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = request;
    if (raw.socket.destroyed) {
      reply.hijack();
      return;
    }
    const upgrade = webSocketOf(raw);
    const exchange: Exchange = { request, reply, upgrade, isRepeated: false, outgoing: undefined };
    const running = upgrade === undefined ? this.#requests : this.#webSockets;
    running.add(exchange);
    whenClosed(reply.raw, () => {
      running.delete(exchange);
      exchange.outgoing?.destroy();
    });
    this.#send(exchange);
  }

  /** None begins after this. */
  endLasting(): void {
    this.#isEnding = true;
    for (const each of this.#lasting) each.destroy();
  }

  #send(exchange: Exchange): void {
    const { request, reply, upgrade, isRepeated } = exchange;
    const { raw } = request;
    const { time, via } = this.#options;
    const { method = 'GET', url: path = '/' } = raw;
    const headers = requestHeaders(request, { via, host: this.#client.host });
    const isWithBody = hasBody(raw);
    const canRepeat = !isWithBody && upgrade === undefined && repeatable.has(method);
    if (upgrade !== undefined) Object.assign(headers, { connection: 'Upgrade', upgrade: 'websocket' });
    let outgoing: ClientRequest;
    try {
      outgoing = this.#client.send({ method, path, headers, onKeptConnection: canRepeat && !isRepeated });
    } catch (error) {
      // A header that Node receives, but does not send.
      request.log.warn({ err: error }, 'a request cannot be forwarded');
      this.#options.errors.send(reply, ApiError.of('request.malformed'));
      return;
    }
    exchange.outgoing = outgoing;
    const timer = setTimeout(() => outgoing.destroy(new Stalled()), time);
    let isAnswered = false;
    outgoing.once('response', (response) => {
      isAnswered = true;
      timer.refresh();
      this.#receive(exchange, response, timer);
    });
    if (upgrade !== undefined)
      outgoing.once('upgrade', (response, socket, rest) => {
        isAnswered = true;
        clearTimeout(timer);
        this.#join(exchange, upgrade, response, socket as Socket, rest);
      });
    const failed = (error: Error) => {
      // Later errors belong to the response.
      if (isAnswered || reply.raw.destroyed || reply.raw.headersSent) return;
      isAnswered = true;
      if (canRepeat && !isRepeated && outgoing.reusedSocket && !(error instanceof Stalled)) {
        exchange.isRepeated = true;
        this.#send(exchange);
      } else {
        this.#fail(exchange, error, outgoing);
      }
    };
    outgoing.on('error', failed);
    outgoing.once('close', () => {
      clearTimeout(timer);
      // After a change of the protocol that nobody asked for, there is neither response nor error.
      failed(new Error('the connection ended without a response'));
    });
    if (isWithBody) {
      liftBodyTime(raw);
      raw.on('data', () => timer.refresh());
      raw.pipe(outgoing);
      askForBody(raw);
    } else {
      outgoing.end();
    }
  }

  #receive({ request: { raw }, reply }: Exchange, response: IncomingMessage, timer: NodeJS.Timeout): void {
    const { raw: sent } = reply;
    reply.hijack();
    const headers = responseHeaders(response, this.#client.origin);
    // What is left of the body is not awaited.
    if (!raw.complete) headers.push('connection', 'close');
    sent.sendDate = false;
    const isLasting = /^text\/event-stream\b/i.test(response.headers['content-type'] ?? '');
    try {
      sent.writeHead(response.statusCode ?? 502, headers);
      sent.flushHeaders();
    } catch {
      // The parser accepts some characters in headers that are not sent.
      response.destroy();
      sent.destroy();
      return;
    }
    if (isLasting) {
      clearTimeout(timer);
      this.#lasting.add(sent);
      if (this.#isEnding) sent.destroy();
    } else {
      response.on('data', () => timer.refresh());
    }
    // The client's connection ends the response of the upstream, and the other way round.
    pipeline(response, sent, () => {
      clearTimeout(timer);
      this.#lasting.delete(sent);
      raw.unpipe();
      if (!raw.complete && !raw.destroyed) dropRest(raw);
    });
  }

  #join({ request, reply }: Exchange, upgrade: Upgrade, response: IncomingMessage, upstream: Socket, rest: Buffer): void {
    const { socket } = upgrade;
    if (this.#isEnding) socket.destroy();
    if (socket.destroyed) {
      upstream.destroy();
      return;
    }
    reply.hijack();
    reply.raw.statusCode = 101;
    reply.raw.detachSocket(socket);
    this.#lasting.add(socket);
    socket.once('close', () => this.#lasting.delete(socket));
    joinSockets(upgrade, response, upstream, rest, this.#client.origin);
    const { method, id: requestId, url } = request;
    logAnswered(request.log, {
      requestId,
      method,
      url: pathOf(url),
      status: 101,
      milliseconds: reply.elapsedTime,
      forwarded: true,
    });
  }

  #fail({ request, reply }: Exchange, error: Error, outgoing: ClientRequest): void {
    const { time, errors } = this.#options;
    const { raw } = request;
    // The body stands still, and not because the upstream does not take it.
    const isClientSlow = error instanceof Stalled && hasBody(raw) && !raw.complete && !outgoing.writableNeedDrain;
    const problem = problemOf(error, time);
    if (!isClientSlow) request.log.warn({ err: error }, `the upstream ${problem}`);
    raw.unpipe();
    if (!raw.complete && hasBody(raw)) {
      reply.header('connection', 'close');
      dropRest(raw);
    }
    errors.send(reply, isClientSlow ? ApiError.of('request.timeout') : ApiError.of('upstream.unavailable', { problem }));
  }
}

/** What the response and the log say of an upstream that fails. It names no IP address. */
function problemOf(error: Error & { code?: string }, milliseconds: number): string {
  if (error instanceof Stalled) return `made no progress for ${milliseconds} ms (limits.upstreamTime)`;
  const { code = '' } = error;
  if (unreachable.has(code)) return 'cannot be reached';
  if (code.startsWith('HPE_') || code === 'ERR_INVALID_CHAR') return 'sent a response that is not valid HTTP';
  if (/CERT|^ERR_TLS|^ERR_SSL|^EPROTO$/.test(code)) return 'has no certificate that can be verified';
  return 'closed the connection without a response';
}

const unreachable: ReadonlySet<string> = new Set([
  'EACCES',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
]);
