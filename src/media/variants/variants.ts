/** Variants that URLs request, from the cache or made on request. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LRUCache } from 'lru-cache';
import type { UploadConfig } from '../../config/config.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ErrorCode } from '../../errors/catalogue/catalogue.ts';
import type { Images, RasterFormat, Transformation } from '../images/images.ts';
import { inTemporaryFolder } from '../library/temporary-folder.ts';
import { diskFullOr } from '../storage/disk-full.ts';
import type { StoredFile } from '../storage/storage.ts';
import { createVariantCache } from './variant-cache.ts';

/** The file that a variant is made of. */
export interface Original extends StoredFile {
  readonly name: string;
  /** Path on this machine; undefined for a file in a bucket. */
  readonly path: string | undefined;
}

export type Variant = { readonly mediaType: string } & (
  | { readonly path: string }
  /** A variant that could not be cached. */
  | { readonly data: Uint8Array; readonly tag: string }
);

export interface Variants {
  /** Equal requests at the same time make one variant. Throws the errors of `Images.transform`. */
  get(original: Original, transformation: Transformation): Promise<Variant>;
}

/** Errors that an image causes at each request. */
const repeatable: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'image.broken',
  'image.too-large',
  'image.too-slow',
  'image.not-an-image',
  'variant.parameter',
]);
/** Milliseconds to cache such an error: detecting it can take as long as making a variant. */
const errorCachedFor = 60_000;

const formats: readonly RasterFormat[] = ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'];

export function createVariants({ cacheDir, cacheBytes, workDir: temporaryDir }: UploadConfig, images: Images): Variants {
  const cache = createVariantCache(cacheDir, cacheBytes);
  const underWay = new Map<string, Promise<Variant>>();
  const cachedErrors = new LRUCache<string, ApiError>({ max: 1000, ttl: errorCachedFor });

  async function find(tag: string, candidates: readonly RasterFormat[]): Promise<Variant | undefined> {
    for (const format of candidates) {
      const path = await cache.find(`${tag}.${format}`);
      if (path !== undefined) return { path, mediaType: `image/${format}` };
    }
    return undefined;
  }

  async function make(tag: string, original: Original, transformation: Transformation): Promise<Variant> {
    const unfinished = await cache.unfinished();
    const { format, data } = await onThisMachine(original, temporaryDir, (path) => images.transform(path, unfinished, transformation));
    const mediaType = `image/${format}`;
    return data === undefined ? { path: await cache.store(unfinished, `${tag}.${format}`), mediaType } : { data, tag, mediaType };
  }

  return {
    async get(original, transformation) {
      const tag = tagOf(original, transformation);
      const { format } = transformation;
      const cached = await find(tag, format === undefined ? likeliestFirst(original.name) : [format]);
      if (cached !== undefined) return cached;
      const cachedError = cachedErrors.get(tag);
      if (cachedError !== undefined) throw cachedError;
      const running = underWay.get(tag) ?? make(tag, original, transformation).finally(() => underWay.delete(tag));
      underWay.set(tag, running);
      try {
        return await running;
      } catch (error) {
        if (error instanceof ApiError && repeatable.has(error.code)) cachedErrors.set(tag, error);
        throw error;
      }
    },
  };
}

/** A replaced file has other variants under the same name. */
function tagOf({ name, size, modified }: Original, { width, height, fit, format, quality }: Transformation): string {
  const text = JSON.stringify([name, size, modified.getTime(), width, height, fit, format, quality]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

function likeliestFirst(name: string): readonly RasterFormat[] {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase().replace(/^jpg$/, 'jpeg').replace(/^tif$/, 'tiff');
  return formats.toSorted((one, other) => Number(other === extension) - Number(one === extension));
}

function onThisMachine<T>(original: Original, workDir: string, work: (path: string) => Promise<T>): Promise<T> {
  if (original.path !== undefined) return work(original.path);
  return inTemporaryFolder(workDir, async (folder) => {
    const path = join(folder, 'original');
    try {
      await pipeline(original.stream(), createWriteStream(path));
    } catch (error) {
      throw diskFullOr(error);
    }
    return work(path);
  });
}
