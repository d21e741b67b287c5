import { LRUCache } from 'lru-cache';
import { type CacheFigures, Lookups } from '../observe/figures.ts';

interface Entry<V> {
  readonly value: V;
  readonly until: number;
}

export interface IdentityCacheOptions {
  readonly maxCharacters: number;
  /** How long an entry lives where the version of the data is unknown; with 0, nothing is cached
   *  and no look-up is shared then. */
  readonly unversionedMilliseconds: number;
}

/** Caches look-ups until data may have changed: exactly, if the version of the data is known,
 *  otherwise for some time. Bounded by the characters of its keys: callers choose them
 *  (tokens), and made-up ones must not fill the memory. */
export class IdentityCache<V extends object> {
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #pending = new Map<string, Promise<V | undefined>>();
  readonly #unversionedMilliseconds: number;
  readonly #lookups = new Lookups();
  #seen: string | undefined;
  #generation = 0;

  constructor({ maxCharacters, unversionedMilliseconds }: IdentityCacheOptions) {
    this.#unversionedMilliseconds = unversionedMilliseconds;
    this.#entries = new LRUCache({ maxSize: maxCharacters, sizeCalculation: (_, key) => key.length + 200 });
  }

  figures(): CacheFigures {
    const { hits, misses } = this.#lookups;
    return { hits, misses, entries: this.#entries.size, bytes: 2 * this.#entries.calculatedSize };
  }

  /** The cached value at once, or a promise of the result of `load`. A missing value is not cached:
   *  an unknown key costs a look-up, never memory. `version` is that of the tables that `load`
   *  reads, when the request arrived. */
  get(key: string, version: string | undefined, load: () => Promise<V | undefined>): V | Promise<V | undefined> {
    if (version !== this.#seen) {
      this.#entries.clear();
      this.#pending.clear();
      this.#seen = version;
    }
    const cached = this.#cached(key, version);
    this.#lookups.note(cached !== undefined);
    if (cached !== undefined) return cached;
    // A look-up that began before this request may lack a change of another process.
    if (version === undefined && this.#unversionedMilliseconds === 0) return load();
    return this.#pending.get(key) ?? this.#load(key, version, load);
  }

  #cached(key: string, version: string | undefined): V | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && (version !== undefined || performance.now() < entry.until) ? entry.value : undefined;
  }

  /** For changes by this process that the version does not show. */
  forget(): void {
    this.#entries.clear();
    this.#pending.clear();
    this.#generation++;
  }

  #load(key: string, version: string | undefined, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const until = performance.now() + this.#unversionedMilliseconds;
    const generation = this.#generation;
    const pending = load()
      .then((value) => {
        // A value that was read before a change must not outlive it.
        if (value !== undefined && version === this.#seen && generation === this.#generation) this.#entries.set(key, { value, until });
        return value;
      })
      .finally(() => {
        if (this.#pending.get(key) === pending) this.#pending.delete(key);
      });
    this.#pending.set(key, pending);
    return pending;
  }
}
