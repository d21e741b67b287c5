/** Files into the storage, all or none. What cannot be cleared away when something failed is found by `lectern media check`; the caller is told
 *  what failed first. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '../../errors/api-error.ts';
import { diskFullOr } from '../storage/disk-full.ts';
import type { Storage, StorageKey } from '../storage/storage.ts';
import type { PutFile } from './prepare-file.ts';

/** Puts files under keys that nobody has, then does `work`; when one of both fails, everything that was put is removed again. */
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
  /** Keys of the file as it is. */
  readonly keys: readonly StorageKey[];
  readonly mediaType: string;
  /** Whether an error says that there is nothing to bring back. */
  isGone(error: unknown): boolean;
}

/** Puts files in the place of those of `old`, then does `work`, and removes what is left of the old ones. When something fails, the old bytes come
 *  back from copies in `folder`. */
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
      // Another process has deleted it since it was found: there is nothing to bring back.
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
  const kept = new Set(begun);
  await removeFiles(
    old.keys.filter((key) => !kept.has(key)),
    storage,
  );
}

/** Removes what no row names any more. The rows are written already, so that a failure is told as one that nobody can try again. */
export async function removeFiles(keys: readonly StorageKey[], storage: Storage): Promise<void> {
  try {
    await storage.remove(keys);
  } catch (error) {
    const cause = error instanceof ApiError ? error.problem : String(error);
    throw ApiError.causedBy(new Error(`${keys.join(', ')}: ${cause}`), 'upload.bytes-left', undefined);
  }
}
