/** Sends requests to one API: URL, headers, credentials, time limit, retries, the cache of responses. */
import { LecternError, responseError, retryAfter, usageError } from './errors.ts';
import type { CallOptions, ClientOptions } from './options.ts';
import { encodeQuery } from './query.ts';
import { createResponseCache } from './response-cache.ts';

export interface Outgoing extends CallOptions {
  readonly method: string;
  /** Below `baseURL`, with a leading slash; segments are encoded. */
  readonly path: string;
  readonly params?: object | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly body?: BodyInit | null | undefined;
  /** Whether the request can be sent twice, by default that of its method. */
  readonly repeatable?: boolean | undefined;
  /** False for requests without credentials. */
  readonly auth?: boolean | undefined;
  /** More of `fetch`, such as `credentials`. */
  readonly init?: RequestInit | undefined;
}

/** The credentials of one call. */
export interface Credentials {
  readonly token: string | undefined;
  /** After a 401: another token to send the request with; undefined if there is none. */
  renew(): Promise<string | undefined>;
}

/** The body of a successful response. */
export interface Received {
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows the shape of its response.
  readonly body: any;
  readonly headers: Headers;
}

export interface Transport {
  /** Throws a LecternError. */
  call(request: Outgoing): Promise<Received>;
  /** Returns the response whatever its status is. Throws a LecternError without a response. */
  fetch(path: string, init?: RequestInit & CallOptions): Promise<Response>;
  /** Empties the cache; responses that are under way do not get into it. */
  forget(): void;
  /** Without a slash at the end. */
  readonly base: string;
}

interface Answer {
  readonly response: Response;
  readonly text: string;
}

/** The longest time that a timer can wait. */
const forever = 2 ** 31 - 1;

