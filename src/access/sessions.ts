/** Logins as Strapi's session manager keeps them: a row of `strapi_sessions`, a refresh token that names it, a short access token. */
import { randomBytes } from 'node:crypto';
import type { AccessStore } from './access-store.ts';
import { signUserToken } from './json-web-token.ts';

const accessTokenSeconds = 10 * 60;
const idleRefreshSeconds = 14 * 24 * 60 * 60;
const longestRefreshSeconds = 30 * 24 * 60 * 60;
const legacyTokenSeconds = 30 * 24 * 60 * 60;
const clearExpiredEvery = 50;

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

export interface Sessions {
  start(userId: number, device: { readonly deviceId: string | undefined; readonly deviceName: string | undefined }): Promise<Tokens>;
}

export function createSessions(store: AccessStore, jwtSecret: string): Sessions {
  let started = 0;
  return {
    async start(userId, { deviceId, deviceName }) {
      const now = Date.now();
      const seconds = Math.floor(now / 1000);
      const payload = { userId: String(userId), sessionId: randomBytes(16).toString('hex') };
      const metadata = { loginAt: new Date(now).toISOString(), ...(deviceName === undefined ? {} : { deviceName }) };
      const expiresAt = now + idleRefreshSeconds * 1000;
      const absoluteExpiresAt = now + longestRefreshSeconds * 1000;
      started++;
      await store.createSession(
        { ...payload, deviceId, metadata, createdAt: now, expiresAt, absoluteExpiresAt },
        { clearExpired: started % clearExpiredEvery === 0 },
      );
      const [refreshToken, accessToken] = await Promise.all([
        signUserToken({ ...payload, type: 'refresh' }, { expiresAt: seconds + idleRefreshSeconds }, jwtSecret),
        signUserToken({ ...payload, type: 'access' }, { issuedAt: seconds, expiresAt: seconds + accessTokenSeconds }, jwtSecret),
      ]);
      return { accessToken, refreshToken };
    },
  };
}

/** The token of mode `legacy-support`: it stands by itself for thirty days. */
export function legacyToken(userId: number, jwtSecret: string): Promise<string> {
  const issuedAt = Math.floor(Date.now() / 1000);
  return signUserToken({ id: userId }, { issuedAt, expiresAt: issuedAt + legacyTokenSeconds }, jwtSecret);
}
