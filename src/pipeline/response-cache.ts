/** Finished responses, by everything that they depend on. They are valid for one version of the tables that they were read from. Every request asks for
 *  the version of the data when it arrives: whatever was committed before a request is in its response, whichever process committed it. */
import { LRUCache } from 'lru-cache';
import type { Config } from '../config/config.ts';
import type { AskVersion, DataVersion } from '../dialects/dialect.ts';
import { type CacheFigures, Lookups } from '../observe/figures.ts';
import type { Outcome } from './call.ts';

interface Entry {
  readonly outcome: Outcome;
  /** The tables that were read. */
  readonly tables: readonly string[];
  /** The version of these tables when the read began, if it was known. The rows are from this version or a later one. */
  readonly version: string | undefined;
  /** When the read began, in milliseconds of `performance.now()`. */
  readonly readAt: number;
}

/** What was read for a response, and when. */
export interface ReadFor {
  readonly tables: readonly string[];
  readonly version: DataVersion | undefined;
  readonly readAt: number;
}

/** Bytes of an entry beside its body and key: objects, their places in the maps. Measured: 430 to 560. */
const entryBytes = 600;
/** No response may take more than this part of the cache. */
const largestPart = 1 / 16;

export class ResponseCache {
  readonly #bytes: number;
  /** Milliseconds that a response may be behind the data. */
  readonly #lag: number;
  readonly #ask: AskVersion;
  #entries: LRUCache<string, Entry>;
  readonly #lookups = new Lookups();
  #epoch: string | undefined;
  #recent: { readonly version: DataVersion | undefined; readonly askedAt: number } | undefined;
  #asking: Promise<DataVersion | undefined> | undefined;

  /** Undefined if the cache is off. */
  static of({ bytes, consistency }: Config['cache'], ask: AskVersion): ResponseCache | undefined {
    return bytes === 0 ? undefined : new ResponseCache(bytes, consistency === 'exact' ? 0 : consistency, ask);
  }

  private constructor(bytes: number, lag: number, ask: AskVersion) {
    this.#bytes = bytes;
    this.#lag = lag;
    this.#ask = ask;
    this.#entries = emptyCache(bytes);
  }

  /** Returns the version that the response to a request of this moment may be from. */
  version(): DataVersion | undefined | Promise<DataVersion | undefined> {
    if (this.#lag === 0) return this.#ask();
    if (this.#recent !== undefined && performance.now() - this.#recent.askedAt < this.#lag) return this.#recent.version;
    this.#asking ??= this.#askRecent().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  figures(): CacheFigures {
    const { hits, misses } = this.#lookups;
    return { hits, misses, entries: this.#entries.size, bytes: this.#entries.calculatedSize };
  }

  get(key: string, version: DataVersion | undefined): Outcome | undefined {
    const outcome = this.#find(key, version);
    this.#lookups.note(outcome !== undefined);
    return outcome;
  }

  #find(key: string, version: DataVersion | undefined): Outcome | undefined {
    if (this.#lag === 0 && version !== undefined) this.#clearUnless(version.epoch);
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (version !== undefined && version.of(entry.tables) === entry.version) return entry.outcome;
    return performance.now() - entry.readAt < this.#lag ? entry.outcome : undefined;
  }

  /** Caches the result of a read that began at `readAt`, after `version` was asked for. A commit to its tables in between does no harm: no later request
   *  has that version of them. Returns what to send. */
  add(key: string, outcome: Outcome, { tables, version, readAt }: ReadFor): Outcome {
    // The version is unknown, or requests have seen that all tables have changed.
    if (this.#lag === 0 && (version === undefined || version.epoch !== this.#epoch)) return outcome;
    const size = Buffer.byteLength(outcome.body) + 2 * key.length + entryBytes;
    if (size > this.#bytes * largestPart) return outcome;
    const body = ownBody(outcome.body);
    const { status, version: rowVersion, digest } = outcome;
    const cached: Outcome = { status, body, version: rowVersion, digest, timings: [], statements: 0, isCached: true };
    this.#entries.set(key, { outcome: cached, tables, version: version?.of(tables), readAt }, { size });
    return { ...outcome, body };
  }

  /** Removes the entries if none can be valid. A new cache takes their place: removing them one by one takes milliseconds if they are many. */
  #clearUnless(epoch: string): void {
    if (epoch === this.#epoch) return;
    if (this.#entries.size > 0) this.#entries = emptyCache(this.#bytes);
    this.#epoch = epoch;
  }

  async #askRecent(): Promise<DataVersion | undefined> {
    const askedAt = performance.now();
    const version = await this.#ask();
    this.#recent = { version, askedAt };
    return version;
  }
}

const emptyCache = (bytes: number) => new LRUCache<string, Entry>({ maxSize: bytes });

/** A copy in memory of its own: the bytes of a message, or a slice of Node's pool, would keep far more memory alive. Bytes and not a text, which Node would copy for each
 *  response. */
function ownBody(body: string | Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(body));
  if (typeof body === 'string') bytes.write(body);
  else bytes.set(body);
  return bytes;
}
