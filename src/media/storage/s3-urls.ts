/** URLs of objects in a bucket, as Strapi's provider `aws-s3` stores them, so that a Strapi on the
 *  same database keeps working. */
import { isIP } from 'node:net';
import type { S3Config } from '../../config/config.ts';
import { isStorageKey, type StorageKey } from './storage.ts';

export interface S3Urls {
  /** Prefix of the object names; empty, or ending with a slash. */
  readonly prefix: string;
  /** The name of the object in the bucket. */
  objectOf(key: StorageKey): string;
  /** Undefined for objects outside of the prefix, or in a folder below it. */
  keyOfObject(name: string): StorageKey | undefined;
  urlOf(key: StorageKey): string;
  /** Also reads URLs that were stored with other values of `s3.baseUrl` and `s3.forcePathStyle`. */
  keyOf(url: string): StorageKey | undefined;
}

export function s3Urls(s3: S3Config & { readonly bucket: string }): S3Urls {
  const prefix = s3.prefix === undefined ? '' : `${s3.prefix.replace(/\/+$/, '')}/`;
  const bucketBases = urlsOfBucket(s3);
  const base = s3.baseUrl === undefined ? bucketBases[0] : `${s3.baseUrl}/`;
  const bases = new Set([base, ...bucketBases]);
  const keyOfObject = (name: string) => {
    const key = name.startsWith(prefix) ? name.slice(prefix.length) : '';
    return isStorageKey(key) ? key : undefined;
  };
  return {
    prefix,
    objectOf(key) {
      if (!isStorageKey(key)) throw new Error(`${JSON.stringify(key)} is not the key of a file`);
      return prefix + key;
    },
    keyOfObject,
    urlOf: (key) => base + encoded(prefix + key),
    keyOf(url) {
      // Compared as text: URL parsing removes `..`, and parsers may disagree on more than that.
      for (const each of bases) {
        const object = url.startsWith(each) ? decoded(url.slice(each.length)) : undefined;
        const key = object === undefined ? undefined : keyOfObject(object);
        if (key !== undefined) return key;
      }
      return undefined;
    },
  };
}

/** Where browsers may be sent for files. */
export const bucketOrigins = (s3: S3Config & { readonly bucket: string }): readonly string[] => [
  ...new Set([...(s3.baseUrl === undefined ? [] : [s3.baseUrl]), ...urlsOfBucket(s3)].map((url) => new URL(url).origin)),
];

/** Each ends with a slash; the first is the one that requests go to. */
function urlsOfBucket({ bucket, endpoint, region, forcePathStyle }: S3Config & { readonly bucket: string }): [string, ...string[]] {
  const amazon = `amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
  const { protocol, host, hostname, pathname } = new URL(endpoint ?? `https://s3.${region}.${amazon}`);
  const path = pathname.endsWith('/') ? pathname : `${pathname}/`;
  const inPath = `${protocol}//${host}${path}${encoded(bucket)}/`;
  // A wildcard certificate covers one label: with TLS, a bucket with dots cannot be a host name.
  const label = protocol === 'http:' ? /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/ : /^[a-z\d][a-z\d-]{1,61}[a-z\d]$/;
  if (!label.test(bucket) || isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) return [inPath];
  const inHost = `${protocol}//${bucket}.${host}${path}`;
  const older = endpoint === undefined ? [`https://${bucket}.s3.${amazon}/`] : [];
  return forcePathStyle ? [inPath, inHost, ...older] : [inHost, inPath, ...older];
}

/** As the AWS SDK encodes the names of objects. */
const encoded = (name: string): string =>
  name
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/');

function decoded(path: string): string | undefined {
  if (/[?#]/.test(path)) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
