import { LRUCache } from 'lru-cache';

/** Facts about a list that are valid until the next write to the database. */
export interface KnownList {
  readonly total: number;
  /** Milliseconds that the first page and the total took, when nothing was known of the list. */
  readonly cost: number;
  /** The total time that pages of the list have taken since the data last changed. Milliseconds. */
  readonly spent: number;
  /** Every row id, in order. Read when the pages have taken as much time as reading the ids will. */
  readonly ids: Float64Array | undefined;
}

/** Caches totals of lists, and the row ids of lists whose pages are read one after another. Counting ten thousand rows takes longer than reading a page
 *  of them, and so does finding the three hundredth page. No content is cached: rows are read by their ids. The database's version, which changes with
 *  every commit of any process, is read inside the snapshot of the rows, so the cache is never out of date. */
export class ListCache {
  readonly #lists = new LRUCache<string, KnownList>({
    maxSize: cachedIds,
    sizeCalculation: ({ ids }, key) => 100 + key.length + (ids?.length ?? 0),
  });
  readonly #version: () => number;
  #seen = Number.NaN;

  constructor(version: () => number) {
    this.#version = version;
  }

  /** Must be called first in a snapshot: removes every list when the data has changed. */
  refresh(): void {
    const version = this.#version();
    if (version === this.#seen) return;
    this.#lists.clear();
    this.#seen = version;
  }

  get(key: string): KnownList | undefined {
    return this.#lists.get(key);
  }

  set(key: string, list: KnownList): void {
    this.#lists.set(key, list);
  }
}

/** At most this many row ids are cached, of eight bytes each, in each reading process. */
const cachedIds = 1_000_000;
/** The approximate time of reading the ids of a list. Milliseconds for each row. */
export const costOfId = 0.0005;
/** Longer lists are only counted; their ids are not cached. */
export const longestList = 50_000;
