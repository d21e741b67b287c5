/** Signs the URLs of private files in responses. */
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config/config.ts';
import { s3Urls } from './s3-urls.ts';
import { signedUrl } from './signed-url.ts';

/** The settings of a signer: plain data that can be sent to processes that render responses. */
export interface UrlSigning {
  readonly s3: Config['s3'] & { readonly bucket: string };
  readonly secret: string;
  /** Seconds. */
  readonly signedFor: number;
}

/** Returns the signed URL for a stored one; undefined for a URL of another storage. */
export type SignUrl = (url: string) => string | undefined;

/** Undefined when responses have URLs as they are stored. */
export function urlSigning({ s3, secrets, upload }: Pick<Config, 's3' | 'secrets' | 'upload'>): UrlSigning | undefined {
  const { bucket } = s3;
  if (upload.provider !== 's3' || !s3.private || bucket === undefined || secrets.uploadKey === undefined) return undefined;
  return { s3: { ...s3, bucket }, secret: secrets.uploadKey, signedFor: upload.signedFor };
}

/** URLs that are cached for one window: a list of images has hundreds, and signing one takes longer
 *  than rendering the rest of its entry. */
const cachedUrls = 5000;

export function urlSigner({ s3, secret, signedFor }: UrlSigning, now: () => number = Date.now): SignUrl {
  const { keyOf } = s3Urls(s3);
  const signed = new LRUCache<string, string>({ max: cachedUrls });
  let signedUntil = 0;
  return (url) => {
    const until = expiryOf(now(), signedFor);
    if (until !== signedUntil) signed.clear();
    signedUntil = until;
    const known = signed.get(url);
    if (known !== undefined) return known;
    const key = keyOf(url);
    if (key === undefined) return undefined;
    const fresh = signedUrl(secret, key, { expires: String(until) });
    signed.set(url, fresh);
    return fresh;
  };
}

/** Unix seconds, one to two times `signedFor` from now. All processes use the same value for a
 *  while, so that responses stay the same. */
const expiryOf = (now: number, signedFor: number): number => (signingWindow(now, signedFor) + 1) * signedFor;

/** Numbers the periods in which signed URLs stay the same. */
export const signingWindow = (now: number, signedFor: number): number => Math.ceil(now / 1000 / signedFor);
