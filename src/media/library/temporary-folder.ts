/** Folders for files on their way in: one for each request, gone with it. */
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { localStorageError } from '../storage/local-errors.ts';

const prefix = 'work-';
/** Other processes may share the folder: what is older than this is nobody's any more. */
const abandonedAfter = 24 * 60 * 60 * 1000;

/** Makes a folder in `workDir`, and removes it with everything in it when `work` is done. Throws 'upload.no-room', and 'upload.storage' where no folder
 *  can be made. */
export async function inTemporaryFolder<T>(workDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeFolder(workDir);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeFolder(workDir: string): Promise<string> {
  try {
    await mkdir(workDir, { recursive: true });
    return await mkdtemp(join(workDir, prefix));
  } catch (error) {
    throw localStorageError(error);
  }
}

/** Where such folders are made: where uploads are received, and beside the files themselves. */
export const temporaryDirsOf = ({ upload, publicDir }: Pick<Config, 'upload' | 'publicDir'>): readonly string[] => [
  ...new Set([upload.workDir, temporaryDirBeside(join(publicDir, 'uploads'))]),
];

/** Of files that come from another disk; the folder for all of them, unless another one is set. */
export const temporaryDirBeside = (uploads: string): string => join(uploads, '.incoming');

/** Folders that processes left which were ended in the middle of an upload. */
export async function abandonedFolders(workDirs: readonly string[], now: number): Promise<readonly string[]> {
  const abandoned: string[] = [];
  for (const workDir of workDirs) {
    const names = await readdir(workDir).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(prefix))) {
      const path = join(workDir, name);
      const found = await stat(path).catch(() => undefined);
      if (found !== undefined && now - found.mtimeMs >= abandonedAfter) abandoned.push(path);
    }
  }
  return abandoned;
}

/** Removes them, and tells how many there were. */
export async function sweepTemporaryFolders(workDirs: readonly string[], now: number): Promise<number> {
  const abandoned = await abandonedFolders(workDirs, now);
  for (const path of abandoned) await rm(path, { recursive: true, force: true });
  return abandoned.length;
}
