/** Sends one message to a receiver. What the receiver does is bounded in time and size. */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { performance } from 'node:perf_hooks';
import type { JsonObject } from '../../text/json.ts';
import type { StoredEvent } from '../event-store.ts';
import { hostProblem, publicLookup } from './receiver-address.ts';
import { signedHeaders } from './sign-webhook.ts';
import type { Webhook } from './webhook.ts';

export interface Receipt {
  readonly isDelivered: boolean;
  /** Whether another attempt would have the same result, whatever the state of the receiver. */
  readonly isFinal?: boolean;
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  /** The beginning of the response, or why there was none. */
  readonly response: string;
  /** What the receiver asks for in `Retry-After`. Milliseconds. */
  readonly retryAfter: number | undefined;
  /** Milliseconds. */
  readonly took: number;
}

export interface WebhookMessage {
  /** The same for each attempt. */
  readonly id: string;
  /** The name of the event: `entry.publish`. */
  readonly name: string;
  readonly body: string;
  readonly event: StoredEvent;
  /** The document, as far as the webhook's rights go; undefined if it is gone. */
  readonly entry: JsonObject | undefined;
}

export interface Sender {
  /** Never rejects. `stopped` gives the message up. */
  send(webhook: Webhook, message: WebhookMessage, stopped: AbortSignal): Promise<Receipt>;
  close(): void;
}

/** Until the headers of the response. Milliseconds. */
const patience = 10_000;
/** For the body, whose content changes nothing. Milliseconds. */
const bodyPatience = 2000;
/** Bytes of a response that are kept, and that are read so that the connection can be used again. */
const keptBytes = 1024;
const readBytes = 65_536;
/** Milliseconds for which a connection stays open between two messages. */
const idleTime = 10_000;

export interface SenderParts {
  /** `events.allowPrivate`. */
  readonly allowPrivate: readonly string[];
}

export class WebhookSender implements Sender {
  readonly #parts: SenderParts;
  readonly #agents: { readonly 'http:': HttpAgent; readonly 'https:': HttpsAgent };

  constructor(parts: SenderParts) {
    this.#parts = parts;
    const options = { keepAlive: true, lookup: publicLookup(parts.allowPrivate), timeout: idleTime };
    this.#agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };
  }

  async send(
    { url, headers, secrets }: Webhook,
    { id, name, body }: Pick<WebhookMessage, 'id' | 'name' | 'body'>,
    stopped: AbortSignal,
  ): Promise<Receipt> {
    const started = performance.now();
    const took = () => Math.round(performance.now() - started);
    const signed = signedHeaders({ id, timestamp: Math.floor(Date.now() / 1000), body }, secrets);
    try {
      const response = await this.#respond(new URL(url), { ...headers, ...signed, 'x-strapi-event': name }, body, stopped);
      const status = response.statusCode ?? 0;
      const text = await beginningOf(response);
      const isRedirect = status >= 300 && status < 400;
      return {
        isDelivered: status >= 200 && status < 300,
        status,
        response: isRedirect ? `redirects are not followed (to ${response.headers.location?.slice(0, 200) ?? 'nowhere'})` : text,
        retryAfter: retryAfterOf(response.headers['retry-after']),
        took: took(),
      };
    } catch (error) {
      return { isDelivered: false, status: undefined, response: reasonOf(error).slice(0, keptBytes), retryAfter: undefined, took: took() };
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #respond(url: URL, headers: Readonly<Record<string, string>>, body: string, stopped: AbortSignal): Promise<IncomingMessage> {
    if (stopped.aborted) throw new Error('the server was stopped meanwhile');
    const problem = hostProblem(url, this.#parts.allowPrivate);
    if (problem !== undefined) throw new Error(problem);
    const isSecure = url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const request = (isSecure ? requestHttps : requestHttp)(url, {
        method: 'POST',
        agent: this.#agents[isSecure ? 'https:' : 'http:'],
        headers: {
          'user-agent': 'Lectern',
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      });
      const giveUp = (reason: string) => request.destroy(new Error(reason));
      const late = setTimeout(giveUp, patience, `no response within ${patience / 1000} s`);
      const stop = () => giveUp('the server was stopped meanwhile');
      stopped.addEventListener('abort', stop);
      request.once('close', () => {
        clearTimeout(late);
        stopped.removeEventListener('abort', stop);
        // After a response or an error, this has no effect.
        reject(new Error('the connection was closed without a response'));
      });
      request.once('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        reject(new Error(`the receiver wants another protocol (${statusCode})`));
      });
      request.once('response', (response) => {
        clearTimeout(late);
        resolve(response);
      });
      request.once('error', reject);
      request.end(body);
    });
  }
}

/** Reads the beginning; cuts off a response that is long or does not end. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const late = setTimeout(() => response.destroy(), bodyPatience);
  try {
    for await (const chunk of response) {
      if (bytes < keptBytes) chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > readBytes) break;
    }
  } catch {
    // The status counts, however the body ends.
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8');
}

/** Seconds, or a date. */
function retryAfterOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const milliseconds = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds : undefined;
}

/** Errors of several attempted addresses have no message of their own. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message : String(error);
};
