/** The options of a client and of its calls. */

export interface ClientOptions {
  /** Where the API is, such as `https://api.example.org/api`. In a page, a path such as `/api` is one of the page's own origin. */
  readonly baseURL: string;
  /** An API token, or a function that returns one for each call. Keep API tokens out of code that browsers load. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** How the sessions of users are stored. While a user is signed in, requests have the user's access token instead of `token`. */
  readonly auth?: AuthOptions | undefined;
  /** In place of the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Sent with each request. */
  readonly headers?: HeadersInit | undefined;
  readonly retry?: RetryOptions | undefined;
  /** Milliseconds for a whole call, with retries and the time between them; 0 for no limit. 30 seconds if not given, and no limit for uploads. */
  readonly timeout?: number | undefined;
  /** The size of the cache of responses, in characters; 0 switches it off. A million if not given. */
  readonly cache?: number | undefined;
  /** The longest query string. 65,536 if not given, as `limits.queryBytes` of the server. */
  readonly maxQueryBytes?: number | undefined;
}

export interface AuthOptions {
  /** The refresh token is in a cookie that no script can read, for pages: the server sets it, and the browser sends it. Otherwise it is in `storage`. */
  readonly cookie?: boolean | undefined;
  /** Where the tokens are between requests. In memory if not given. */
  readonly storage?: TokenStorage | undefined;
}

export interface Tokens {
  /** The access token. */
  readonly jwt: string;
  /** Only without `cookie`, and if the server has sessions (`auth.jwtManagement`). */
  readonly refreshToken?: string | undefined;
}

export interface TokenStorage {
  get(): Tokens | null | undefined | Promise<Tokens | null | undefined>;
  /** Called with undefined when the user has signed out, or the session has ended. */
  set(tokens: Tokens | undefined): void | Promise<void>;
}

export interface RetryOptions {
  /** How often a request is sent again after a 429, a 503 or a failure of the network; 3 if not given. */
  readonly attempts?: number | undefined;
  /** Milliseconds before the first repetition; each further one waits twice as long. 300 if not given. */
  readonly delay?: number | undefined;
  /** The longest wait in milliseconds. If the server asks for a longer one (`Retry-After`), the call ends at once. 20 seconds if not given. */
  readonly maxDelay?: number | undefined;
}

export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal | null | undefined;
  /** Milliseconds for this call. */
  readonly timeout?: number | undefined;
  /** For this call. */
  readonly headers?: HeadersInit | undefined;
}

export interface WriteOptions extends CallOptions {
  /** The `etag` of the document that was read: if it has changed since, nothing is written, and the error is a `conflict`. */
  readonly ifMatch?: string | undefined;
}

export interface CreateOptions extends CallOptions {
  /** In place of a random one. Calls with the same key and data create one document. */
  readonly idempotencyKey?: string | undefined;
}
