/** Pixels to bytes, and what a failure of it means. Runs in a process for images. */
import type { OutputInfo, Sharp } from 'sharp';
import { ApiError } from '../../errors/api-error.ts';

/** Throws 'image.broken' for whatever the library cannot do: it was asked for nothing that a sound image of this size does not allow. */
export async function worked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && /too large for the|dimension/i.test(error.message)) throw cannotHold;
    throw ApiError.of('image.broken');
  }
}

export const encoded = (image: Sharp): Promise<{ readonly data: Uint8Array; readonly info: OutputInfo }> =>
  worked(() => image.toBuffer({ resolveWithObject: true }));

const cannotHold = ApiError.of('variant.parameter', { name: 'format', expected: 'one that can hold an image of this size' });
