/** Messages between the server and its image processes. */
import type { ApiErrorData } from '../../errors/api-error.ts';
import type { DerivedImage, ImageRules, ImageSettings, Transformation, TransformedImage } from './images.ts';

export interface DeriveJob {
  readonly kind: 'derive';
  readonly path: string;
  readonly folder: string;
  readonly settings: ImageSettings;
  readonly rules: ImageRules;
  /** Name and longest side in pixels. */
  readonly breakpoints: Readonly<Record<string, number>>;
  /** The maximum number of pixels of all frames together. */
  readonly pixels: number;
}

export interface TransformJob {
  readonly kind: 'transform';
  readonly path: string;
  readonly target: string;
  readonly transformation: Transformation;
  readonly pixels: number;
}

export type ImageJob = DeriveJob | TransformJob;

export type ImageReply =
  | { readonly kind: 'derived'; readonly image: DerivedImage | undefined }
  | { readonly kind: 'transformed'; readonly image: TransformedImage }
  | { readonly kind: 'refused'; readonly error: ApiErrorData }
  /** A bug in this program, or a machine that cannot run the library. */
  | { readonly kind: 'failed'; readonly stack: string };
