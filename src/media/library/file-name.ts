/** Names of uploaded files, and the names that they are stored under. */
import { randomBytes } from 'node:crypto';
import { basename, extname } from 'node:path';
import { ApiError } from '../../errors/api-error.ts';

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
  if (!isTitle(title)) throw ApiError.of('upload.file-name');
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
  if (!isFileName(fileName) || !isTitle(name)) throw ApiError.of('upload.file-name');
  const sent = extname(fileName);
  const ext = isPlainExtension.test(sent) ? sent : await extensionFor(mediaType);
  const slug = await slugOf(basename(name, sent || ext));
  return { name, hash: `${slug}_${randomBytes(5).toString('hex')}`, ext };
}

/** It becomes part of addresses and of keys in a storage: no `%2f`, no `#`, no spaces. Of a name that ends with a point, the point. */
const isPlainExtension = /^\.[\p{L}\p{M}\p{N}_+-]*$/u;

async function extensionFor(mediaType: string): Promise<string> {
  const { default: mimeTypes } = await import('mime-types');
  const extension = mimeTypes.extension(mediaType);
  return extension === false ? '' : `.${extension}`;
}

/** The release that Strapi uses: later ones spell other alphabets and part words in other ways. */
async function slugOf(text: string): Promise<string> {
  const { default: slugify } = await import('@sindresorhus/slugify');
  return slugify(text, { separator: '_', lowercase: false });
}
