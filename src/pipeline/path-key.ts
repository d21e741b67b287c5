import { ApiError } from '../errors/api-error.ts';
import type { ReadCall } from './call.ts';

/** What the path of one document, or of those related to it, is compared with; undefined for other
 *  reads. Throws `document.not-found` for a text that names none. */
export function pathKey({ target }: ReadCall): string | number | undefined {
  if (target.kind === 'list' && target.relatedTo !== undefined) return documentId(target.relatedTo);
  if (target.kind !== 'one') return undefined;
  if (target.by === 'documentId') return documentId(target.key);
  const id = Number(target.key);
  if (!/^\d+$/.test(target.key) || !Number.isSafeInteger(id)) throw ApiError.of('document.not-found');
  return id;
}

/** No documentId contains a NUL, and PostgreSQL does not accept one in a parameter. */
function documentId(text: string): string {
  if (text.includes('\0')) throw ApiError.of('document.not-found');
  return text;
}
