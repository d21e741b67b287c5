/** What is asked of the image library. It runs in processes of its own, so that no image can take the server with it. */
import type { StorageKey } from '../storage/storage.ts';

/** The settings of Strapi's media library (`plugin_upload_settings`). */
export interface ImageSettings {
  /** Re-encodes with quality 80. */
  readonly sizeOptimization: boolean;
  /** Makes a variant for each breakpoint. */
  readonly responsiveDimensions: boolean;
  /** Turns the pixels by the EXIF orientation, even where the file gets larger by it; `turnImages` does it where it does not. */
  readonly autoOrientation: boolean;
}

/** The policies of these names. */
export interface ImageRules {
  /** The orientation counts whatever `autoOrientation` says. */
  readonly turnImages: boolean;
  /** An image that another encoding does not make smaller is kept as it was sent. */
  readonly keepSmallerOriginals: boolean;
  /** AVIF images are measured, and not taken for files that are no image. */
  readonly measureAvif: boolean;
}

/** A file that was made in the folder for work. */
export interface MadeImage {
  readonly path: string;
  readonly width: number;
  readonly height: number;
  /** Bytes. */
  readonly size: number;
}

export interface DerivedImage {
  /** Pixels, as the image is shown: of `optimized` where there is one. */
  readonly width: number;
  readonly height: number;
  /** Another encoding of the same image; undefined where the file itself is kept. */
  readonly optimized: MadeImage | undefined;
  /** Variants in the order in which a row lists them: `thumbnail`, then the breakpoints from the largest on. */
  readonly formats: readonly (MadeImage & { readonly name: string })[];
}

/** What is decoded, and re-encoded. */
export type RasterFormat = ImageFormat | 'tiff' | 'gif';

export type ImageFormat = 'webp' | 'avif' | 'jpeg' | 'png';

/** A variant that a URL asks for. */
export interface Transformation {
  readonly width: number | undefined;
  readonly height: number | undefined;
  /** `inside`: as large as fits into width × height. `cover`: exactly width × height, the middle of the image. */
  readonly fit: 'inside' | 'cover';
  /** Undefined: the format of the original. */
  readonly format: ImageFormat | undefined;
  /** 1 to 100; undefined for the library's default. */
  readonly quality: number | undefined;
}

export interface TransformedImage {
  /** The one asked for, or that of the original; `tiff` and `gif` too. */
  readonly format: RasterFormat;
  /** The bytes, where they could not be written to `target` and are few enough to be handed over; otherwise undefined. */
  readonly data: Uint8Array | undefined;
}

export interface Images {
  /** The dimensions of a file and everything an upload makes of it, written into `folder`; undefined for a file that is no image, or one of a kind
   *  that is only kept (SVG has dimensions and nothing else). Throws `ApiError`: 'image.broken', 'image.too-large' (pixels), 'image.too-slow',
   *  'image.busy' (503), 'upload.no-room' (507). */
  derive(path: string, folder: string, settings: ImageSettings): Promise<DerivedImage | undefined>;
  /** Writes one variant to `target`. An image is never enlarged. Throws as `derive` does, 'image.not-an-image', and 'variant.parameter' for a
   *  format that cannot hold an image of this size. */
  transform(path: string, target: string, transformation: Transformation): Promise<TransformedImage>;
  /** Ends the processes; what they are working on is lost. */
  close(): Promise<void>;
}

/** The key of a variant, as Strapi names it. */
export const formatKey = (name: string, key: StorageKey): StorageKey => `${name}_${key}`;
