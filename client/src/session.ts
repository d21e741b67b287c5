/** The session of a user: its tokens, which are renewed once for all calls that find them expired. */
import type { LecternError } from './errors.ts';
import type { AuthOptions, CallOptions, ClientOptions, TokenStorage, Tokens } from './options.ts';
import type { Credentials, Transport } from './transport.ts';

export interface Session {
  /** The credentials for a call that begins now. */
  credentials(): Promise<Credentials>;
  /** Sends a body to an endpoint whose response signs a user in. Returns the response without the refresh token. */
  signIn(path: string, json: unknown, options: CallOptions | undefined, withToken?: boolean): Promise<{ data: SignedIn }>;
  /** True if the user is signed in, with a new access token; false if nobody is. */
  refresh(): Promise<boolean>;
  signOut(json: unknown, options: CallOptions | undefined): Promise<void>;
}

export interface SignedIn {
  /** The access token. Undefined if the user has to confirm the e-mail address first. */
  jwt?: string;
  // biome-ignore lint/suspicious/noExplicitAny: projects add attributes to users.
  user: { id: number; documentId: string; username: string; email: string; [attribute: string]: any };
}

export function createSession({ auth = {}, token: otherToken }: ClientOptions, transport: () => Transport): Session {
  const { cookie = false, storage = memory() }: AuthOptions = auth;
  // Changes with the user, so that nothing of one user's session gets into that of another.
  let epoch = {};
  let refreshing: Promise<boolean> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function post(path: string, json: unknown, { headers, ...options }: CallOptions = {}, auth = false) {
    const all = new Headers(headers);
    if (cookie) all.set('x-strapi-refresh-cookie', 'httpOnly');
    // Only these endpoints set or read the cookie.
    const init = cookie ? ({ credentials: 'include' } as const) : undefined;
    const { body, headers: received } = await transport().call({ ...options, method: 'POST', path, json, headers: all, auth, init });
    // Outside of browsers, a server with `auth.httpOnly` gives the refresh token to programs that can read its cookie.
    const inCookie = /(?:^|, ?)strapi_up_refresh=([^;,]+)/.exec(received.get('set-cookie') ?? '')?.[1];
    return { refreshToken: inCookie, ...body };
  }

  async function store(tokens: Tokens | undefined): Promise<void> {
    transport().forget();
    await storage.set(tokens);
  }

  async function change(tokens: Tokens | undefined): Promise<void> {
    epoch = {};
    await store(tokens);
    // A call that began while the storage was writing may have read the former tokens.
    epoch = {};
  }

  /** Signing in and refreshing set the same cookie: the response that arrives last must be that of the last request. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(() => oneTabAtATime(transport().base, work));
    last = turn.catch(() => undefined);
    return turn;
  }

  const tokensOf = ({ jwt, refreshToken }: Tokens): Tokens => (cookie || refreshToken === undefined ? { jwt } : { jwt, refreshToken });

  /** `expired`: the access token that was refused. */
  function refresh(expired?: string): Promise<boolean> {
    refreshing ??= inTurn(async () => {
      const began = epoch;
      const tokens = await storage.get();
      // Another tab may have refreshed, or signed out, in the meantime.
      if (expired !== undefined && tokens?.jwt !== expired) return Boolean(tokens);
      const refreshToken = tokens?.refreshToken;
      if (!cookie && refreshToken === undefined) {
        if (expired !== undefined) await change(undefined);
        return false;
      }
      try {
        const renewed = tokensOf(await post('/auth/refresh', cookie ? {} : { refreshToken }));
        if (began !== epoch) return false;
        await store(renewed);
        return true;
      } catch (error) {
        // 400: there is no cookie; 401: the session has ended. After any other error it may still be valid.
        if (!/^40[01]$/.test(String((error as LecternError).status))) throw error;
        // A client of another process may have used the refresh token before.
        const now = await storage.get();
        if (now && now.jwt !== tokens?.jwt) return began === epoch;
        if (began === epoch && now) await change(undefined);
        return false;
      }
    }).finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  }

  return {
    async credentials() {
      const began = epoch;
      const tokens = await storage.get();
      if (!tokens) return { token: typeof otherToken === 'function' ? await otherToken() : otherToken, renew: async () => undefined };
      return {
        token: tokens.jwt,
        async renew() {
          const isRenewed = await refresh(tokens.jwt);
          const other = isRenewed && began === epoch ? (await storage.get())?.jwt : undefined;
          return other === tokens.jwt ? undefined : other;
        },
      };
    },
    async signIn(path, json, options, withToken = false) {
      const work = async () => {
        const { refreshToken, ...data } = await post(path, json, options, withToken);
        if (data.jwt) await change(tokensOf({ jwt: data.jwt, refreshToken }));
        return { data };
      };
      // With a token, the request itself may have to refresh.
      return withToken ? work() : inTurn(work);
    },
    refresh: () => refresh(),
    async signOut(json, options) {
      try {
        if ((await storage.get()) || (await refresh())) await post('/auth/logout', json, options, true);
      } catch (error) {
        // 401: the session has ended already. 404: the server has no sessions.
        if (!/^40[14]$/.test(String((error as LecternError).status))) throw error;
      } finally {
        await inTurn(() => change(undefined));
      }
    },
  };
}

function memory(): TokenStorage {
  let stored: Tokens | undefined;
  return {
    get: () => stored,
    set(tokens) {
      stored = tokens;
    },
  };
}

interface Locks {
  request<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Tabs share the cookie or the storage, and a refresh token can be used once. Servers have no tabs, but many users. */
function oneTabAtATime<T>(base: string, work: () => Promise<T>): Promise<T> {
  const { location, navigator } = globalThis as { location?: unknown; navigator?: { locks?: Locks } };
  return location && navigator?.locks ? navigator.locks.request(`lectern ${base}`, work) : work();
}
