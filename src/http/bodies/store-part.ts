import { open } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import type { UploadConfig } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import { diskFullOr } from '../../media/storage/disk-full.ts';
import { canShrink, headBytes } from '../../media/types/media-type.ts';
import { humanSize } from '../../text/human-size.ts';

/** Writes a part to a new file; returns its size. Throws 'upload.too-large', 'upload.no-room'. */
export async function storePart(
  part: Readable,
  { path, name }: { readonly path: string; readonly name: string },
  upload: UploadConfig,
  signal: AbortSignal,
): Promise<number> {
  addAbortSignal(signal, part);
  const file = await open(path, 'wx', 0o600).catch(throwDiskFull);
  try {
    let size = 0;
    let limit = upload.sizeLimit;
    let head: Buffer = Buffer.alloc(0);
    for await (const chunk of part) {
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
      size += chunk.length;
      // As in Strapi, the limit applies to an image after it was re-encoded.
      if (size > limit && limit < upload.requestLimit && (await canShrink(head))) limit = upload.requestLimit;
      if (size > limit) throw ApiError.of('upload.too-large', { name, limit: humanSize(upload.sizeLimit) });
      await file.writeFile(chunk).catch(throwDiskFull);
    }
    return size;
  } finally {
    await file.close();
  }
}

function throwDiskFull(error: unknown): never {
  throw diskFullOr(error);
}
