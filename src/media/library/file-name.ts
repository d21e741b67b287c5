/** Names of uploaded files, and the names that they are stored under. */
import { randomBytes } from 'node:crypto';
import { basename, extname } from 'node:path';
import slugify from '@sindresorhus/slugify';
import { ApiError } from '../../errors/api-error.ts';

/** Characters. The columns that hold names have the same limit. */
const maxTitleLength = 255;
const reserved = /[<>:"/\\|?*]/;
/** Names of devices on Windows, also with an extension. Strapi overlooks those with one. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Control characters, characters without a width, and marks that change the text's direction: with
 *  them `gpj.exe` reads as `exe.jpg`. They are refused, not removed, so that the sender knows. The
 *  joiners U+200C and U+200D are allowed: Persian, Indic scripts and emoji need them, and they
 *  change no direction. Lone surrogates and U+FFFD are remains of another encoding. */
const misleading = /[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/u;

/** Whether a file can have this name, both here and on the machine of whoever downloads it. */
export const isFileName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !reserved.test(name) && !device.test(name) && isTitle(name);

/** Checks `fileInfo.name`. As a title and not a file name, it may have `/` or `?`, as in Strapi.
 *  Throws `ApiError` 'upload.file-name'. */
export function checkTitle(title: string): void {
  if (!isTitle(title)) throw ApiError.of('upload.file-name');
}

const isTitle = (title: string) => title.normalize().length <= maxTitleLength && !misleading.test(title);

export interface StoredName {
  /** The name in the row. */
  readonly name: string;
  /** The name in the storage, without `ext`; unique. */
  readonly hash: string;
  /** Begins with a dot; empty for a type without an extension. */
  readonly ext: string;
}

/** The names of a file that was sent as `fileName` with an optional title. Throws `ApiError`
 *  'upload.file-name' when either name is not allowed. */
export async function storedName(fileName: string, title: string | undefined, mediaType: string): Promise<StoredName> {
  const name = (title || fileName).normalize();
  if (!isFileName(fileName) || !isTitle(name)) throw ApiError.of('upload.file-name');
  const sent = extname(fileName);
  const ext = isPlainExtension.test(sent) ? sent : await extensionFor(mediaType);
  const slug = slugOf(basename(name, sent || ext));
  return { name, hash: `${slug}_${randomBytes(5).toString('hex')}`, ext };
}

/** Part of URLs and storage keys, so without `%2f`, `#` and spaces. It may be a dot alone. */
const isPlainExtension = /^\.[\p{L}\p{M}\p{N}_+-]*$/u;

async function extensionFor(mediaType: string): Promise<string> {
  const { default: mimeTypes } = await import('mime-types');
  const extension = mimeTypes.extension(mediaType);
  return extension === false ? '' : `.${extension}`;
}

/** Strapi's release of the package: later ones transliterate and split words differently. */
const slugOf = (text: string): string => slugify(text, { separator: '_', lowercase: false });
