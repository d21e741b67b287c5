import { LRUCache } from 'lru-cache';
import type { Bindings } from '../compile/types.ts';
import { HeldLists } from './held-lists.ts';
import { isSameState, type ListState } from './list-state.ts';

/** Facts about a list that are valid until the next write to one of its tables. */
export interface KnownList {
  /** The state that all of these facts hold for. */
  readonly state: ListState;
  readonly total: number;
  /** Milliseconds that the first page and the total took, when nothing was known of the list. */
  readonly cost: number;
  /** The total time that pages of the list have taken since its tables last changed. Milliseconds. */
  readonly spent: number;
  /** Every row id, in order. Read when the pages have taken as much time as reading the ids will. */
  readonly ids: Float64Array | undefined;
  /** How many reads took their page from `ids`. */
  uses: number;
}

/** Reads of a page that make reading all ids worth while. */
const usesThatPay = 2;

/** Caches totals of lists, and the row ids of lists whose pages are read one after another. Counting ten thousand rows takes longer than reading a page
 *  of them, and so does finding the three hundredth page. Its rows are read by their ids, or are in the `RowCache`.
 *
 *  What is known holds in a snapshot of the same state. In another one it is assumed to hold if the version of the tables is the same; then the version has
 *  to be compared again after the read. */
export class ListCache {
  readonly #lists = new LRUCache<string, KnownList>({
    maxSize: cachedIds,
    sizeCalculation: ({ ids }, key) => 100 + key.length + (ids?.length ?? 0),
  });
  /** The values that lists are searched by. */
  readonly held = new HeldLists();
  readonly #seen: () => number;

  /** `seen` returns a number that changes with every commit of any process. It is called in snapshots. */
  constructor(seen: () => number) {
    this.#seen = seen;
  }

  /** Returns the state of the snapshot. */
  state(version: string | undefined): ListState {
    return { seen: this.#seen(), version };
  }

  get(key: string, state: ListState): KnownList | undefined {
    const known = this.#lists.get(key);
    return known !== undefined && isSameState(known.state, state) ? known : undefined;
  }

  /** Returns what was known of a list before its tables changed, if its ids were used often enough to be read at once in the new state. A list that is read all
   *  the time would otherwise be found anew for the page, the total and the ids after each write. */
  usedBefore(key: string): KnownList | undefined {
    const former = this.#lists.peek(key);
    return former?.ids !== undefined && former.uses >= usesThatPay ? former : undefined;
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

/** Returns the total of a list that ends with a page of so many rows; undefined if there may be more rows, if the page is behind the end,
 *  or if no total was asked for. */
export function totalOfPage(rows: number, pagination: Bindings['pagination']): number | undefined {
  if (pagination.kind === 'none' || !pagination.withCount) return undefined;
  const { limit, offset } = pagination;
  return rows < limit && (rows > 0 || offset === 0) ? offset + rows : undefined;
}

/** Returns the ids of a page of the list with these ids. */
export function pageOf(ids: Float64Array, pagination: Bindings['pagination']): number[] {
  if (pagination.kind === 'none') return [...ids];
  return [...ids.subarray(pagination.offset, pagination.offset + pagination.limit)];
}
