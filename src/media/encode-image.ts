/** Pixels to bytes, and what a failure of it means. Runs in a process for images. */
import { writeFile } from 'node:fs/promises';
import type { OutputInfo, Sharp } from 'sharp';
import { ApiError } from '../errors/api-error.ts';
import { noRoomOr } from './no-room.ts';

/** Throws 'image.broken' for whatever the library cannot do: it was asked for nothing that a sound image of this size does not allow. */
export async function worked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && /too large for the|dimension/i.test(error.message)) throw cannotHold;
    throw ApiError.of('image.broken', undefined);
  }
}

/** Encoded in memory and then written, so that what is wrong with the image and what is wrong with the disk can be told apart. */
export async function writeImage(image: Sharp, path: string): Promise<OutputInfo> {
  const { data, info } = await worked(() => image.toBuffer({ resolveWithObject: true }));
  try {
    await writeFile(path, data);
  } catch (error) {
    throw noRoomOr(error);
  }
  return info;
}

const cannotHold = ApiError.of('variant.parameter', { name: 'format', expected: 'one that can hold an image of this size' });
