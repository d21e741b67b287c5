/** Sends cached responses before Fastify routes the request. A request equal to one whose response came from the cache leads to the same route, query,
 *  caller and right, as long as nothing has changed in the database: so what remains is to check that, and to send the bytes.
 *
 *  Everything that is uncertain is left to the routes. Nothing here decides by itself what a caller may see: `identification.cached` and
 *  `Outcome.again` do, by the same rules as for other requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { AskVersion, DataVersion } from '../dialects/dialect.ts';
import type { Actor } from '../identity/actor.ts';
import type { Identification } from '../identity/identify.ts';
import type { TokenUse } from '../identity/token-use.ts';
import { type Figures, Lookups } from '../observe/figures.ts';
import type { Observer } from '../observe/observer.ts';
import type { Again, Outcome } from '../pipeline/call.ts';
import { entityTag, matchesTag } from './etag.ts';
import { requestId } from './request-id.ts';
import { type EndpointCall, type EndpointResponse, jsonType, serverTiming } from './send-response.ts';
import type { UnsentResponses } from './unsent-responses.ts';
import { varyingHeaders } from './vary.ts';

/** Passes the request on to the routes. */
export type ToRoutes = (request: IncomingMessage, response: ServerResponse) => void;

export interface RepeatedReadsParts {
  /** Bytes for all entries. */
  readonly bytes: number;
  readonly askVersion: AskVersion;
  readonly cachedActor: Identification['cached'];
  readonly tokenUse: TokenUse;
  readonly unsent: UnsentResponses;
  /** Called when a response was sent. */
  readonly sent: ((request: IncomingMessage, response: ServerResponse, answered: RepeatedAnswer) => void) | undefined;
  readonly observer: Observer | undefined;
  readonly figures: Figures;
}

export interface RepeatedAnswer {
  readonly id: string;
  readonly traceId: string | undefined;
  readonly milliseconds: number;
}

type Header = string | number | readonly string[];

interface Entry {
  readonly actor: Actor;
  readonly again: Again;
  readonly route: string | undefined;
  /** Names and values in turn, as the routes sent them: those that are the same for all responses to such requests. */
  readonly headers: readonly Header[];
  ready: ReadyResponse | undefined;
}

/** The header lines for the outcomes with a digest, version and length. The values of the first two lines are written for each request. Refers to no
 *  outcome: its bytes belong to the cache of responses, which may have to release them. */
interface ReadyResponse {
  readonly digest: string | undefined;
  readonly version: string | undefined;
  readonly length: number;
  readonly tag: string;
  readonly full: Header[];
  readonly notModified: Header[];
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly toRoutes: ToRoutes;
  readonly entry: Entry;
  readonly arrived: number;
}

/** Characters. Longer requests are rare, and may not displace many others. */
const longestKey = 4096;
/** Bytes of an entry beside its key: objects, header lines, the key of the response. */
const entryBytes = 2500;
/** These headers depend on more than the key of the entry. */
const ownToEach: ReadonlySet<string> = new Set(['x-request-id', 'server-timing', 'etag', 'content-type', 'content-length']);
const idAt = 1;
const timingAt = 3;

export class RepeatedReads {
  readonly #parts: RepeatedReadsParts;
  readonly #entries: LRUCache<string, Entry>;
  readonly #lookups = new Lookups();
  #waiting: Waiting[] = [];
  #isClosed = false;

