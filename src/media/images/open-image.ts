/** Opens untrusted images. Runs in an image process. */
import { readFile, stat } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { ApiError } from '../../errors/api-error.ts';
import type { RasterFormat } from './images.ts';

/** Other loaders are for trusted files. SVG is read only from memory: without a URL, it cannot
 *  refer to files. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Tiff', 'Nsgif', 'Heif', 'SvgBuffer'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) });
// Each process has one job at a time, and reads each file once.
sharp.concurrency(1);
sharp.cache(false);

const rasterFormats: ReadonlySet<string> = new Set<RasterFormat>(['jpeg', 'png', 'webp', 'tiff', 'gif', 'avif']);

export interface RasterImage {
  readonly path: string;
  readonly format: RasterFormat;
  readonly pixels: number;
  /** Has several frames or, in a TIFF, pages that can be decoded together. */
  readonly isAnimated: boolean;
  /** Has pages that are not decoded with the first one. */
  readonly isPartial: boolean;
  /** Whether the EXIF orientation is applied. */
  readonly appliesOrientation: boolean;
  /** The size of one frame as it is shown: after the EXIF orientation, where it is applied. */
  readonly width: number;
  readonly height: number;
  /** Whether the EXIF orientation changes the order of the stored pixels. */
  readonly isTurned: boolean;
}

export interface VectorImage {
  readonly format: 'svg';
  readonly width: number;
  readonly height: number;
}

/** Reads the header. Undefined for a file of another format, or no image. Throws
 *  'image.too-large'. */
export async function openImage(path: string, pixels: number, appliesOrientation = true): Promise<RasterImage | VectorImage | undefined> {
  const { size } = await stat(path);
  let metadata: Metadata;
  try {
    metadata = await sharp(path, { limitInputPixels: pixels }).metadata();
  } catch (error) {
    if (isPixelLimit(error)) throw tooLarge(pixels);
    return size > vectorBytes ? undefined : openVector(path, pixels);
  }
  const { width, height, orientation = 1, pages = 1 } = metadata;
  const format = metadata.format === 'heif' && metadata.compression === 'av1' ? 'avif' : metadata.format;
  if (!isRaster(format)) return undefined;
  const isMoving = pages > 1 && (format === 'gif' || format === 'webp');
  if (isMoving && width * height * pages > pixels) throw tooLarge(pixels);
  const isAnimated = isMoving || (pages > 1 && format === 'tiff' && (await hasEqualPages(path, pixels)));
  const isPartial = pages > 1 && !isAnimated;
  const isTurned = appliesOrientation && orientation > 1 && !isAnimated;
  const shown = isTurned ? metadata.autoOrient : { width, height };
  return { path, format, pixels, isAnimated, isPartial, appliesOrientation, isTurned, width: shown.width, height: shown.height };
}

/** Pages of other sizes cannot be decoded together, nor more pages than the pixel limit allows. */
const hasEqualPages = (path: string, pixels: number): Promise<boolean> =>
  sharp(path, { limitInputPixels: pixels, animated: true })
    .metadata()
    .then(
      () => true,
      () => false,
    );

/** The decoded pixels, upright, since re-encoding loses the EXIF orientation. `stillFrame`: only
 *  the first frame of an animation. */
export const decoded = ({ path, pixels, isAnimated, appliesOrientation }: RasterImage, stillFrame = false): Sharp => {
  const animated = isAnimated && !stillFrame;
  return sharp(path, { limitInputPixels: pixels, failOn: 'warning', animated, autoOrient: appliesOrientation && !animated });
};

/** Larger SVG files are not parsed just to measure them. */
const vectorBytes = 1024 * 1024;

async function openVector(path: string, pixels: number): Promise<VectorImage | undefined> {
  try {
    const { format, width, height } = await sharp(await readFile(path), { limitInputPixels: pixels }).metadata();
    return format === 'svg' ? { format, width, height } : undefined;
  } catch {
    return undefined;
  }
}

const isRaster = (format: string): format is RasterFormat => rasterFormats.has(format);

const isPixelLimit = (error: unknown) => error instanceof Error && error.message.includes('pixel limit');

const tooLarge = (pixels: number) => ApiError.of('image.too-large', { limit: pixels });
