/** What a file that was sent is, and what it will be called. */
import type { Config } from '../../config/config.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { mediaTypeOf } from '../types/media-type.ts';
import type { FileInfo } from './file-info.ts';
import { type StoredName, storedName } from './file-name.ts';
import type { IncomingFile } from './incoming-file.ts';

/** A file that was sent, with what was found out about it. */
export interface KnownFile extends StoredName {
  readonly file: IncomingFile;
  readonly info: FileInfo;
  readonly mediaType: string;
}

/** Its type may be refused; that is for the caller to throw. Throws `ApiError` 'upload.file-name'. */
export async function examineFile(
  file: IncomingFile,
  info: FileInfo,
  { upload, policies }: Pick<Config, 'upload' | 'policies'>,
): Promise<KnownFile | { readonly refused: ApiError }> {
  const { allowedTypes, deniedTypes } = upload;
  const verdict = await mediaTypeOf(file, { allowedTypes, deniedTypes, believes: policies.believeMediaTypes });
  if ('refused' in verdict) return verdict;
  const { mediaType } = verdict;
  return { file, info, mediaType, ...(await storedName(file.name, info.name, mediaType)) };
}
