/** Gives a complete archive its name. */

import { existsSync } from 'node:fs';
import { link, open, rename } from 'node:fs/promises';
import { StartError } from '../../errors/start-error.ts';
import { codeOf } from '../../errors/system-error.ts';
import type { ArchiveForm } from './archive-options.ts';

export interface Keeping {
  readonly kind: ArchiveForm['kind'];
  /** Whether the archive replaces one that has the name. */
  readonly force: boolean;
  readonly now: Date;
}

/** Moves `archive` to `target`. Throws a `StartError` if another process has taken that name meanwhile. A replaced folder ends beside `archive`, for
 *  the caller to remove. */
export async function keepArchive(archive: string, target: string, { kind, force, now }: Keeping): Promise<void> {
  if (kind === 'folder') {
    if (force && existsSync(target)) return replaceFolder(archive, target, now);
    return rename(archive, target).catch((error: unknown) => {
      throw isTaken(error) ? taken(target) : error;
    });
  }
  const file = await open(archive, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
  if (force) return rename(archive, target);
  try {
    await link(archive, target);
  } catch (error) {
    // Some file systems have no hard links.
    if (isTaken(error) || existsSync(target)) throw taken(target);
    await rename(archive, target);
  }
}

/** No rename replaces a folder that has files. Until the new archive has the name, the former one stays where nothing removes it. */
async function replaceFolder(archive: string, target: string, now: Date): Promise<void> {
  const former = `${target}.before-${now.toISOString().slice(0, 19).replaceAll(':', '')}`;
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

const taken = (target: string) => new StartError([`${target} already exists; --force replaces it.`]);
const isTaken = (error: unknown): boolean => ['EEXIST', 'ENOTEMPTY', 'ENOTDIR'].includes(codeOf(error) ?? '');
