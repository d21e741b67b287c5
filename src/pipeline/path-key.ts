import { ApiError } from '../errors/api-error.ts';
import type { ReadCall } from './call.ts';

/** The value that the path of one document is compared with; undefined for other reads. Throws
 *  `document.not-found` for a text that names none. */
export function pathKey({ target }: ReadCall): string | number | undefined {
  if (target.kind !== 'one') return undefined;
  if (target.by === 'documentId') {
    // No documentId contains a NUL, and PostgreSQL does not accept one in a parameter.
    if (target.key.includes('\0')) throw ApiError.of('document.not-found');
    return target.key;
  }
  const id = Number(target.key);
  if (!/^\d+$/.test(target.key) || !Number.isSafeInteger(id)) throw ApiError.of('document.not-found');
  return id;
}
