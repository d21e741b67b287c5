/** Finished responses, and the totals of lists. Each is valid until a write touches a row that it
 *  shows, or a column or table that decides which rows there are and in which order. Writes of this
 *  server report the keys of what they touch (`note`); a commit of others ends all responses. */
import { LRUCache } from 'lru-cache';
import type { AskVersion, DataVersion } from '../dialects/database.ts';
import type { Changed } from '../dialects/transaction-changes.ts';
import { type CacheFigures, Lookups } from '../observe/figures.ts';
import type { Outcome } from './call.ts';
import { keySpace, tableKey, unknownRowsKey } from './data-keys.ts';

interface Entry {
  readonly value: Outcome | number;
  /** What it depends on (`data-keys.ts`). */
  readonly keys: ArrayLike<number>;
  readonly reading: Reading;
}

/** The beginning of a read. */
export interface Reading {
  /** The number of the last change before it. */
  readonly change: number;
  /** Milliseconds of `performance.now()`. */
  readonly at: number;
}

type CachedOutcome = Pick<Outcome, 'status' | 'version' | 'digest'> & { readonly body: Uint8Array };

/** What was read for a response, and when. */
export interface ReadFor {
  readonly keys: ArrayLike<number>;
  readonly reading: Reading;
  readonly version: DataVersion | undefined;
}

/** Bytes of an entry without its body, key and `keys`: objects, and places in
 *  maps. Measured: 430 to 560. */
const entryBytes = 600;
/** No response may take more than this part of the cache. */
const maxPart = 1 / 16;

export class ResponseCache {
  readonly #bytes: number;
  /** Milliseconds for which a response may lack commits of others. */
  readonly #lag: number;
  readonly #ask: AskVersion;
  #entries: LRUCache<string, Entry>;
  readonly #lookups = new Lookups();
  /** `DataVersion.epoch` of the entries. */
  #epoch: string | undefined;
  #recent: { readonly version: DataVersion | undefined; readonly askedAt: number } | undefined;
  #asking: Promise<DataVersion | undefined> | undefined;
  /** The number of the last change. */
  #change = 0;
  /** Entries whose reads began before this change are not valid. */
  #first = 0;
  /** The number of the last change of each key. */
  readonly #changes = new Float64Array(keySpace);

  /** Returns undefined if the cache is off. `lag`: milliseconds for which a response may lack
   *  commits of others; 0 if it must have them. */
  static of(bytes: number, lag: number, ask: AskVersion): ResponseCache | undefined {
    return bytes === 0 ? undefined : new ResponseCache(bytes, lag, ask);
  }

  private constructor(bytes: number, lag: number, ask: AskVersion) {
    this.#bytes = bytes;
    this.#lag = lag;
    this.#ask = ask;
    this.#entries = emptyCache(bytes);
  }

  /** Returns the version of the data that a response to a request arriving now may have: at most
   *  `lag` old. `current`: the one when the request arrived, if it was asked for; newer than needed
   *  with a `lag`, where it would end responses that are still valid. */
  version(current: DataVersion | undefined): DataVersion | undefined | Promise<DataVersion | undefined> {
    if (this.#lag === 0) return current ?? this.#ask();
    if (this.#recent !== undefined && performance.now() - this.#recent.askedAt < this.#lag) return this.#recent.version;
    this.#asking ??= this.#askRecent().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** Whether each response has all commits from before its request. */
  get isExact(): boolean {
    return this.#lag === 0;
  }

  figures(): CacheFigures {
    const { hits, misses } = this.#lookups;
    return { hits, misses, entries: this.#entries.size, bytes: this.#entries.calculatedSize };
  }

  /** Notes what a commit of this server has changed, before anybody learns of the commit. */
  note({ keys, tables }: Changed): void {
    this.#change++;
    if (tables === undefined) {
      this.#clear();
      return;
    }
    for (const key of keys) this.#changes[key] = this.#change;
    for (const table of tables) {
      this.#changes[tableKey(table)] = this.#change;
      this.#changes[unknownRowsKey(table)] = this.#change;
    }
  }

  /** Must be called before the read whose response will be added. */
  begin(): Reading {
    return { change: this.#change, at: performance.now() };
  }

  get(key: string, version: DataVersion | undefined): Outcome | undefined {
    if (version !== undefined && version.epoch !== this.#epoch) {
      this.#clear();
      this.#epoch = version.epoch;
    }
    const value = this.#valid(key, version);
    this.#lookups.note(value !== undefined);
    return value as Outcome | undefined;
  }

  /** Returns the total with this key, which begins with SQL and so is no key of a response. Must be
   *  called after `get`, which looks at the version. */
  total(key: string, version: DataVersion | undefined): number | undefined {
    return this.#valid(key, version) as number | undefined;
  }

  /** Caches the result of a read, unless what it depends on has changed since it began. `version`:
   *  that of the data when it began. */
  add(key: string, outcome: CachedOutcome, read: ReadFor): void {
    const { status, body, version: rowVersion, digest } = outcome;
    const value = { status, body, version: rowVersion, digest, timings: [], statements: 0, isCached: true };
    this.#add(key, value, body.length, read);
  }

  /** The same for a total. */
  addTotal(key: string, total: number, read: ReadFor): void {
    this.#add(key, total, 0, read);
  }

  #add(key: string, value: Entry['value'], bytes: number, { keys, reading, version }: ReadFor): void {
    // Either nobody knows the version, or others have committed since.
    if (version === undefined ? this.#lag === 0 : version.epoch !== this.#epoch) return;
    const size = bytes + 2 * key.length + 4 * keys.length + entryBytes;
    if (size > this.#bytes * maxPart) return;
    const entry = { value, keys, reading };
    if (this.#isValid(entry)) this.#entries.set(key, entry, { size });
  }

  #valid(key: string, version: DataVersion | undefined): Entry['value'] | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#isValid(entry) && (version !== undefined || this.#isRecent(entry))) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  #isValid({ keys, reading: { change } }: Entry): boolean {
    if (change < this.#first) return false;
    for (let index = 0; index < keys.length; index++) if ((this.#changes[keys[index] ?? 0] ?? 0) > change) return false;
    return true;
  }

  /** Where the version is unknown, a response is valid for this time only. */
  #isRecent({ reading: { at } }: Entry): boolean {
    return performance.now() - at < this.#lag;
  }

  /** Replaces the cache by an empty one: removing thousands of entries would take milliseconds. */
  #clear(): void {
    if (this.#entries.size > 0) this.#entries = emptyCache(this.#bytes);
    this.#change++;
    this.#first = this.#change;
  }

  async #askRecent(): Promise<DataVersion | undefined> {
    const askedAt = performance.now();
    const version = await this.#ask();
    this.#recent = { version, askedAt };
    return version;
  }
}

const emptyCache = (bytes: number) => new LRUCache<string, Entry>({ maxSize: bytes });
