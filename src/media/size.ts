/** Sizes as Strapi writes them: units of 1000. */
import { ApiError } from '../errors/api-error.ts';

/** Two decimals. */
export const kilobytes = (bytes: number): number => Math.round(bytes / 10) / 100;

const units = ['Bytes', 'KB', 'MB', 'GB', 'TB'];

export function readableSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${Math.round(bytes / 1000 ** power)} ${units[power]}`;
}

export const tooLarge = (name: string, limit: number): ApiError => ApiError.of('upload.too-large', { name, limit: readableSize(limit) });
