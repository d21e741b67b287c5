import { LRUCache } from 'lru-cache';
import { type CacheFigures, Lookups } from '../../observe/figures.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Bindings } from '../compile/types.ts';
import { valuesKey } from './bound-values.ts';
import { HeldLists } from './held-lists.ts';

/** A page of a list in one version of the data. */
export interface KnownPage {
  readonly version: string;
  /** The version of the tables that decide the page and the total, when the request arrived that read them; undefined if it is not known. */
  readonly listVersion: string | undefined;
  /** The row ids, in order. */
  readonly ids: readonly number[];
  /** Undefined if no total was asked for. */
  readonly total: number | undefined;
}

/** At most this many row ids are cached, of eight bytes each; a page counts as some more. */
const cachedIds = 1_000_000;
const overhead = 50;
/** Longer pages are not cached. */
const longestPage = 1000;

/** Caches the ids of pages and the totals of lists, so that a page that is asked for again is read by its ids. No content is cached. Nothing stale is used:
 *  the statement compares the version with that of the rows that it sees (`WholeStatement`).
 *
 *  The version of everything may have changed since, and that of the list's tables not. Then the page is right in the state in which the request asked for that
 *  version, and the statement compares the snapshot of that state with its own. */
export class KnownPages {
  readonly #pages = new LRUCache<string, KnownPage>({
    maxSize: cachedIds,
    sizeCalculation: ({ ids }, key) => overhead + ids.length + key.length,
  });
  /** The values that lists are searched by. */
  readonly held = new HeldLists();
  readonly lookups = new Lookups();
  readonly #names = new WeakMap<Statement, number>();
  #named = 0;
  #lostConnections = 0;

  /** Forgets everything when further connections have broken: a server that has crashed may use its versions again. Returns whether it did. */
  clearAfter(lostConnections: number): boolean {
    if (lostConnections === this.#lostConnections) return false;
    this.#lostConnections = lostConnections;
    this.#pages.clear();
    this.held.clear();
    return true;
  }

  /** Returns the key of a page: its statement, values and position. */
  keyOf(statement: Statement, { key, values, pagination }: Bindings): string {
    let name = this.#names.get(statement);
    if (name === undefined) {
      this.#named++;
      name = this.#named;
      this.#names.set(statement, name);
    }
    const page = pagination.kind === 'none' ? '' : `${pagination.offset} ${pagination.limit}`;
    return `${name} ${page} ${key ?? ''}${values.length === 0 ? '' : valuesKey(values)}`;
  }

  figures(): CacheFigures {
    const { hits, misses } = this.lookups;
    return { hits, misses, entries: this.#pages.size, bytes: undefined };
  }

  get(key: string): KnownPage | undefined {
    return this.#pages.get(key);
  }

  set(key: string, page: KnownPage): void {
    if (page.ids.length <= longestPage) this.#pages.set(key, page);
  }
}
