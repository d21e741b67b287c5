/** Folders for files on their way in: one for each request, gone with it. */
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { localFailure } from './local-failure.ts';

const prefix = 'work-';
/** Other processes may share the folder: what is older than this is nobody's any more. */
const abandonedAfter = 24 * 60 * 60 * 1000;

/** Makes a folder in `workDir`, and removes it with everything in it when `work` is done. Throws 'upload.no-room', and 'upload.storage' where no folder
 *  can be made. */
export async function inWorkFolder<T>(workDir: string, work: (folder: string) => Promise<T>): Promise<T> {
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
    throw localFailure(error);
  }
}

/** Folders that processes left which were ended in the middle of an upload. */
export async function abandonedWorkFolders(workDir: string, now: number): Promise<readonly string[]> {
  const names = await readdir(workDir).catch(() => []);
  const abandoned: string[] = [];
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    const path = join(workDir, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && now - found.mtimeMs >= abandonedAfter) abandoned.push(path);
  }
  return abandoned;
}

/** Removes them, and tells how many there were. */
export async function sweepWorkFolders(workDir: string, now: number): Promise<number> {
  const abandoned = await abandonedWorkFolders(workDir, now);
  for (const path of abandoned) await rm(path, { recursive: true, force: true });
  return abandoned.length;
}
