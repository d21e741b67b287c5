/** Addresses below `/uploads` that this server has signed: of private files, and of variants beyond the lists. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { StorageKey } from './storage.ts';

/** What the signature covers beside the key of the file. */
export type SignedParameters = Readonly<Record<string, string>>;

/** The address of a file with its parameters and their signature. `expires` (Unix seconds) is one of the parameters. */
export function signedUrl(secret: string, key: StorageKey, parameters: SignedParameters): string {
  const address = canonical(key, parameters);
  return `${address}${address.includes('?') ? '&' : '?'}signature=${hmac(secret, address).toString('base64url')}`;
}

/** Whether `signature` was made for just this file and these parameters. That it has not expired is for the caller to see. */
export function isSigned(secret: string, key: StorageKey, parameters: SignedParameters, signature: string): boolean {
  const given = Buffer.from(signature, 'base64url');
  const right = hmac(secret, canonical(key, parameters));
  return given.length === right.length && timingSafeEqual(given, right);
}

/** Encoded, so that no other key or parameters read the same; in one order, so that a URL may have any. */
function canonical(key: StorageKey, parameters: SignedParameters): string {
  const pairs = Object.entries(parameters)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `/uploads/${encodeURIComponent(key)}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}

const hmac = (secret: string, text: string): Buffer => createHmac('sha256', secret).update(text).digest();
