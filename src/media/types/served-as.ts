/** How browsers may handle an uploaded file. */
import { lookup } from 'mime-types';

/** `inline`: cannot run anything. `sandboxed`: shown without scripts, where the response can forbid
 *  them. `attachment`: only saved. */
export type ServedAs = 'inline' | 'sandboxed' | 'attachment';

const inert =
  /^(?:image\/(?:jpeg|png|webp|avif|gif|tiff|bmp|x-icon|vnd\.microsoft\.icon|heic|heif)|audio\/.+|video\/.+|font\/.+|text\/(?:plain|csv|vtt)|application\/json)$/;

/** `mediaType` has no parameters. Types that are not known to be harmless are attachments. */
export function servedAs(mediaType: string): ServedAs {
  if (inert.test(mediaType)) return 'inline';
  return mediaType === 'image/svg+xml' ? 'sandboxed' : 'attachment';
}

/** The media type by the name alone. */
export const mediaTypeOfName = (name: string): string => lookup(name) || 'application/octet-stream';

/** The names of uploads end with ten random hexadecimal digits. */
const isHashed = /_[0-9a-f]{10}(?:\.[^./]*)?$/;

/** Seconds. Nothing is cached for longer than a year. */
export const maxAge = 31_536_000;

/** Without `immutable`: a replaced file keeps its URL, and a reload must show the new file. */
export const cacheControl = (name: string, keepHashedFiles: boolean): string =>
  keepHashedFiles && isHashed.test(name) ? `public, max-age=${maxAge}` : 'max-age=0';
