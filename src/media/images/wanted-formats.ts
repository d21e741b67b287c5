/** Which variants an image has to have, by Strapi's rules. */

/** Longest sides of the thumbnail. */
const thumbnail = { width: 245, height: 156 };

/** What Strapi makes smaller; other images are kept as they are. */
const resized: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/tiff', 'image/gif']);

export interface Measured {
  readonly mime: string;
  /** Pixels; null for what is no image. */
  readonly width: number | null;
  readonly height: number | null;
}

/** Names of the variants. `breakpoints` are those in use: none where the library's settings have them off. */
export function wantedFormats({ mime, width, height }: Measured, breakpoints: Readonly<Record<string, number>>): readonly string[] {
  if (width === null || height === null || !resized.has(mime)) return [];
  const longest = Math.max(width, height);
  return [
    ...(width > thumbnail.width || height > thumbnail.height ? ['thumbnail'] : []),
    ...Object.entries(breakpoints).flatMap(([name, side]) => (longest > side ? [name] : [])),
  ];
}