  constructor(parts: RepeatedReadsParts) {
    this.#parts = parts;
    this.#entries = new LRUCache({ maxSize: parts.bytes });
    parts.figures.caches.set('requests', () => {
      const { size: entries, calculatedSize: bytes } = this.#entries;
      return { hits: this.#lookups.hits, misses: this.#lookups.misses, entries, bytes };
    });
  }

  /** Responds to the request, or passes it on to the routes. */
  respond(request: IncomingMessage, response: ServerResponse, toRoutes: ToRoutes): void {
    const entry = this.#entryOf(request);
    if (entry === undefined) {
      toRoutes(request, response);
      return;
    }
    this.#waiting.push({ request, response, toRoutes, entry, arrived: performance.now() });
    // All requests that have arrived by the end of this iteration of the event loop share one question for the version.
    if (this.#waiting.length === 1) setImmediate(() => this.#respondToWaiting());
  }

  /** Notes a request whose response comes from the cache, after its headers were set. */
  note({ request, reply, actor, dataVersion }: EndpointCall, { again, body, digest }: EndpointResponse): void {
    // A response that was changed on its way from the cache is not the one that would be sent again.
    if (again === undefined || digest === undefined || again(dataVersion)?.body !== body) return;
    const key = keyOf(request.raw);
    if (key === undefined) return;
    const headers = Object.entries(reply.getHeaders()).filter(([name, value]) => value !== undefined && !ownToEach.has(name)) as [
      string,
      Header,
    ][];
    const { url: route } = request.routeOptions;
    this.#entries.set(key, { actor, again, route, headers: headers.flat(), ready: undefined }, { size: entryBytes + 2 * key.length });
  }

  /** From now on the routes respond to everything: they tell clients to close their connections. */
  close(): void {
    this.#isClosed = true;
  }

  #entryOf(request: IncomingMessage): Entry | undefined {
    const { method, headers } = request;
    if ((method !== 'GET' && method !== 'HEAD') || this.#isClosed) return undefined;
    // A body would have to be read, or refused.
    if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined || headers.expect !== undefined)
      return undefined;
    const key = keyOf(request);
    return key === undefined ? undefined : this.#entries.get(key);
  }

  #respondToWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const asked = this.#parts.askVersion();
    if (asked instanceof Promise) asked.then((version) => this.#respondToAll(waiting, version));
    else this.#respondToAll(waiting, asked);
  }

  #respondToAll(waiting: readonly Waiting[], version: DataVersion | undefined): void {
    const now = performance.now();
    for (const each of waiting) {
      const { request, response, toRoutes } = each;
      const isSent = !this.#isClosed && this.#send(each, version, now);
      this.#lookups.note(isSent);
      if (!isSent) toRoutes(request, response);
    }
  }

  /** Sends the response; returns false if it has to be made. */
  #send({ request, response, entry, arrived }: Waiting, version: DataVersion | undefined, now: number): boolean {
    const { cachedActor, tokenUse, unsent } = this.#parts;
    const { actor } = entry;
    // The client has left.
    if (response.destroyed) return true;
    if (cachedActor(request.headers.authorization, version) !== actor) return false;
    const outcome = entry.again(version);
    if (outcome === undefined) return false;
    const { tag, full, notModified } = readyResponse(entry, outcome);
    const known = request.headers['if-none-match'];
    const isKnown = known !== undefined && matchesTag(known, tag);
    if (!isKnown && !unsent.fits(response, outcome.body)) return false;
    if (actor.kind === 'token') tokenUse.noteUse(actor.tokenId);
    const headers = isKnown ? notModified : full;
    const id = requestId(request);
    headers[idAt] = id;
    headers[timingAt] = serverTiming(outcome, now - arrived);
    const status = isKnown ? 304 : outcome.status;
    this.#note({ request, response, entry, arrived, status, id });
    response.writeHead(status, headers as unknown as string[]);
    if (isKnown) response.end();
    else response.end(outcome.body);
    return true;
  }

  /** Reports the response, which is about to be sent, to metrics and logs. */
  #note({ request, response, entry: { route, actor }, arrived, status, id }: Noted): void {
    const { sent, observer } = this.#parts;
    const { method = '', url = '', headers } = request;
    const caller = actor.kind;
    const taken = () => performance.now() - arrived;
    const traceId = observer?.repeated(
      {
        ...{ id, method, url, route, status, caller },
        ...{ at: arrived, milliseconds: taken(), stages: [], statements: 0, cache: 'hit', record: undefined },
      },
      headers,
    );
    if (sent !== undefined) response.once('finish', () => sent(request, response, { id, traceId, milliseconds: taken() }));
  }
}

type Noted = Pick<Waiting, 'request' | 'response' | 'entry' | 'arrived'> & { readonly status: number; readonly id: string };

/** CORS looks at the origin. */
const decisive = ['origin', ...varyingHeaders.map((name) => name.toLowerCase())];

/** What decides a response beside the database: the URL and some headers. None of them can have a line break. */
function keyOf({ url = '', headers }: IncomingMessage): string | undefined {
  let key = url;
  for (const name of decisive) {
    const value = headers[name];
    if (value !== undefined) key += `\n${name}=${value}`;
  }
  return key.length > longestKey ? undefined : key;
}

function readyResponse(entry: Entry, { version, digest, body }: Outcome): ReadyResponse {
  const { ready } = entry;
  const length = Buffer.byteLength(body);
  if (ready !== undefined && ready.digest === digest && ready.version === version && ready.length === length) return ready;
  const tag = entityTag(version, body, digest);
  const notModified = ['x-request-id', '', 'server-timing', '', ...entry.headers, 'etag', tag];
  const full = [...notModified, 'content-type', jsonType, 'content-length', length];
  entry.ready = { digest, version, length, tag, full, notModified };
  return entry.ready;
}
