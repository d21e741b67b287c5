/** Re-encodes an uploaded image and makes variants, by Strapi's rules, in an image process. */
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sharp } from 'sharp';
import { diskFullOr } from '../storage/disk-full.ts';
import { encoded, orBrokenImage } from './encode-image.ts';
import type { DeriveJob } from './image-protocol.ts';
import type { DerivedImage, MadeImage, RasterFormat } from './images.ts';
import { decoded, openImage, type RasterImage } from './open-image.ts';
import { wantedFormats } from './wanted-formats.ts';

/** A GIF is not re-encoded, and an AVIF is only measured. */
const optimized: ReadonlySet<RasterFormat> = new Set<RasterFormat>(['jpeg', 'png', 'webp', 'tiff']);

export async function deriveImage({ path, folder, settings, rules, breakpoints, pixels }: DeriveJob): Promise<DerivedImage | undefined> {
  const image = await openImage(path, pixels, rules.turnImages || settings.autoOrientation);
  // Strapi's image library calls the format `heif`, which none of Strapi's lists has.
  if (image === undefined || (image.format === 'avif' && !rules.measureAvif)) return undefined;
  if (image.format === 'svg') return { width: image.width, height: image.height, optimized: undefined, formats: [] };

  const smaller = await optimize(image, join(folder, '.optimized'), settings, rules);
  // Variants are made of the stored file.
  const stored =
    smaller === undefined ? image : { ...image, path: smaller.path, isTurned: false, width: smaller.width, height: smaller.height };
  const { width, height } = stored;
  const wanted = wantedFormats({ mime: `image/${image.format}`, width, height }, settings.responsiveDimensions ? breakpoints : {});
  const formats: (MadeImage & { readonly name: string })[] = [];
  // One after the other: each holds an image in memory.
  for (const { name, ...box } of wanted)
    formats.push({ name, ...(await write(decoded(stored).resize({ ...box, fit: 'inside' }), join(folder, name))) });
  return { width, height, optimized: smaller, formats };
}

/** Decodes the whole image in any case, so that a broken one is found. */
async function optimize(
  image: RasterImage,
  target: string,
  { sizeOptimization, autoOrientation }: DeriveJob['settings'],
  { keepSmallerOriginals }: DeriveJob['rules'],
): Promise<MadeImage | undefined> {
  if (!optimized.has(image.format) || image.isPartial || !(sizeOptimization || autoOrientation)) {
    await orBrokenImage(() => decoded(image).stats());
    return undefined;
  }
  const quality = sizeOptimization ? 80 : 100;
  const made = await write(decoded(image)[image.format]({ quality }), target);
  // Strapi means to compare the sizes here too, but the library gives it no size for files.
  if (!keepSmallerOriginals || (autoOrientation && image.isTurned)) return made;
  const { size } = await stat(image.path);
  return made.size < size ? made : undefined;
}

/** Encodes in memory and then writes, to distinguish errors of the image from those of the disk. */
async function write(image: Sharp, path: string): Promise<MadeImage> {
  const { data, info } = await encoded(image);
  try {
    await writeFile(path, data);
  } catch (error) {
    throw diskFullOr(error);
  }
  return { path, width: info.width, height: info.pageHeight ?? info.height, size: info.size };
}
