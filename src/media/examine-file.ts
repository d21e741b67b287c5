/** What a file that was sent is, and what it will be called. */

import { randomBytes } from 'node:crypto';
import { basename, extname } from 'node:path';
import { extension } from 'mime-types';
import type { Config } from '../config/config.ts';
import type { FileInfo } from './file-info.ts';
import type { IncomingFile } from './incoming-file.ts';
import type { KnownFile } from './prepare-file.ts';

/** Throws `ApiError` 'upload.file-name', 'upload.type', 'upload.content'. */
export async function examineFile(file: IncomingFile, info: FileInfo, config: Pick<Config, 'upload' | 'policies'>): Promise<KnownFile> {
  const mediaType = file.declaredType ?? 'application/octet-stream';
  const ext = extname(file.name) || `.${extension(mediaType)}`;
  const name = info.name || file.name;
  return { file, info, name, ext, hash: `${basename(name, ext)}_${randomBytes(5).toString('hex')}`, mediaType };
}
