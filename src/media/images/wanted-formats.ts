/** The variants that an image must have by Strapi's rules. */

/** Bounds of the thumbnail in pixels. */
const thumbnail = { width: 245, height: 156 };

/** Media types that Strapi resizes. */
const resized: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/tiff', 'image/gif']);

export interface Measured {
  readonly mime: string;
  /** Pixels; null for files that are not images. */
  readonly width: number | null;
  readonly height: number | null;
}

/** A variant, and the box that it has to fit into. */
export interface WantedFormat {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** `breakpoints` are the active ones: none when the settings of the media library have them off. */
export function wantedFormats({ mime, width, height }: Measured, breakpoints: Readonly<Record<string, number>>): readonly WantedFormat[] {
  if (width === null || height === null || !resized.has(mime)) return [];
  const longerSide = Math.max(width, height);
  return [
    ...(width > thumbnail.width || height > thumbnail.height ? [{ name: 'thumbnail', ...thumbnail }] : []),
    ...Object.entries(breakpoints).flatMap(([name, side]) => (longerSide > side ? [{ name, width: side, height: side }] : [])),
  ];
}
