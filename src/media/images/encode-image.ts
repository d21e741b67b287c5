/** Encodes pixels, and turns failures into errors. Runs in an image process. */
import type { OutputInfo, Sharp } from 'sharp';
import { ApiError } from '../../errors/api-error.ts';

/** Throws 'image.broken' for any failure: intact images of this size allow whatever is asked. */
export async function orBrokenImage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && /too large for the|dimension/i.test(error.message)) throw cannotHold;
    throw ApiError.of('image.broken');
  }
}

export const encoded = (image: Sharp): Promise<{ readonly data: Uint8Array; readonly info: OutputInfo }> =>
  orBrokenImage(() => image.toBuffer({ resolveWithObject: true }));

const cannotHold = ApiError.of('variant.parameter', { name: 'format', expected: 'one that can hold an image of this size' });
