/** Puts several files into the storage, all or none. The caller gets the first error. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '../../errors/api-error.ts';
import { diskFullOr } from '../storage/disk-full.ts';
import type { Storage, StorageKey } from '../storage/storage.ts';
import type { PutFile } from './prepare-file.ts';

/** Puts files under unused keys, then does `work`. When either fails, removes these files. */
export async function withFilesPut<T>(puts: readonly PutFile[], storage: Storage, work: () => Promise<T>): Promise<T> {
  const begun: StorageKey[] = [];
  try {
    for (const { key, path, mediaType } of puts) {
      begun.push(key);
      await storage.put(key, path, mediaType);
    }
    return await work();
  } catch (error) {
    await storage.remove(begun).catch(() => undefined);
    throw error;
  }
}

export interface ReplacedFiles {
  /** Keys of the current file and its variants. */
  readonly keys: readonly StorageKey[];
  readonly mediaType: string;
  /** Whether an error means that there is nothing to restore. */
  isGone(error: unknown): boolean;
}

/** Puts files in the place of those of `old`, does `work`, and removes what remains of the old
 *  ones. After a failure, restores the old bytes from copies in `folder`. */
export async function withFilesReplaced(
  puts: readonly PutFile[],
  old: ReplacedFiles,
  { storage, folder }: { readonly storage: Storage; readonly folder: string },
  work: () => Promise<void>,
): Promise<void> {
  const copies = new Map<StorageKey, string>();
  for (const { key } of puts) {
    const stored = await storage.open(key);
    if (stored === undefined) continue;
    const path = join(folder, `replaced-${copies.size}`);
    try {
      await pipeline(stored.stream(), createWriteStream(path));
      copies.set(key, path);
    } catch (error) {
      // Another process has deleted it in the meantime, so there is nothing to restore.
      if ((await storage.open(key)) !== undefined) throw diskFullOr(error);
    }
  }
  const begun: StorageKey[] = [];
  try {
    for (const { key, path, mediaType } of puts) {
      begun.push(key);
      await storage.put(key, path, mediaType);
    }
    await work();
  } catch (error) {
    for (const key of begun) {
      const copy = old.isGone(error) ? undefined : copies.get(key);
      await (copy === undefined ? storage.remove([key]) : storage.put(key, copy, old.mediaType)).catch(() => undefined);
    }
    throw error;
  }
  const replaced = new Set(begun);
  await removeFiles(
    old.keys.filter((key) => !replaced.has(key)),
    storage,
  );
}

/** Removes files that no row names any more. The rows are already written, so a failure is reported
 *  as one that no retry can repair. */
export async function removeFiles(keys: readonly StorageKey[], storage: Storage): Promise<void> {
  try {
    await storage.remove(keys);
  } catch (error) {
    const cause = error instanceof ApiError ? error.problem : String(error);
    throw ApiError.causedBy(new Error(`${keys.join(', ')}: ${cause}`), 'upload.bytes-left', undefined);
  }
}
