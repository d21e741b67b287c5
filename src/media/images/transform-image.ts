/** Makes a variant that a URL requests. Runs in an image process. */
import { rm, writeFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { ApiError } from '../../errors/api-error.ts';
import { diskFullOr } from '../storage/disk-full.ts';
import { encoded } from './encode-image.ts';
import type { TransformJob } from './image-protocol.ts';
import type { RasterFormat, Transformation, TransformedImage } from './images.ts';
import { decoded, openImage, type RasterImage } from './open-image.ts';

export async function transformImage({ path, target, transformation, pixels }: TransformJob): Promise<TransformedImage> {
  const image = await openImage(path, pixels);
  if (image === undefined || image.format === 'svg') throw ApiError.of('image.not-an-image');
  const format = transformation.format ?? image.format;
  const turned = decoded(image, !(animatedFormats.has(image.format) && animatedFormats.has(format))).resize(sizeOf(image, transformation));
  const { data } = await encoded(encode(turned, format, transformation.quality));
  return { format, data: await write(target, data) };
}

/** Bytes. Larger results would fill the memory of the server. */
const maxSentBytes = 16 * 1024 * 1024;

/** A full disk only prevents caching: the finished variant is still sent. */
async function write(target: string, data: Uint8Array): Promise<Uint8Array | undefined> {
  try {
    await writeFile(target, data);
    return undefined;
  } catch (error) {
    await rm(target, { force: true }).catch(() => undefined);
    if (data.byteLength > maxSentBytes) throw diskFullOr(error);
    return data;
  }
}

const animatedFormats: ReadonlySet<RasterFormat> = new Set<RasterFormat>(['gif', 'webp']);

/** `cover` keeps the requested proportions for smaller images; the library would change them. */
function sizeOf({ width, height }: RasterImage, { fit, ...requested }: Transformation) {
  if (fit === 'inside' || requested.width === undefined || requested.height === undefined) {
    return {
      ...(requested.width === undefined ? {} : { width: requested.width }),
      ...(requested.height === undefined ? {} : { height: requested.height }),
      fit: 'inside',
      withoutEnlargement: true,
    } as const;
  }
  const scale = Math.min(1, width / requested.width, height / requested.height);
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { width: scaled(requested.width), height: scaled(requested.height), fit: 'cover' } as const;
}

function encode(image: Sharp, format: RasterFormat, quality: number | undefined): Sharp {
  const options = quality === undefined ? {} : { quality };
  switch (format) {
    case 'jpeg':
      // Transparent pixels would become black.
      return image.flatten({ background: '#fff' }).jpeg(options);
    case 'avif':
      // More effort takes several times as long for a few percent, while a client waits.
      return image.avif({ ...options, effort: 2 });
    case 'gif':
      return image.gif();
    case 'png':
    case 'webp':
    case 'tiff':
      return image[format](options);
  }
}
