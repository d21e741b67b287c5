import { kilobytes } from '../../text/human-size.ts';
import { formatKey, type MadeImage } from '../images/images.ts';
import type { FileRecord, FormatRecord } from './file-store.ts';

/** The entry of a variant in `formats`. */
export function formatRecord(
  name: string,
  image: Pick<FileRecord, 'name' | 'hash' | 'ext' | 'mime'>,
  { width, height, size }: MadeImage,
  url: string,
): FormatRecord {
  return {
    name: formatKey(name, image.name),
    hash: formatKey(name, image.hash),
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
