/** The interface of the image library, in other processes: an image cannot crash the server. */
import type { Policies } from '../../config/config.ts';
import type { QueueFigures } from '../../observe/figures.ts';
import type { StorageKey } from '../storage/storage.ts';

/** The settings of Strapi's media library (`plugin_upload_settings`). */
export interface ImageSettings {
  /** Re-encodes with quality 80. */
  readonly sizeOptimization: boolean;
  /** Makes a variant for each breakpoint. */
  readonly responsiveDimensions: boolean;
  /** Turns pixels by EXIF orientation even if the file grows; `turnImages` only if it does not. */
  readonly autoOrientation: boolean;
}

export type ImageRules = Pick<Policies, 'turnImages' | 'keepSmallerOriginals' | 'measureAvif'>;

/** A file that was made in the temporary folder. */
export interface MadeImage {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  /** Bytes. */
  readonly size: number;
}

export interface DerivedImage {
  /** Pixels as the image is shown: those of `optimized` where there is one. */
  readonly width: number;
  readonly height: number;
  /** A re-encoding of the same image; undefined when the sent file is stored. */
  readonly optimized: MadeImage | undefined;
  /** Variants in the order of a row: `thumbnail`, then the breakpoints from the largest on. */
  readonly formats: readonly (MadeImage & { readonly name: string })[];
}

/** Formats that are decoded and re-encoded. */
export type RasterFormat = ImageFormat | 'tiff' | 'gif';

export type ImageFormat = 'webp' | 'avif' | 'jpeg' | 'png';

/** A variant that a URL asks for. */
export interface Transformation {
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** `inside`: the largest within width × height. `cover`: exactly that size, from the middle. */
  readonly fit: 'inside' | 'cover';
  /** Undefined: the format of the original. */
  readonly format: ImageFormat | undefined;
  /** 1 to 100; undefined for the library's default. */
  readonly quality: number | undefined;
}

export interface TransformedImage {
  /** The requested format, or that of the original; `tiff` and `gif` too. */
  readonly format: RasterFormat;
  /** The bytes, if they are few enough to be sent and could not be written to `target`. */
  readonly data: Uint8Array | undefined;
}

export interface Images {
  /** Measures an image, re-encodes it and makes its variants in `folder`. Undefined for files that
   *  are not images or are only stored (SVG has only dimensions). Throws `ApiError`:
   *  'image.broken', 'image.too-large' (pixels), 'image.too-slow', 'image.busy' (503),
   *  'upload.no-room' (507). */
  derive(path: string, folder: string, settings: ImageSettings): Promise<DerivedImage | undefined>;
  /** Writes one variant to `target`, never enlarged. Throws the errors of `derive`,
   *  'image.not-an-image', and 'variant.parameter' for a format that cannot have this size. */
  transform(path: string, target: string, transformation: Transformation): Promise<TransformedImage>;
  figures(): QueueFigures;
  /** Ends the processes; unfinished jobs are lost. */
  close(): Promise<void>;
}

/** The key of a variant, as Strapi names it. */
export const formatKey = (name: string, key: StorageKey): StorageKey => `${name}_${key}`;
