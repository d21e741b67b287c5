/** Names of uploaded files, and the names that they are stored under. */
import { randomBytes } from 'node:crypto';
import { basename, extname } from 'node:path';
import { ApiError } from '../errors/api-error.ts';

/** Characters, of names and of the columns that hold them. */
const longest = 255;
const reserved = /[<>:"/\\|?*]/;
/** Devices of Windows, where files are downloaded to. With an extension they are devices as well, which Strapi overlooks. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Control characters; marks that turn the direction of what follows, and characters that take no room: with them `gpj.exe` reads as `exe.jpg`.
 *  They are refused and not removed: such a name is a trick or a mistake, and who sent it should know. The joiners U+200C and U+200D stay, which
 *  Persian, Indic scripts and emoji are written with and which turn nothing. Halves of characters and U+FFFD are what is left of another encoding. */
const misleading = /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/u;

/** Whether a file can have the name, here and where it is downloaded to. */
export const isFileName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !reserved.test(name) && !device.test(name) && isTitle(name);

/** For the name that a sender gives beside the file (`fileInfo.name`). It is no name of a file, and may hold `/` or `?` as in Strapi. Throws
 *  `ApiError` 'upload.file-name' for one that cannot be kept. */
export function checkTitle(title: string): void {
  if (!isTitle(title)) throw ApiError.of('upload.file-name', undefined);
}

const isTitle = (title: string) => title.normalize().length <= longest && !misleading.test(title);

export interface StoredName {
  /** What the row calls the file. */
  readonly name: string;
  /** Its name in the storage, without `ext`; never twice the same. */
  readonly hash: string;
  /** With its point; empty for a type that has none. */
  readonly ext: string;
}

/** What a file is called and stored as that was sent as `fileName`, with the title that its sender gave it, if any.
 *  Throws `ApiError` 'upload.file-name' for either. */
export async function storedName(fileName: string, title: string | undefined, mediaType: string): Promise<StoredName> {
  const name = (title || fileName).normalize();
  if (!isFileName(fileName) || !isTitle(name)) throw ApiError.of('upload.file-name', undefined);
  const sent = extname(fileName);
  const ext = isPlainExtension.test(sent) ? sent : await extensionFor(mediaType);
  const slug = await slugOf(basename(name, sent || ext));
  const random = `_${randomBytes(5).toString('hex')}`;
  return { name, hash: slug.slice(0, longestKey - random.length - ext.length) + random, ext };
}

/** It becomes part of addresses and of keys in a storage: no `%2f`, no `#`, no spaces. */
const isPlainExtension = /^\.[\w+-]{1,32}$/;

/** Bytes of `<hash><ext>`: file systems have 255 for a name, and the names of variants (50 and `_`) and of files on their way in add to it. */
const longestKey = 190;

async function extensionFor(mediaType: string): Promise<string> {
  // As the release of the library says that Strapi uses.
  if (mediaType === 'image/jpeg') return '.jpeg';
  const { default: mimeTypes } = await import('mime-types');
  const extension = mimeTypes.extension(mediaType);
  return extension === false ? '' : `.${extension}`;
}

/** As Strapi makes it: its release of the library parts words at apostrophes, and `APIs` as `AP_Is`, where newer ones do not. */
async function slugOf(text: string): Promise<string> {
  const { default: slugify } = await import('@sindresorhus/slugify');
  const parted = text.replace(/['\u2019]/g, ' ').replace(/([A-Z]+)([A-Z][a-z\d]+)/g, '$1 $2');
  return slugify(parted, { separator: '_', lowercase: false });
}
