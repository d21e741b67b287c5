import { LRUCache } from 'lru-cache';

/** A list as it is until the next write to the database. */
export interface KnownList {
  readonly total: number;
  /** Milliseconds that pages of the list have taken since the data last changed. */
  readonly spent: number;
  /** Every row id in order; made when the pages have cost as much as the ids will. */
  readonly ids: Float64Array | undefined;
}

/** Totals of lists, and the row ids of lists that are paged through. Counting ten thousand rows costs more than reading a page of them, and so
 *  does finding the three hundredth page; both are the same for every page. No content is cached: rows are read by their ids.
 *  `version` is exact: it changes with every commit of any process, and is read inside the snapshot that the rows come from. */
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

/** Eight bytes each, in each reading process. */
const cachedIds = 1_000_000;
/** What finding the ids of a list costs, roughly, in milliseconds a row. */
export const costOfId = 0.0005;
/** Longer lists are counted only. */
export const longestList = 50_000;
