/** Writes an archive under a temporary name, so that it has its name only when complete. */
import { existsSync } from 'node:fs';
import { link, mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Config } from '../config/config.ts';
import { StartError } from '../errors/start-error.ts';
import { codeOf, isDiskFull, isForbidden, processUser } from '../errors/system-error.ts';
import { servedFolderProblem } from './served-folder.ts';

/** Why no archive may be written to the folder of `target`; undefined if one may. */
export async function archiveFolderProblem(config: Config, target: string): Promise<string | undefined> {
  const folder = await stat(dirname(target)).catch(() => undefined);
  return folder?.isDirectory() === true ? servedFolderProblem(config, target) : `There is no folder ${dirname(target)}.`;
}

/** Runs `work` with a temporary folder beside `target`, on the same disk. */
export async function inFolderBeside<T>(target: string, work: (folder: string) => Promise<T>): Promise<T> {
  const beside = dirname(target);
  const folder = await mkdtemp(join(beside, `.${basename(target)}-`)).catch((error: unknown) => {
    if (!isForbidden(error)) throw error;
    throw new StartError([`The archive cannot be created: ${processUser()} may not write in ${beside}.`]);
  });
  try {
    return await work(folder);
  } catch (error) {
    if (isDiskFull(error)) throw new StartError([`No space is left in ${beside}; no archive was written.`]);
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface Keeping {
  readonly kind: 'folder' | 'file';
  /** Whether the archive replaces one that has the name. */
  readonly force: boolean;
  readonly now: Date;
}

/** Moves `archive` to `target`. Throws a `StartError` if another process has taken that name. A
 *  replaced folder ends beside `archive`, for the caller to remove. */
export async function keepArchive(archive: string, target: string, { kind, force, now }: Keeping): Promise<void> {
  if (kind === 'folder') {
    if (force && existsSync(target)) return replaceFolder(archive, target, now);
    return rename(archive, target).catch((error: unknown) => {
      throw isTaken(error) ? taken(target) : error;
    });
  }
  await syncFile(archive);
  if (force) return rename(archive, target);
  try {
    await link(archive, target);
  } catch (error) {
    // Some file systems have no hard links.
    if (isTaken(error) || existsSync(target)) throw taken(target);
    await rename(archive, target);
  }
}

/** Waits until the disk has the content of a file or folder. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The name of what a command has replaced. */
export const formerName = (path: string, now: Date): string => `${path}.before-${now.toISOString().slice(0, 19).replaceAll(':', '')}`;

/** A rename replaces no folder with files. The former archive is kept until the new one is
 *  there. */
async function replaceFolder(archive: string, target: string, now: Date): Promise<void> {
  const former = formerName(target, now);
  await rename(target, former);
  try {
    await rename(archive, target);
  } catch (error) {
    await rename(former, target).catch(() => {
      throw new StartError([`Another process has written ${target}; no archive was written. The former archive is ${former}.`]);
    });
    throw error;
  }
  await rename(former, `${archive}-old`);
}

const taken = (target: string) => new StartError([`${target} already exists and is not overwritten.`]);
const isTaken = (error: unknown): boolean => ['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(codeOf(error) ?? '');
