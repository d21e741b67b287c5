/** The values that lists are searched by, in the memory of a reader. Searching ten thousand rows takes a database milliseconds; reading their values takes a few times as
 *  long, and searching these a fraction. So they are read when searches have taken as much time as reading them will, and after a write only if they have
 *  paid before. */
import { LRUCache } from 'lru-cache';
import type { HeldValues } from './held-values.ts';
import { isSameState, type ListState } from './list-state.ts';

export interface Held {
  readonly values: HeldValues;
  /** The state that they were read from. */
  readonly state: ListState;
}

interface List {
  held: Held | undefined;
  /** A read is reading the values. */
  isBeingRead: boolean;
  /** Milliseconds that a search by the database takes. */
  searchTime: number;
  /** Milliseconds that reading the values takes. */
  readTime: number;
  wasRead: boolean;
  /** Milliseconds that the values have saved. */
  saved: number;
  /** Milliseconds that searches by the database have taken since the values were read. */
  searched: number;
  /** The values are read when they would have saved so many times the time of reading them. It doubles when a write comes before they have paid. */
  patience: number;
}

/** Until it is known, reading the values is expected to take as long as this many searches. */
const searchesOfRead = 4;
/** The same where the database may find the rows in an index, so that the time of a search says nothing about it. Milliseconds. */
const readTimeBesideIndex = 100;
const mostPatience = 64;
/** Between lists that are read for the first time, at least so many times as long passes as reading the last one took. */
const timeBetweenFirst = 4;
/** Bytes of values in each reading process and thread. */
const mostBytes = 16 * 1024 * 1024;
/** Bytes of the values of one list. */
export const mostBytesOfList = mostBytes / 2;
/** Bytes of a list beside its values and key. */
const bytesOfList = 500;

export class HeldLists {
  /** No list is read for the first time before this time. */
  #nextFirst = 0;
  readonly #lists = new LRUCache<string, List>({
    maxSize: mostBytes,
    sizeCalculation: ({ held }, key) => bytesOfList + 2 * key.length + (held?.values.bytes ?? 0),
  });

  /** Returns the values that are held of a list in this state; those of the last state that was seen, if it is not known. */
  get(key: string, state: ListState | undefined): Held | undefined {
    const held = this.#lists.get(key)?.held;
    return held === undefined || state === undefined || isSameState(held.state, state) ? held : undefined;
  }

  /** Whether it pays to read the values of a list. */
  isDue(key: string): boolean {
    const list = this.#lists.get(key);
    if (list === undefined || list.isBeingRead || (!list.wasRead && performance.now() < this.#nextFirst)) return false;
    return list.saved + list.searched >= list.patience * list.readTime;
  }

  /** Nobody else reads the values until `hold` or `noteFailure`. */
  startReading(key: string): void {
    const list = this.#lists.get(key);
    if (list !== undefined) list.isBeingRead = true;
  }

  /** Notes that the database has searched the list. `mayUseIndex`: `TestedList.mayUseIndex`. */
  noteSearch(key: string, milliseconds: number, mayUseIndex: boolean): void {
    const list = this.#lists.get(key);
    if (list !== undefined) {
      list.searched += milliseconds;
      // One that was slow because the processor was busy may be the last one for a long time.
      list.searchTime = Math.min(milliseconds, (list.searchTime + milliseconds) / 2);
      // The first search of a reader takes longer than others.
      if (!list.wasRead && !mayUseIndex) list.readTime = Math.min(list.readTime, searchesOfRead * milliseconds);
      return;
    }
    const readTime = mayUseIndex ? readTimeBesideIndex : searchesOfRead * milliseconds;
    const times = { searchTime: milliseconds, readTime, saved: 0, searched: milliseconds };
    this.#lists.set(key, { held: undefined, isBeingRead: false, wasRead: false, ...times, patience: 1 });
  }

  /** Notes that the values were searched instead, or a page that they gave was read. Returns the milliseconds that the database would have taken. */
  noteUse(key: string, milliseconds: number): number {
    const list = this.#lists.get(key);
    if (list === undefined) return 0;
    list.saved += Math.max(0, list.searchTime - milliseconds);
    return list.searchTime;
  }

  /** Holds values that were read because it was due. */
  hold(key: string, held: Held, milliseconds: number): void {
    const list = this.#lists.get(key);
    if (list === undefined) return;
    this.#noteReading(list, milliseconds);
    const hasPaid = !list.wasRead || list.saved >= list.readTime;
    const patience = Math.min(mostPatience, Math.max(1, hasPaid ? list.patience / 2 : list.patience * 2));
    const times = { readTime: milliseconds, wasRead: true, saved: 0, searched: 0 };
    this.#lists.set(key, { ...list, ...times, held, isBeingRead: false, patience });
  }

  /** Drops the values that were read in a state: the data has changed since. */
  drop(key: string, state: ListState): void {
    const list = this.#lists.get(key);
    if (list?.held?.state === state) this.#lists.set(key, { ...list, held: undefined });
  }

  /** Notes that reading the values has failed after so many milliseconds, or has found too many, or some that the database compares by other rules. They are
   *  read again when searches have taken many times as long. */
  noteFailure(key: string, milliseconds: number): void {
    const list = this.#lists.get(key);
    if (list === undefined) return;
    this.#noteReading(list, milliseconds);
    const readTime = Math.max(list.readTime, milliseconds);
    this.#lists.set(key, { ...list, readTime, wasRead: true, saved: 0, searched: 0, isBeingRead: false, patience: mostPatience });
  }

  /** Who changes the conditions that the database finds rows by makes another list each time. */
  #noteReading({ wasRead }: List, milliseconds: number): void {
    if (!wasRead) this.#nextFirst = performance.now() + timeBetweenFirst * milliseconds;
  }

  clear(): void {
    this.#lists.clear();
  }
}
