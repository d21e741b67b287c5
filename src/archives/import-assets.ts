/** Stores the files of an archive. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { isStorageKey, type Storage, type StorageKey } from '../media/storage/storage.ts';
import { mediaTypeOfName } from '../media/types/served-as.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { ArchiveRefused } from './archive-parts.ts';

/** The data of a file's row, with the URLs that its bytes have in this project. */
export type PlaceFile = (data: JsonObject) => JsonObject;

export interface FoundAsset {
  readonly key: StorageKey;
  readonly path: string;
  readonly size: number;
}

/** The files in an unpacked archive. */
export async function findAssets(folder: string): Promise<ReadonlyMap<StorageKey, FoundAsset>> {
  const found = new Map<StorageKey, FoundAsset>();
  const uploads = join(folder, 'assets', 'uploads');
  const entries = await opendir(uploads).catch(() => undefined);
  if (entries === undefined) return found;
  for await (const { name: key } of entries) {
    const path = join(uploads, key);
    const stats = await lstat(path);
    // A link may lead to any file of the machine.
    if (!stats.isFile()) throw new ArchiveRefused([`${path} is not a file.`]);
    if (isStorageKey(key)) found.set(key, { key, path, size: stats.size });
  }
  return found;
}

/** Stores the files and does `work`; if either fails, removes the files that it stored. A file that
 *  is already stored is not written again. */
export async function withAssetsStored<T>(
  assets: Iterable<FoundAsset>,
  {
    storage,
    folder,
    mayMove,
    signal,
    advance,
  }: {
    readonly storage: Storage;
    /** For copies of the files, since the storage moves what it stores. */
    readonly folder: string;
    readonly mayMove: boolean;
    readonly signal: AbortSignal;
    readonly advance: (bytes: number) => void;
  },
  work: () => Promise<T>,
): Promise<T> {
  const begun: StorageKey[] = [];
  try {
    for (const { key, path, size } of assets) {
      signal.throwIfAborted();
      const stored = await storage.open(key);
      if (stored === undefined) {
        begun.push(key);
        const source = mayMove ? path : join(folder, 'copy');
        if (!mayMove) await copyFile(path, source);
        await storage.put(key, source, mediaTypeOfName(key));
      } else if (stored.size !== size || (await hashOf(stored.stream())) !== (await hashOf(createReadStream(path)))) {
        throw new ArchiveRefused([`The storage already has another file with the name ${key}; nothing is overwritten.`]);
      }
      advance(size);
    }
    return await work();
  } catch (error) {
    await storage.remove(begun).catch(() => undefined);
    throw error;
  }
}

async function hashOf(bytes: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

/** Rows whose files are not in the archive keep their URLs, since the files may be in a bucket or
 *  already here. `missing` gets these URLs. */
export function placeFiles(assets: ReadonlyMap<StorageKey, unknown>, storage: Storage, missing: (url: unknown) => void): PlaceFile {
  const placed = (described: JsonObject): JsonObject => {
    const key = `${String(described.hash)}${typeof described.ext === 'string' ? described.ext : ''}`;
    if (!assets.has(key)) {
      missing(described.url);
      return described;
    }
    return { ...described, url: storage.urlOf(key) };
  };
  return (data) => {
    const row = placed(data);
    const formats = isObject(data.formats)
      ? Object.fromEntries(Object.entries(data.formats).map(([name, format]) => [name, isObject(format) ? placed(format) : format]))
      : data.formats;
    return { ...row, formats, ...(row === data ? {} : { provider: storage.provider, provider_metadata: null }) };
  };
}
