/** Variants cached on disk, up to a number of bytes; the least recently requested are removed
 *  first. All state is in the folder, which several processes may share. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

export interface VariantCache {
  /** The path of a cached variant, which now counts as recently requested. */
  find(name: string): Promise<string | undefined>;
  /** A path to write a variant to. */
  unfinished(): Promise<string>;
  /** Caches the file at `unfinished` under `name`. */
  store(unfinished: string, name: string): Promise<string>;
}

/** Other files in the folder are not touched: the setting may name a folder with other uses. */
const isVariant = /^[0-9a-f]{32}\.(?:webp|avif|jpeg|png|gif|tiff)$/;
const isUnfinished = /^\.[0-9a-f]{16}\.draft$/;

/** Milliseconds: for opening a variant, for counting it as used, for an unfinished file. */
const untouched = 2000;
const touchAfter = 60_000;
const abandonedAfter = 3_600_000;

/** The share of the bound that may be written between two sweeps, and that one sweep frees. */
const slack = 0.1;

export function createVariantCache(folder: string, bytes: number): VariantCache {
  /** Bytes written since the last sweep; the first variant of a process starts one. */
  let written = Number.POSITIVE_INFINITY;
  let sweeping: Promise<void> | undefined;

  function sweepIfNeeded(): void {
    if (written <= bytes * slack || sweeping !== undefined) return;
    written = 0;
    sweeping = sweep(folder, bytes)
      .then((isWithin) => {
        // All remaining variants were requested a moment ago.
        if (!isWithin) setTimeout(resweep, untouched).unref();
      })
      // The next variant retries.
      .catch(() => undefined)
      .finally(() => {
        sweeping = undefined;
      });
  }
  function resweep(): void {
    written = Number.POSITIVE_INFINITY;
    sweepIfNeeded();
  }

  return {
    async find(name) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found === undefined) return undefined;
      const now = Date.now();
      // The time of the last change stays: it is what browsers get.
      if (now - found.atimeMs > touchAfter) await utimes(path, now / 1000, found.mtime).catch(() => undefined);
      return path;
    },
    async unfinished() {
      await mkdir(folder, { recursive: true }).catch(() => undefined);
      return join(folder, `.${randomBytes(8).toString('hex')}.draft`);
    },
    async store(unfinished, name) {
      const path = join(folder, name);
      const { size } = await stat(unfinished);
      await rename(unfinished, path);
      written += onDisk(size);
      sweepIfNeeded();
      return path;
    },
  };
}

/** A file occupies whole blocks; this bounds the number of small files. */
const block = 4096;
const onDisk = (size: number) => Math.ceil(size / block) * block;

/** Whether the folder is within its bound now. */
async function sweep(folder: string, bytes: number): Promise<boolean> {
  const now = Date.now();
  const variants: { readonly path: string; readonly size: number; readonly used: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = isVariant.test(name) || isUnfinished.test(name) ? await stat(path).catch(() => undefined) : undefined;
    if (found === undefined) continue;
    if (isVariant.test(name)) variants.push({ path, size: onDisk(found.size), used: Math.max(found.atimeMs, found.mtimeMs) });
    else if (now - found.mtimeMs > abandonedAfter) await rm(path, { force: true });
  }
  let total = variants.reduce((sum, { size }) => sum + size, 0);
  if (total <= bytes * (1 - slack)) return true;
  for (const { path, size, used } of variants.sort((one, other) => one.used - other.used)) {
    if (total <= bytes * (1 - slack) || now - used < untouched) break;
    await rm(path, { force: true });
    total -= size;
  }
  return total <= bytes * (1 - slack);
}
