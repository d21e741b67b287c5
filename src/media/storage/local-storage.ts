/** Files in `uploads/` of the public folder. */

import { createReadStream } from 'node:fs';
import { copyFile, mkdir, open, opendir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../errors/system-error.ts';
import { inTemporaryFolder, temporaryDirBeside } from '../library/temporary-folder.ts';
import { localStorageError } from './disk-full.ts';
import { localFolderProblem } from './local-folder-problem.ts';
import { isStorageKey, type Storage, type StorageKey } from './storage.ts';

const prefix = '/uploads/';

export function createLocalStorage(folder: string): Storage {
  const pathOf = (key: StorageKey) => {
    if (!isStorageKey(key)) throw new Error(`${JSON.stringify(key)} is not the key of a file`);
    return join(folder, key);
  };
  return {
    provider: 'local',
    isPrivate: false,
    temporaryUrl: async () => undefined,
    problem: (use) => localFolderProblem(folder, use),
    urlOf: (key) => prefix + key,
    keyOf(url) {
      const key = url.startsWith(prefix) ? url.slice(prefix.length) : '';
      return isStorageKey(key) ? key : undefined;
    },
    async put(key, path) {
      const target = pathOf(key);
      try {
        await mkdir(folder, { recursive: true });
        // As old as its row: `checkMedia` assumes that a recent file may still get its row.
        const now = new Date();
        await utimes(path, now, now);
        await written(path);
        await rename(path, target);
      } catch (error) {
        if (codeOf(error) !== 'EXDEV') throw localStorageError(error);
        // The temporary folder is on another disk: copied first, so that no reader sees a part.
        await inTemporaryFolder(temporaryDirBeside(folder), async (beside) => {
          const copy = join(beside, 'copy');
          await copyFile(path, copy);
          await written(copy);
          await rename(copy, target);
        }).catch((failure: unknown) => {
          throw localStorageError(failure);
        });
      }
      await written(dirname(target));
    },
    async open(key) {
      const path = pathOf(key);
      const found = await stat(path).catch(() => undefined);
      if (found?.isFile() !== true) return undefined;
      return { size: found.size, modified: found.mtime, stream: () => createReadStream(path) };
    },
    async remove(keys) {
      await Promise.all(keys.map((key) => rm(pathOf(key), { force: true }))).catch((error: unknown) => {
        throw localStorageError(error);
      });
    },
    async *list() {
      const entries = await opendir(folder).catch(() => undefined);
      if (entries === undefined) return;
      for await (const entry of entries) {
        if (!entry.isFile() || !isStorageKey(entry.name)) continue;
        const found = await stat(join(folder, entry.name)).catch(() => undefined);
        if (found !== undefined) yield { key: entry.name, size: found.size, modified: found.mtime };
      }
    },
  };
}

/** Flushed to the disk: the row that names the file survives a power cut too. */
async function written(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
