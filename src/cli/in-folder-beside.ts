import { mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { processUser } from '../config/database-file.ts';
import { StartError } from '../errors/start-error.ts';
import { isForbidden } from '../errors/system-error.ts';

/** Writes an archive in a temporary folder beside it: `work` moves the archive when it is complete, so an incomplete one never has the requested name. */
export async function inFolderBeside<T>(target: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(dirname(target), `.${basename(target)}-`)).catch((error: unknown) => {
    if (!isForbidden(error)) throw error;
    throw new StartError([`The archive cannot be created: ${processUser()} may not write in ${dirname(target)}.`]);
  });
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
