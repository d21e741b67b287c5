/** Headers for uploaded files. */
import { contentType } from 'mime-types';
import { cacheControl, maxAge, mediaTypeOfName, servedAs } from '../../media/types/served-as.ts';

type Headers = Readonly<Record<string, string>>;

/** Nothing runs, nothing is loaded, and nothing of this origin can be reached. */
const sandbox = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox";

/** For a browser that opens the URL itself, and makes a page with a style around the file. */
const ownPage = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";
const hasOwnPage = /^(?:image|audio|video)\//;

/** Types that pages load whatever the disposition is: a page could run an uploaded script. */
const loaded = /(?:java|ecma|live|j)script|^text\/css$|wasm/;

/** Decides by the name alone: browsers may not guess by the content (`X-Content-Type-Options`). */
export function typeHeaders(name: string): Headers {
  const mediaType = mediaTypeOfName(name);
  const type = { 'content-type': loaded.test(mediaType) ? 'application/octet-stream' : contentType(mediaType) || mediaType };
  switch (servedAs(mediaType)) {
    case 'inline':
      return hasOwnPage.test(mediaType) ? { ...type, 'content-security-policy': ownPage } : type;
    case 'sandboxed':
      return { ...type, 'content-security-policy': sandbox };
    case 'attachment':
      return { ...type, 'content-security-policy': sandbox, 'content-disposition': 'attachment' };
  }
}

/** `expires`: when the signature of the URL expires, in Unix seconds. */
export function cachingHeaders(name: string, keepHashedFiles: boolean, expires: number | undefined, now: number): Headers {
  if (expires !== undefined) {
    const left = Math.max(0, expires - Math.ceil(now / 1000));
    return { 'cache-control': `private, max-age=${keepHashedFiles ? Math.min(left, maxAge) : 0}` };
  }
  return { 'cache-control': cacheControl(name, keepHashedFiles) };
}
