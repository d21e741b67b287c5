/** Logins as in Strapi: a row of `strapi_sessions`, its refresh token, and a short access token. */
import { signUserToken, verifyRefreshToken } from './json-web-token.ts';
import { passwordKey } from './password.ts';
import { newSessionId, nextSessionId } from './session-id.ts';
import type { SessionStore, SigningIn } from './session-store.ts';

/** Milliseconds between two deletions of expired sessions. */
const clearExpiredEvery = 10 * 60 * 1000;

/** Milliseconds for which a refresh may be repeated. */
const repeatableFor = 10_000;

/** Seconds. */
export interface Lifespans {
  readonly accessTokenLifespan: number;
  /** How long a session lasts without a refresh. */
  readonly idleRefreshTokenLifespan: number;
  /** How long a session lasts, counted from the login. */
  readonly maxRefreshTokenLifespan: number;
}

export interface SessionRules extends Lifespans {
  /** `policies.endSessionsAtOnce` */
  readonly endSessionsAtOnce: boolean;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

export interface Device {
  readonly deviceId: string | undefined;
  readonly deviceName: string | undefined;
}

export interface RefreshOptions {
  /** Whether the client says that its last refresh may be repeated for some seconds: a browser that
   *  leaves a page loses the response, and with it the cookie. It must have said so at that refresh
   *  already, or else a thief of a used token could say it. */
  readonly isRepeatable: boolean;
}

export interface Sessions {
  /** Throws `login.failed` or `login.blocked` if the user has changed since it was read. */
  start(user: SigningIn, device: Device): Promise<Tokens>;
  /** The user and the session of a refresh token, which may have ended; undefined if invalid. */
  read(refreshToken: string): Promise<{ readonly userId: number; readonly sessionId: string } | undefined>;
  /** New tokens for a session, which they replace; undefined when it has already ended, or its user
   *  is blocked or gone. */
  refresh(session: { readonly userId: number; readonly sessionId: string }, options: RefreshOptions): Promise<Tokens | undefined>;
}

export function createSessions(store: SessionStore, jwtSecret: string, rules: SessionRules): Sessions {
  const idle = rules.idleRefreshTokenLifespan;
  let cleared = Number.NEGATIVE_INFINITY;

  async function tokens(payload: { readonly userId: string; readonly sessionId: string }, now: number): Promise<Tokens> {
    const seconds = Math.floor(now / 1000);
    const [refreshToken, accessToken] = await Promise.all([
      signUserToken({ ...payload, type: 'refresh' }, { expiresAt: seconds + idle }, jwtSecret),
      signUserToken({ ...payload, type: 'access' }, { issuedAt: seconds, expiresAt: seconds + rules.accessTokenLifespan }, jwtSecret),
    ]);
    return { accessToken, refreshToken };
  }

  return {
    async start(user, { deviceId, deviceName }) {
      const now = Date.now();
      const payload = { userId: String(user.id), sessionId: newSessionId() };
      const metadata = { loginAt: new Date(now).toISOString(), ...(deviceName === undefined ? {} : { deviceName }) };
      const expiresAt = now + idle * 1000;
      const absoluteExpiresAt = now + rules.maxRefreshTokenLifespan * 1000;
      const clearExpired = performance.now() - cleared >= clearExpiredEvery;
      const session = { ...payload, deviceId, metadata, createdAt: now, expiresAt, absoluteExpiresAt };
      await store.create(session, user, { sameRole: rules.endSessionsAtOnce, clearExpired });
      if (clearExpired) cleared = performance.now();
      return tokens(payload, now);
    },
    read: (refreshToken) => verifyRefreshToken(refreshToken, jwtSecret),
    async refresh({ userId, sessionId }, { isRepeatable }) {
      const now = Date.now();
      const successor = { sessionId: nextSessionId(sessionId, jwtSecret), expiresAt: now + idle * 1000 };
      const repeatableSince = isRepeatable ? now - repeatableFor : undefined;
      const session = await store.rotate({ sessionId, userId, now, repeatableSince }, successor);
      return session === undefined ? undefined : tokens({ userId: session.userId, sessionId: session.sessionId }, now);
    },
  };
}

/** The token of mode `legacy-support`: valid by itself for some seconds. Strapi ignores `key`. */
export function legacyToken(
  user: { readonly id: number; readonly password: string | undefined },
  jwtSecret: string,
  lifespan: number,
): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000);
  const payload = { id: user.id, key: passwordKey(user.id, user.password, jwtSecret) };
  return signUserToken(payload, { issuedAt, expiresAt: issuedAt + lifespan }, jwtSecret);
}
