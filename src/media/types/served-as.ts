/** What browsers may do with a file that somebody uploaded. */
import { lookup } from 'mime-types';

/** `inline`: nothing in it runs. `sandboxed`: it is shown, and runs nothing, where the answer can forbid it. `attachment`: it is only saved. */
export type ServedAs = 'inline' | 'sandboxed' | 'attachment';

const inert =
  /^(?:image\/(?:jpeg|png|webp|avif|gif|tiff|bmp|x-icon|vnd\.microsoft\.icon|heic|heif)|audio\/.+|video\/.+|font\/.+|text\/(?:plain|csv|vtt)|application\/json)$/;

/** By a media type without parameters. What is not known to be harmless is not. */
export function servedAs(mediaType: string): ServedAs {
  if (inert.test(mediaType)) return 'inline';
  return mediaType === 'image/svg+xml' ? 'sandboxed' : 'attachment';
}

/** The type that a name says, for those who know no more than the name. */
export const mediaTypeOfName = (name: string): string => lookup(name) || 'application/octet-stream';

/** Names that uploads give: they carry ten random digits. */
const isHashed = /_[0-9a-f]{10}(?:\.[^./]*)?$/;

/** Seconds for which anything is kept: a year. */
export const longest = 31_536_000;

/** Without `immutable`: a file that is replaced keeps its address, and who reloads a page shall see the new one. */
export const cacheControl = (name: string, keepHashedFiles: boolean): string =>
  keepHashedFiles && isHashed.test(name) ? `public, max-age=${longest}` : 'max-age=0';
