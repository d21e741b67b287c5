/** Finds what prevents a folder from storing files before the first upload. */

import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '../../errors/system-error.ts';
import type { StorageUse } from './storage.ts';

/** Returns a sentence, or undefined. A missing folder is judged by its nearest existing parent. */
export async function localFolderProblem(folder: string, use: StorageUse): Promise<string | undefined> {
  const reading = use === 'reading';
  try {
    if (!(await stat(folder)).isDirectory()) return `${folder} is no folder`;
    await access(folder, (reading ? constants.R_OK : constants.W_OK) | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return reading || dirname(folder) === folder ? undefined : localFolderProblem(dirname(folder), use);
    return `This process cannot ${reading ? 'read' : 'write to'} the folder ${folder} (${code})`;
  }
}
