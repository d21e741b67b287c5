/** URLs below `/uploads` signed by this server: private files, and variants not in
 *  `upload.variants`. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { StorageKey } from './storage.ts';

/** The signature covers these and the key of the file. */
export type SignedParameters = Readonly<Record<string, string>>;

/** A file's URL with its parameters, `expires` (Unix seconds) among them, and their signature. */
export function signedUrl(secret: string, key: StorageKey, parameters: SignedParameters): string {
  const url = canonical(key, parameters);
  return `${url}${url.includes('?') ? '&' : '?'}signature=${hmac(secret, url).toString('base64url')}`;
}

/** Whether `signature` is for exactly this file and these parameters. Does not check `expires`. */
export function isSigned(secret: string, key: StorageKey, parameters: SignedParameters, signature: string): boolean {
  const received = Buffer.from(signature, 'base64url');
  const right = hmac(secret, canonical(key, parameters));
  return received.length === right.length && timingSafeEqual(received, right);
}

/** Encoded: each key and parameters have their own text. Sorted: parameters may be in any order. */
function canonical(key: StorageKey, parameters: SignedParameters): string {
  const pairs = Object.entries(parameters)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return `/uploads/${encodeURIComponent(key)}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`;
}

const hmac = (secret: string, text: string): Buffer => createHmac('sha256', secret).update(text).digest();
