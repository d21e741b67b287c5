/** The cookie that a browser keeps while its user is at a provider. It is encrypted, so that nothing has to be stored for those who never come
 *  back, and bound to the browser, so that nobody can be led to finish what somebody else began. */
import { hkdfSync } from 'node:crypto';
import type { Attempt } from './identity-provider.ts';

export interface Departure extends Attempt {
  readonly provider: string;
  /** Where the front end waits. */
  readonly callback: string;
  /** SHA-256 of the front end's verifier, base64url. */
  readonly challenge: string;
}

/** Seconds for a user to sign in at the provider. */
const longestAbsence = 10 * 60;
const methods = { alg: 'dir', enc: 'A256GCM' } as const;
const keys = ['provider', 'state', 'nonce', 'verifier', 'callback', 'challenge'] as const;

export interface ConnectCookies {
  header(departure: Departure): Promise<string>;
  expired(provider: string): string;
  /** Undefined for a request without a good one. */
  read(cookies: string | undefined, provider: string): Promise<Departure | undefined>;
}

/** `isEncrypted`: browsers reach this server by https. Then no other site, not even below the same domain, can plant such a cookie. */
export function createConnectCookies(secret: string, isEncrypted: boolean): ConnectCookies {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'lectern: signing in with a provider', 32));
  const nameOf = (provider: string) => `${isEncrypted ? '__Host-' : ''}lectern-connect-${provider}`;
  const attributes = `path=/; samesite=lax; httponly${isEncrypted ? '; secure' : ''}`;
  return {
    async header(departure) {
      const { EncryptJWT } = await import('jose');
      const value = await new EncryptJWT({ ...departure })
        .setProtectedHeader(methods)
        .setExpirationTime(Math.floor(Date.now() / 1000) + longestAbsence)
        .encrypt(key);
      return `${nameOf(departure.provider)}=${value}; max-age=${longestAbsence}; ${attributes}`;
    },
    expired: (provider) => `${nameOf(provider)}=; max-age=0; ${attributes}`,
    async read(cookies, provider) {
      const start = `${nameOf(provider)}=`;
      const own = cookies
        ?.split(';')
        .map((each) => each.trim())
        .find((each) => each.startsWith(start));
      if (own === undefined) return undefined;
      const { jwtDecrypt } = await import('jose');
      const options = { keyManagementAlgorithms: [methods.alg], contentEncryptionAlgorithms: [methods.enc], requiredClaims: ['exp'] };
      const payload = await jwtDecrypt(own.slice(start.length), key, options).then(
        (opened) => opened.payload,
        () => undefined,
      );
      // The cookie of one provider is not good at another.
      return payload !== undefined && isDeparture(payload) && payload.provider === provider ? payload : undefined;
    },
  };
}

const isDeparture = (payload: object): payload is Departure =>
  keys.every((key) => typeof (payload as Readonly<Record<string, unknown>>)[key] === 'string');
