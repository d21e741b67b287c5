/** How images are opened, in a process for images: nothing about a file is believed. */
import { readFile, stat } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { ApiError } from '../../errors/api-error.ts';
import type { RasterFormat } from './images.ts';

/** Everything else that libvips can read is for trusted files: its other formats are rarely looked at by those who search for holes. SVG is read
 *  from memory alone: without an address of its own it cannot refer to files. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Tiff', 'Nsgif', 'Heif', 'SvgBuffer'];
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) });
// Each process has one job at a time, and files are seen once.
sharp.concurrency(1);
sharp.cache(false);

const rasterFormats: ReadonlySet<string> = new Set<RasterFormat>(['jpeg', 'png', 'webp', 'tiff', 'gif', 'avif']);

export interface RasterImage {
  readonly path: string;
  readonly format: RasterFormat;
  readonly pixels: number;
  /** Has frames; or pages, as a TIFF has them, that can be decoded together. */
  readonly isAnimated: boolean;
  /** Has pages that are not decoded with the first one. */
  readonly isPartial: boolean;
  /** Whether the EXIF orientation counts. */
  readonly turns: boolean;
  /** Of one frame, as it is shown: turned by the EXIF orientation where that counts. */
  readonly width: number;
  readonly height: number;
  /** Whether the pixels lie otherwise than they are shown. */
  readonly isTurned: boolean;
}

export interface VectorImage {
  readonly format: 'svg';
  readonly width: number;
  readonly height: number;
}

/** Looks at the header. Undefined for a file that is no image, or of no kind that is read. Throws 'image.too-large'. */
export async function openImage(path: string, pixels: number, turns = true): Promise<RasterImage | VectorImage | undefined> {
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
  const isTurned = turns && orientation > 1 && !isAnimated;
  const shown = isTurned ? metadata.autoOrient : { width, height };
  return { path, format, pixels, isAnimated, isPartial, turns, isTurned, width: shown.width, height: shown.height };
}

/** Pages of other sizes than the first one cannot be decoded with it, nor can more than fit into the limit. */
const hasEqualPages = (path: string, pixels: number): Promise<boolean> =>
  sharp(path, { limitInputPixels: pixels, animated: true })
    .metadata()
    .then(
      () => true,
      () => false,
    );

/** The pixels, upright: re-encoding loses the EXIF orientation, so they are turned first. `stillFrame`: the first frame of an animation. */
export const decoded = ({ path, pixels, isAnimated, turns }: RasterImage, stillFrame = false): Sharp => {
  const animated = isAnimated && !stillFrame;
  return sharp(path, { limitInputPixels: pixels, failOn: 'warning', animated, autoOrient: turns && !animated });
};

/** More is not parsed just to learn its dimensions. */
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
