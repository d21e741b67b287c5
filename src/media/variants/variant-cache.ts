/** Variants on disk, bounded in bytes: those go that were not asked for the longest time. The folder says everything, so that it outlives the
 *  process, and several processes may share it. */
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

export interface VariantCache {
  /** The path of a kept variant, which is now one that was asked for. */
  find(name: string): Promise<string | undefined>;
  /** A path to write a variant to. */
  draft(): Promise<string>;
  /** Keeps what was written to `draft` under `name`. */
  keep(draft: string, name: string): Promise<string>;
}

/** Nothing else in the folder is touched: it may have been set to one that other things are in. */
const isVariant = /^[0-9a-f]{32}\.(?:webp|avif|jpeg|png|gif|tiff)$/;
const isDraft = /^\.[0-9a-f]{16}\.draft$/;

/** Milliseconds. A variant is asked for again, or a process that is sending it opens it, within the first; a draft is nobody's after the third. */
const untouched = 2000;
const usedAgain = 60_000;
const abandonedAfter = 3_600_000;

/** Share of the bound that may be written between two looks at the folder, and that is made room for at once. */
const slack = 0.1;

export function createVariantCache(folder: string, bytes: number): VariantCache {
  /** Written since the last look at the folder; the first variant of a process looks. */
  let written = Number.POSITIVE_INFINITY;
  let sweeping: Promise<void> | undefined;

  function makeRoom(): void {
    if (written <= bytes * slack || sweeping !== undefined) return;
    written = 0;
    sweeping = sweep(folder, bytes)
      .then((isWithin) => {
        // What is left was asked for a moment ago.
        if (!isWithin) setTimeout(again, untouched).unref();
      })
      // The next variant tries again.
      .catch(() => undefined)
      .finally(() => {
        sweeping = undefined;
      });
  }
  function again(): void {
    written = Number.POSITIVE_INFINITY;
    makeRoom();
  }

  return {
    async find(name) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found === undefined) return undefined;
      const now = Date.now();
      // The time of the last change stays: it is what browsers are told.
      if (now - found.atimeMs > usedAgain) await utimes(path, now / 1000, found.mtime).catch(() => undefined);
      return path;
    },
    async draft() {
      await mkdir(folder, { recursive: true }).catch(() => undefined);
      return join(folder, `.${randomBytes(8).toString('hex')}.draft`);
    },
    async keep(draft, name) {
      const path = join(folder, name);
      const { size } = await stat(draft);
      await rename(draft, path);
      written += onDisk(size);
      makeRoom();
      return path;
    },
  };
}

/** A file takes whole blocks: many small ones are bounded in number by it. */
const block = 4096;
const onDisk = (size: number) => Math.ceil(size / block) * block;

/** Whether the folder is within its bound now. */
async function sweep(folder: string, bytes: number): Promise<boolean> {
  const now = Date.now();
  const kept: { readonly path: string; readonly size: number; readonly used: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = isVariant.test(name) || isDraft.test(name) ? await stat(path).catch(() => undefined) : undefined;
    if (found === undefined) continue;
    if (isVariant.test(name)) kept.push({ path, size: onDisk(found.size), used: Math.max(found.atimeMs, found.mtimeMs) });
    else if (now - found.mtimeMs > abandonedAfter) await rm(path, { force: true });
  }
  let total = kept.reduce((sum, { size }) => sum + size, 0);
  if (total <= bytes * (1 - slack)) return true;
  for (const { path, size, used } of kept.sort((one, other) => one.used - other.used)) {
    if (total <= bytes * (1 - slack) || now - used < untouched) break;
    await rm(path, { force: true });
    total -= size;
  }
  return total <= bytes * (1 - slack);
}
