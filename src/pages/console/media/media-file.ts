/** Files of the media library, as the API returns them. A restricted right may leave out most of it. */
import { region } from '../words/say.ts';

export interface MediaFile {
  readonly id: number;
  readonly documentId: string;
  readonly name?: string | null;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  readonly focalPoint?: FocalPoint | null;
  readonly width?: number | null;
  readonly height?: number | null;
  readonly formats?: Readonly<Record<string, ImageFormat>> | null;
  readonly ext?: string | null;
  readonly mime?: string;
  /** Kilobytes of 1000 bytes. */
  readonly size?: number;
  readonly url?: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
  readonly isUrlSigned?: boolean;
}

/** Percent of the width and of the height. */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

interface ImageFormat {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

export const kinds = ['images', 'videos', 'audios', 'files'] as const;
export type Kind = (typeof kinds)[number];

export function kindOf(mime = ''): Kind {
  const [kind] = mime.split('/', 1);
  return kind === 'image' || kind === 'video' || kind === 'audio' ? `${kind}s` : 'files';
}

export const isImage = (file: MediaFile): boolean => kindOf(file.mime) === 'images';
export const nameOf = (file: MediaFile): string => file.name || String(file.id);
/** Pictures say what they show to those who do not see them. */
export const lacksText = (file: MediaFile): boolean => isImage(file) && (file.alternativeText ?? '').trim() === '';

/** `PDF`, for files without a picture. */
export function extensionOf(file: MediaFile): string {
  const ext = file.ext?.replace('.', '') || nameOf(file).split('.').at(-1) || '';
  return ext.length > 5 ? '' : ext.toUpperCase();
}

interface Picture {
  readonly url: string;
  readonly width: number | undefined;
  readonly height: number | undefined;
}

/** The small picture of a file; undefined for a file that is none. */
export function thumbnailOf(file: MediaFile): Picture | undefined {
  const { formats, url, width, height } = file;
  const small = formats?.thumbnail ?? formats?.small;
  if (small !== undefined) return { url: fresh(small.url, file), width: small.width, height: small.height };
  if (!isImage(file) || url === undefined) return undefined;
  return { url: fresh(url, file), width: width ?? undefined, height: height ?? undefined };
}

/** A picture that fills a drawer, without the bytes of the original where there is a smaller one. */
export function previewOf(file: MediaFile): string | undefined {
  const smaller = file.formats?.large ?? file.formats?.medium;
  const url = smaller?.url ?? file.url;
  return url === undefined ? undefined : fresh(url, file);
}

/** Browsers keep files for long, and a replaced file has the same URL. Signed URLs cannot have
 *  parameters that were not signed. */
export function fresh(url: string, { updatedAt, isUrlSigned }: MediaFile): string {
  if (isUrlSigned === true || updatedAt === undefined || url.includes('?') || !url.startsWith('/')) return url;
  return `${url}?v=${Date.parse(updatedAt)}`;
}

/** Of a file that can be opened: other programs may have stored any text as its URL. */
export const linkOf = (file: MediaFile): string | undefined =>
  file.url !== undefined && /^(?:https?:\/)?\//.test(file.url) ? fresh(file.url, file) : undefined;

export const absoluteUrl = ({ url = '' }: MediaFile): string => new URL(url, location.href).href;

export function sizeText(kilobytes: number | undefined): string {
  if (kilobytes === undefined) return '';
  const [value, unit] =
    kilobytes < 1 ? [kilobytes * 1000, 'byte'] : kilobytes < 1000 ? [kilobytes, 'kilobyte'] : [kilobytes / 1000, 'megabyte'];
  return new Intl.NumberFormat(region.value, {
    style: 'unit',
    unit: String(unit),
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: Number(value) < 10 ? 1 : 0,
  }).format(Number(value));
}

/** `object-position`, so that a cut picture shows what matters. */
export const positionOf = ({ focalPoint }: MediaFile): string => (focalPoint == null ? '50% 50%' : `${focalPoint.x}% ${focalPoint.y}%`);
