/** Signs the addresses of private files in answers. */
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config/config.ts';
import { s3Urls } from './s3-urls.ts';
import { signedUrl } from './signed-url.ts';

/** What a signer is made of: plain data, for the threads that write answers. */
export interface UrlSigning {
  readonly s3: Config['s3'] & { readonly bucket: string };
  readonly secret: string;
  /** Seconds. */
  readonly signedFor: number;
}

/** The signed address in place of a stored one; undefined for an address that is none of the storage's own. */
export type SignUrl = (url: string) => string | undefined;

/** Undefined where addresses are answered as they are stored. */
export function urlSigning({ s3, secrets, upload }: Pick<Config, 's3' | 'secrets' | 'upload'>): UrlSigning | undefined {
  const { bucket } = s3;
  if (upload.provider !== 's3' || !s3.private || bucket === undefined || secrets.uploadKey === undefined) return undefined;
  return { s3: { ...s3, bucket }, secret: secrets.uploadKey, signedFor: upload.signedFor };
}

/** Addresses that are signed once in a window: a list of images has hundreds, and signing one costs more than writing the rest of its entry. */
const kept = 5000;

export function urlSigner({ s3, secret, signedFor }: UrlSigning, now: () => number = Date.now): SignUrl {
  const { keyOf } = s3Urls(s3);
  const signed = new LRUCache<string, string>({ max: kept });
  let signedUntil = 0;
  return (url) => {
    const until = expiryOf(now(), signedFor);
    if (until !== signedUntil) signed.clear();
    signedUntil = until;
    const known = signed.get(url);
    if (known !== undefined) return known;
    const key = keyOf(url);
    if (key === undefined) return undefined;
    const address = signedUrl(secret, key, { expires: String(until) });
    signed.set(url, address);
    return address;
  };
}

/** Unix seconds: `signedFor` from now at least, twice that at most. The same for a while, in all processes, so that answers and their tags are. */
const expiryOf = (now: number, signedFor: number): number => (Math.ceil(now / 1000 / signedFor) + 1) * signedFor;
