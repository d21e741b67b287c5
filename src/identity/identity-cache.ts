import { LRUCache } from 'lru-cache';

/** How long an entry lives where the engine cannot say whether its data has changed: half of the second that is promised, since what one cache
 *  keeps may have been made of what another one had kept (the rights of a user, of those of the role). */
const unversionedMilliseconds = 500;

interface Entry<V> {
  readonly value: V;
  readonly until: number;
}

/** Keeps what was looked up until data may have changed: exactly, by the version of the database, or for half a second where the engine has no
 *  version. Bounded by the characters of its keys (which callers choose: tokens), so that made-up ones cannot fill the memory. */
export class IdentityCache<V extends object> {
  readonly #version: () => number | null;
  readonly #entries: LRUCache<string, Entry<V>>;
  readonly #pending = new Map<string, Promise<V | undefined>>();
  #seen: number | null = null;
  #generation = 0;

  constructor(options: { readonly version: () => number | null; readonly maxCharacters: number }) {
    this.#version = options.version;
    this.#entries = new LRUCache({ maxSize: options.maxCharacters, sizeCalculation: (_, key) => key.length + 200 });
  }

  /** The kept value at once, or a promise of what `load` finds. Nothing found is not kept: unknown keys cost a look-up each, never memory. */
  get(key: string, load: () => Promise<V | undefined>): V | Promise<V | undefined> {
    const version = this.#version();
    if (version !== this.#seen) {
      this.#entries.clear();
      this.#pending.clear();
      this.#seen = version;
    }
    const entry = this.#entries.get(key);
    if (entry !== undefined && (version !== null || performance.now() < entry.until)) return entry.value;
    return this.#pending.get(key) ?? this.#load(key, version, load);
  }

  /** For a change that this process has made and the version does not tell of. */
  forget(): void {
    this.#entries.clear();
    this.#pending.clear();
    this.#generation++;
  }

  #load(key: string, version: number | null, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const until = performance.now() + unversionedMilliseconds;
    const generation = this.#generation;
    const pending = load()
      .then((value) => {
        // What was read before a change must not outlive it.
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
