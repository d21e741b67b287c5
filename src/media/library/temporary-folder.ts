/** Temporary folders for received files: one for each request, removed when it ends. */
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { localStorageError } from '../storage/disk-full.ts';

const prefix = 'work-';
/** Milliseconds. Other processes may share the folder; anything older than this is abandoned. */
const abandonedAfter = 24 * 60 * 60 * 1000;

/** Creates a folder for `work`, and removes it. Throws 'upload.no-room' and 'upload.storage'. */
export async function inTemporaryFolder<T>(temporaryDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeFolder(temporaryDir);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeFolder(temporaryDir: string): Promise<string> {
  try {
    await mkdir(temporaryDir, { recursive: true });
    return await mkdtemp(join(temporaryDir, prefix));
  } catch (error) {
    throw localStorageError(error);
  }
}

/** Where temporary folders are created: `upload.workDir`, and beside the stored files. */
export const temporaryDirsOf = ({ upload, publicDir }: Pick<Config, 'upload' | 'publicDir'>): readonly string[] => [
  ...new Set([upload.workDir, temporaryDirBeside(join(publicDir, 'uploads'))]),
];

/** For files that come from another disk; also the default for all temporary folders. */
export const temporaryDirBeside = (uploads: string): string => join(uploads, '.incoming');

/** Folders of processes that ended during an upload. */
export async function abandonedFolders(temporaryDirs: readonly string[], now: number): Promise<readonly string[]> {
  const abandoned: string[] = [];
  for (const workDir of temporaryDirs) {
    const names = await readdir(workDir).catch(() => []);
    for (const name of names.filter((each) => each.startsWith(prefix))) {
      const path = join(workDir, name);
      const found = await stat(path).catch(() => undefined);
      if (found !== undefined && now - found.mtimeMs >= abandonedAfter) abandoned.push(path);
    }
  }
  return abandoned;
}

/** Removes them and returns how many there were. */
export async function sweepTemporaryFolders(temporaryDirs: readonly string[], now: number): Promise<number> {
  const abandoned = await abandonedFolders(temporaryDirs, now);
  for (const path of abandoned) await rm(path, { recursive: true, force: true });
  return abandoned.length;
}
