/** A cookie for the time that the user spends at a provider. It is encrypted: nothing is stored for
 *  users who never come back. Only this browser can finish the sign-in that it began. */
import { hkdfSync } from 'node:crypto';
import { cookieIn } from '../text/cookie.ts';
import type { AuthorizationChecks } from './identity-provider.ts';

export interface PendingSignIn extends AuthorizationChecks {
  readonly provider: string;
  /** The URL of the front end that gets the code. */
  readonly callback: string;
  /** SHA-256 of the front end's verifier, base64url. */
  readonly challenge: string;
}

/** Seconds for a user to sign in at the provider. */
const lifetime = 10 * 60;
const methods = { alg: 'dir', enc: 'A256GCM' } as const;
const keys = ['provider', 'state', 'nonce', 'verifier', 'callback', 'challenge'] as const;

/** `isEncrypted`: browsers use https. Then no other site of the domain can set the cookie. */
export function createConnectCookies(secret: string, isEncrypted: boolean) {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'lectern: signing in with a provider', 32));
  const nameOf = (provider: string) => `${isEncrypted ? '__Host-' : ''}lectern-connect-${provider}`;
  const attributes = `path=/; samesite=lax; httponly${isEncrypted ? '; secure' : ''}`;
  return {
    async header(pending: PendingSignIn): Promise<string> {
      const { EncryptJWT } = await import('jose');
      const value = await new EncryptJWT({ ...pending })
        .setProtectedHeader(methods)
        .setExpirationTime(Math.floor(Date.now() / 1000) + lifetime)
        .encrypt(key);
      return `${nameOf(pending.provider)}=${value}; max-age=${lifetime}; ${attributes}`;
    },
    expired: (provider: string): string => `${nameOf(provider)}=; max-age=0; ${attributes}`,
    /** Undefined for a request without a valid cookie. */
    async read(cookies: string | undefined, provider: string): Promise<PendingSignIn | undefined> {
      const value = cookieIn(cookies, nameOf(provider));
      if (value === undefined) return undefined;
      const { jwtDecrypt } = await import('jose');
      const options = { keyManagementAlgorithms: [methods.alg], contentEncryptionAlgorithms: [methods.enc], requiredClaims: ['exp'] };
      const payload = await jwtDecrypt(value, key, options).then(
        (opened) => opened.payload,
        () => undefined,
      );
      // The cookie of one provider is not valid for another.
      return payload !== undefined && isPendingSignIn(payload) && payload.provider === provider ? payload : undefined;
    },
  };
}

const isPendingSignIn = (payload: object): payload is PendingSignIn =>
  keys.every((key) => typeof (payload as Readonly<Record<string, unknown>>)[key] === 'string');
