import type { FileRecord, FormatRecord } from './file-rows.ts';
import type { MadeImage } from './images.ts';
import { kilobytes } from './size.ts';

/** What `formats` says of a variant of an image. */
export function formatRecord(
  name: string,
  image: Pick<FileRecord, 'name' | 'hash' | 'ext' | 'mime'>,
  { width, height, size }: MadeImage,
  url: string,
): FormatRecord {
  return {
    name: `${name}_${image.name}`,
    hash: `${name}_${image.hash}`,
    ext: image.ext ?? '',
    mime: image.mime,
    path: null,
    width,
    height,
    size: kilobytes(size),
    sizeInBytes: size,
    url,
  };
}
