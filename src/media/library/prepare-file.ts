/** One file that was sent, from its bytes to what will be stored: nothing is stored yet. */
import { mkdir } from 'node:fs/promises';
import type { UploadConfig } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { humanSize, kilobytes } from '../../text/human-size.ts';
import { formatKey, type ImageSettings, type Images } from '../images/images.ts';
import { diskFullOr } from '../storage/disk-full.ts';
import type { Storage, StorageKey } from '../storage/storage.ts';
import { mayBeImage } from '../types/media-type.ts';
import type { KnownFile } from './examine-file.ts';
import type { FileRecord, FormatRecord, FormatRecords } from './file-store.ts';
import { formatRecord } from './format-record.ts';

/** A file of this machine on its way into the storage. */
export interface PutFile {
  readonly key: StorageKey;
  readonly path: string;
  readonly mediaType: string;
}

export interface PreparedFile {
  readonly record: Omit<FileRecord, 'folderPath'>;
  /** Variants, and the file itself last: who finds it finds them. */
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

/** Images that have pixels to look at. */
const pictures: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/tiff']);

/** Bytes of a file's name that file systems allow. Strapi fails beyond it; a name that was cut off would not be the one that was sent. */
const longestKey = 255;

/** `folder` is one for this file alone; it is made here. Throws `ApiError` 'upload.too-large', 'upload.file-name' (too long with what is added to it,
 *  also to the names of variants), 'image.broken' and as `Images.derive` does. */
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
  // It begins like an image and cannot be opened as one. Strapi keeps it as it keeps a text with that type.
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
  if (puts.some((put) => Buffer.byteLength(put.key) > longestKey)) throw ApiError.of('upload.file-name');
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
    puts,
  };
}