export function createTransport(options: ClientOptions, credentials: () => Promise<Credentials>): Transport {
  const { timeout = 30_000, cache: cacheSize = 1_000_000, maxQueryBytes = 65_536 } = options;
  const { attempts = 3, delay = 300, maxDelay = 20_000 } = options.retry ?? {};
  const send = options.fetch ?? ((url: string | URL | Request, init?: RequestInit) => globalThis.fetch(url, init));
  const base = baseOf(options.baseURL);
  let cache = createResponseCache(cacheSize);
  /** The position of the last write, if the server reads from replicas. Sent with reads, so that no replica that lacks the write serves them. */
  let position = '';

  /** `raw`: the body is left to the caller. */
  async function exchange(request: Outgoing, raw: boolean): Promise<Answer> {
    const { method, signal } = request;
    const body = request.json === undefined ? request.body : jsonOf(request.json);
    const url = urlOf(request.path + encodeQuery(request.params ?? {}, maxQueryBytes));
    const ownHeaders = headersOf(options.headers, request.headers);
    if (request.json !== undefined) ownHeaders.set('content-type', 'application/json');
    const isStream = typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body);
    const isRepeatable = request.repeatable ?? (/^(GET|HEAD|OPTIONS|PUT|PATCH|DELETE)$/.test(method) && !ownHeaders.has('if-match'));

    const limit = Math.min(request.timeout ?? timeout, forever) || forever;
    const end = Date.now() + limit;
    const stop = new AbortController();
    const timer = setTimeout(
      () => stop.abort(new LecternError('timeout', `${method} ${url.pathname} took longer than ${limit} ms`)),
      limit,
    );
    const abort = () => stop.abort(new LecternError('aborted', `${method} ${url.pathname} was cancelled`, {}, signal?.reason));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    // The caller may cancel the body of a raw response after this function has returned.
    const passed = raw && signal ? AbortSignal.any([stop.signal, signal]) : stop.signal;

    try {
      const { token, renew } = request.auth === false ? noCredentials : await orAborted(credentials(), stop.signal);
      const answer = await persist(token);
      if (answer.response.status !== 401 || isStream) return answer;
      const other = await orAborted(renew(), stop.signal);
      if (other === undefined) return answer;
      if (raw) await answer.response.body?.cancel();
      return await persist(other);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }

    /** Sends until there is a response to keep, or no time. */
    async function persist(token: string | undefined): Promise<Answer> {
      for (let attempt = 0; ; attempt++) {
        let answer: Answer | undefined;
        let failure: unknown;
        try {
          answer = await once(token);
        } catch (cause) {
          if (stop.signal.aborted) throw stop.signal.reason;
          failure = new LecternError('network', `${method} ${url.origin}${url.pathname} failed: ${(cause as Error)?.message}`, {}, cause);
        }
        const status = answer?.response.status;
        // With a 429 the server has not begun. After a 503, or when the connection breaks, it may have done everything.
        const isWorthIt = status === 429 || ((failure !== undefined || status === 503) && isRepeatable);
        const asked = answer && retryAfter(answer.response.headers);
        // At random, so that clients that failed together do not come back together.
        const wait = asked === undefined ? delay * 2 ** attempt * (0.5 + Math.random()) : asked * 1000 + delay * Math.random();
        if (!isWorthIt || isStream || attempt >= attempts || wait > maxDelay || Date.now() + wait > end) {
          if (answer === undefined) throw failure;
          return answer;
        }
        if (raw) await answer?.response.body?.cancel();
        await pause(wait, stop.signal);
      }
    }

    async function once(token: string | undefined): Promise<Answer> {
      stop.signal.throwIfAborted();
      const headers = new Headers(ownHeaders);
      if (token !== undefined && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
      const into = cache;
      const key = method === 'GET' && !raw && !headers.has('if-none-match') ? JSON.stringify([url.href, ...headers]) : undefined;
      const stored = key === undefined ? undefined : into.get(key);
      if (stored !== undefined) headers.set('if-none-match', stored.etag);
      if (position !== '' && method === 'GET') headers.set('x-lectern-position', position);
      // A redirect could lead to another origin, and custom headers would go there.
      const response = await send(url.href, { ...request.init, method, headers, body: body ?? null, redirect: 'manual', signal: passed });
      position = laterPosition(position, response.headers.get('x-lectern-position') ?? '');
      if (raw) return { response, text: '' };
      if (response.status === 304 && stored !== undefined) return { response, text: stored.text };
      const text = await response.text();
      const etag = response.headers.get('etag');
      if (key !== undefined && response.status === 200 && etag !== null) into.put(key, { etag, text });
      return { response, text };
    }
  }

  /** Throws for a URL outside of the API's origin, and for a path that leads out of `baseURL`. */
  function urlOf(path: string): URL {
    const isAbsolute = /^https?:/i.test(path);
    const text = isAbsolute ? path : `${base}${path.startsWith('/') ? '' : '/'}${path}`;
    if (!URL.canParse(text)) throw usageError(`${path} is not a URL`);
    const url = new URL(text);
    const { origin, pathname } = new URL(base);
    if (url.origin !== origin) throw usageError(`${url.origin} is another origin than that of baseURL, so no request is sent there`);
    if (!isAbsolute && !`${url.pathname}/`.startsWith(pathname.replace(/\/*$/, '/'))) throw usageError(`${path} leads out of baseURL`);
    return url;
  }

  return {
    base,
    async call(request) {
      const { response, text } = await exchange(request, false);
      const { status, headers } = response;
      if (!response.ok && (status !== 304 || text === '')) throw responseError(status, headers, text);
      try {
        return { body: text === '' ? undefined : JSON.parse(text), headers };
      } catch (cause) {
        throw new LecternError('unexpected', `The response is not JSON: ${text.slice(0, 200)}`, { status, details: {} }, cause);
      }
    },
    async fetch(path, { method = 'GET', body, signal, timeout, headers, ...init } = {}) {
      const request = { method: method.toUpperCase(), path, body, signal, timeout, headers, init };
      const isKeyed = headersOf(options.headers, headers).has('idempotency-key');
      return (await exchange(isKeyed ? { ...request, repeatable: true } : request, true)).response;
    },
    forget() {
      cache = createResponseCache(cacheSize);
    },
  };
}

/** Returns the later position, since responses may arrive out of order. Any position replaces one that has expired. */
function laterPosition(one: string, other: string): string {
  const isOver = Number(one.split('.')[1]) < Date.now() / 1000;
  return other > one || (isOver && other !== '') ? other : one;
}

const noCredentials: Credentials = { token: undefined, renew: async () => undefined };

function baseOf(baseURL: string): string {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  if (!URL.canParse(baseURL, page)) throw usageError(`baseURL: ${baseURL} is not a URL`);
  const { protocol, origin, pathname } = new URL(baseURL, page);
  if (!/^https?:$/.test(protocol)) throw usageError(`baseURL: ${baseURL} is not an http or https URL`);
  return origin + pathname.replace(/\/+$/, '');
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw usageError(`The data cannot be sent as JSON: ${(cause as Error).message}`, cause);
  }
}

/** The later ones win. */
function headersOf(...sources: readonly (HeadersInit | undefined)[]): Headers {
  try {
    const headers = new Headers();
    for (const source of sources) for (const [name, value] of new Headers(source)) headers.set(name, value);
    return headers;
  } catch (cause) {
    throw usageError(`headers: ${(cause as Error).message}`, cause);
  }
}

/** Throws the signal's reason when it is aborted first. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    work.then(resolve, reject);
  });
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  return orAborted(over, signal).finally(() => clearTimeout(timer));
}
