/** The media type and the stored name of a received file. */

import type { Config } from '../../config/config.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { type IncomingFile, mediaTypeOf } from '../types/media-type.ts';
import type { FileInfo } from './file-info.ts';
import { type StoredName, storedName } from './file-name.ts';

/** A received file with its media type and its stored name. */
export interface KnownFile extends StoredName {
  readonly file: IncomingFile;
  readonly info: FileInfo;
  readonly mediaType: string;
}

/** Returns the refusal of a type, so that the caller can decide whether to throw it. Throws `ApiError` 'upload.file-name'. */
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
