/** Examines a received file, and prepares it for the storage. Stores nothing. */
import { mkdir } from 'node:fs/promises';
import type { Config, UploadConfig } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { humanSize, kilobytes } from '../../text/human-size.ts';
import { formatKey, type ImageSettings, type Images } from '../images/images.ts';
import { diskFullOr } from '../storage/disk-full.ts';
import type { Storage, StorageKey } from '../storage/storage.ts';
import { type IncomingFile, mayBeImage, mediaTypeOf } from '../types/media-type.ts';
import type { FileInfo } from './file-info.ts';
import { type StoredName, storedName } from './file-name.ts';
import { type FileRecord, type FormatRecord, type FormatRecords, formatRecord } from './file-store.ts';

/** A received file with its media type and its stored name. */
export interface KnownFile extends StoredName {
  readonly file: IncomingFile;
  readonly info: FileInfo;
  readonly mediaType: string;
}

/** Returns a refusal of the type, for the caller to throw or not. Throws `ApiError`
 *  'upload.file-name'. */
export async function examineFile(
  file: IncomingFile,
  info: FileInfo,
  { upload, policies }: Pick<Config, 'upload' | 'policies'>,
): Promise<KnownFile | { readonly refused: ApiError }> {
  const { allowedTypes, deniedTypes } = upload;
  const verdict = await mediaTypeOf(file, { allowedTypes, deniedTypes, believes: policies.believeMediaTypes });
  if ('refused' in verdict) return verdict;
  const { mediaType } = verdict;
  return { file, info, mediaType, ...(await storedName(file.name, info.name, mediaType)) };
}

/** A local file that is to be stored. */
export interface PutFile {
  readonly key: StorageKey;
  readonly path: string;
  readonly mediaType: string;
}

export interface PreparedFile {
  readonly record: Omit<FileRecord, 'folderPath'>;
  /** As in `FileInfo`. */
  readonly folder: number | null | undefined;
  /** The variants, and the file itself last: a client that finds the file finds its variants. */
  readonly puts: readonly PutFile[];
}

export interface PrepareParts {
  readonly config: Pick<UploadConfig, 'sizeLimit'>;
  readonly storage: Storage;
  readonly images: Images;
  readonly settings: ImageSettings;
  /** Policy `believeMediaTypes`. */
  readonly believes: boolean;
}

/** Media types of raster images that are decoded to check them. */
const pictures: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/tiff']);

/** Bytes that file systems allow in a file name. Longer names fail in Strapi; a shortened name
 *  would differ from the one that was sent. */
const maxKeyBytes = 255;

/** `folder` is for this file alone; the function creates it. Throws `ApiError` 'upload.too-large',
 *  'upload.file-name' (too long with a suffix or variant's prefix), 'image.broken', and the errors
 *  of `Images.derive`. */
export async function prepareFile(
  known: KnownFile,
  folder: string,
  { config, storage, images, settings, believes }: PrepareParts,
): Promise<PreparedFile> {
  const { file, info, name, hash, ext, mediaType } = known;
  await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    throw diskFullOr(error);
  });
  const image = (await mayBeImage(file.path)) ? await images.derive(file.path, folder, settings) : undefined;
  // Begins like an image, but cannot be decoded. Strapi stores it, like a text of that type.
  if (image === undefined && !believes && pictures.has(mediaType)) throw ApiError.of('image.broken');
  const { path, size } = image?.optimized ?? file;
  if (size > config.sizeLimit) throw ApiError.of('upload.too-large', { name: file.name, limit: humanSize(config.sizeLimit) });
  const key = hash + ext;
  const formats: Record<string, FormatRecord> = {};
  const puts: PutFile[] = [];
  for (const made of image?.formats ?? []) {
    const variant = formatKey(made.name, key);
    formats[made.name] = formatRecord(made.name, { name, hash, ext, mime: mediaType }, made, storage.urlOf(variant));
    puts.push({ key: variant, path: made.path, mediaType });
  }
  puts.push({ key, path, mediaType });
  if (puts.some((put) => Buffer.byteLength(put.key) > maxKeyBytes)) throw ApiError.of('upload.file-name');
  return {
    record: {
      name,
      alternativeText: info.alternativeText ?? null,
      caption: info.caption ?? null,
      focalPoint: info.focalPoint ?? null,
      width: image?.width ?? null,
      height: image?.height ?? null,
      formats: Object.keys(formats).length === 0 ? null : (formats satisfies FormatRecords),
      hash,
      ext,
      mime: mediaType,
      size: kilobytes(size),
      url: storage.urlOf(key),
      provider: storage.provider,
    },
    folder: info.folder,
    puts,
  };
}
