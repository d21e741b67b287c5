/** Requests to the API as the user who has signed in. */

import { readExact, writeExact } from './exact-json.ts';
import { refresh } from './session.ts';
import { signInAgain } from './sign-in-again.ts';
import { token } from './token.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  /** `filters[title][$contains]=fog&…`, encoded, without `?`. */
  readonly query?: string;
  /** Sent as JSON, or as it is if it is a form. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** `false`: a session that has ended, and cannot be renewed, is a 401 for the caller. */
  readonly asksAgain?: boolean;
  /** Whether numbers that JavaScript would round are kept (`exact-json.ts`). */
  readonly isExact?: boolean;
}

export interface Answer<Body = unknown> {
  /** 0 if the server did not respond. */
  readonly status: number;
  readonly ok: boolean;
  /** The body of a success; undefined without one in JSON. */
  readonly json: Body | undefined;
  readonly etag: string | undefined;
  /** Undefined for a success. */
  readonly failure: Failure | undefined;
}

export interface Failure {
  readonly message: string;
  /** The code of docs/errors.md: `document.changed`. */
  readonly code: string;
  readonly problems: readonly FieldProblem[];
}

export interface FieldProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** Said at the field alone. */
  readonly isQuiet?: boolean;
}

/** Resolves with the response, whatever its status. When the session has ended, it is renewed, or
 *  the user is asked to sign in, and the request is sent again: callers never see a 401. Rejects
 *  only when `signal` aborts. `path` begins with the API's prefix. */
export async function request<Body>(method: Method, path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
  for (let attempt = 0; ; attempt += 1) {
    const used = token.value;
    const answer = await send<Body>(method, path, options);
    if (answer.status !== 401) return answer;
    // Another request may have renewed the token meanwhile.
    if (token.value !== used && token.value !== '') continue;
    if (attempt === 0 && (await refresh())) continue;
    if (options.asksAgain === false) return answer;
    await signInAgain();
  }
}

async function send<Body>(
  method: Method,
  path: string,
  { query = '', body, headers = {}, signal, isExact = false }: RequestOptions,
): Promise<Answer<Body>> {
  const isForm = body instanceof FormData;
  try {
    const response = await fetch(query === '' ? path : `${path}?${query}`, {
      method,
      headers: {
        ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
        ...(token.value === '' ? {} : { Authorization: `Bearer ${token.value}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : writeExact(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const json = readBody<Body>(await response.text(), isExact);
    const { status, ok } = response;
    // Proxies that compress make tags weak, with which nothing can be saved; only the version counts.
    const etag = response.headers.get('etag')?.replace(/^W\//, '');
    return ok ? { status, ok, json, etag, failure: undefined } : { status, ok, json: undefined, etag, failure: failureOf(status, json) };
  } catch (error) {
    if (signal?.aborted) throw error;
    return { status: 0, ok: false, json: undefined, etag: undefined, failure: { message: '', code: 'console.offline', problems: [] } };
  }
}

/** What a number that is rounded looks like, and some texts: the exact parser is slow. */
const mayBeRounded = /\d[\d.]{15}|\d[eE][+-]?\d\d/;

/** Undefined for a body that is not JSON. */
function readBody<Body>(text: string, isExact: boolean): (Body & ErrorBody) | undefined {
  try {
    return (isExact && mayBeRounded.test(text) ? readExact(text) : JSON.parse(text)) as Body & ErrorBody;
  } catch {
    return undefined;
  }
}

interface ErrorBody {
  readonly error?: {
    readonly message?: string;
    readonly code?: string;
    readonly details?: { readonly errors?: readonly FieldProblem[] };
  };
}

/** Of an error body of the API, or of what a proxy sent in its place. */
export function failureOf(status: number, body: ErrorBody | undefined): Failure {
  const error = body?.error;
  const errors = error?.details?.errors;
  return { message: error?.message ?? `HTTP ${status}`, code: error?.code ?? '', problems: Array.isArray(errors) ? errors : [] };
}
