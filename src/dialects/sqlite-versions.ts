/** The versions of the tables of a SQLite file.
 *
 *  `PRAGMA data_version` changes when another connection has committed, whatever it wrote and
 *  however often. This server writes by two connections: its own, and the writing thread's. Both
 *  report what their commits wrote. A change that these commits explain changes the versions of
 *  their tables; any other change changes the versions of all tables.
 *
 *  Two connections see the same state if the first one sees no change between two looks, and the
 *  second one looked in between. */
import type { DataVersion } from './database.ts';
import type { OwnCommit, WriterState } from './sqlite-writes.ts';

/** Milliseconds that a request waits until it is known whether the writing thread made a change. */
const patience = 200;

/** The number of the last change of each table. Numbers only grow and are unique, so the greatest
 *  one represents all tables of a set. */
class Version implements DataVersion {
  readonly #base: number;
  readonly #changed: ReadonlyMap<string, number>;

  constructor(base: number, changed: ReadonlyMap<string, number> = new Map()) {
    this.#base = base;
    this.#changed = changed;
  }

  get epoch(): string {
    return String(this.#base);
  }

  of(tables: readonly string[]): string {
    return String(Math.max(this.#base, ...tables.map((table) => this.#changed.get(table) ?? 0)));
  }

  after(number: number, tables: readonly string[]): Version {
    const changed = new Map(this.#changed);
    for (const table of tables) changed.set(table, number);
    return new Version(this.#base, changed);
  }
}

export interface VersionSources {
  /** `PRAGMA data_version` of a connection that only reads. Throws if the file is busy. */
  observe(): number;
  /** Asks the writing thread what it sees; undefined without a thread, or if it cannot say. */
  askWriter(): Promise<WriterState | undefined> | undefined;
}

export class SqliteVersions {
  readonly #sources: VersionSources;
  #numbers = 0;
  /** The state that was seen last, and its version. */
  #pinned: { readonly seen: number; readonly version: Version } | undefined;
  /** The version of a state that the writing thread sees. */
  #writer: { readonly state: WriterState; readonly version: Version } | undefined;
  #settling: Promise<Version> | undefined;

  constructor(sources: VersionSources) {
    this.#sources = sources;
  }

  /** The version of a state not older than the call. Throws or rejects if the file is busy. */
  current(): DataVersion | Promise<DataVersion> {
    const seen = this.#sources.observe();
    const version = this.#at(seen) ?? this.#settling ?? this.#settle(seen);
    return version instanceof Promise ? this.#inTime(version) : version;
  }

  /** The version of the present state; undefined if unknown. Of use with the lock on the file. */
  known(): Version | undefined {
    try {
      return this.#at(this.#sources.observe());
    } catch {
      return undefined;
    }
  }

  /** Notes a commit of this process, directly after it. `before`: what `known` returned within the
   *  transaction. `isAlone`: nobody else has committed since then. */
  noteCommit(before: Version | undefined, { tables }: OwnCommit, isAlone: () => boolean): void {
    this.#pinned = undefined;
    try {
      const seen = this.#sources.observe();
      if (before === undefined || !isAlone()) return;
      this.#pin(seen, tables === undefined ? this.#fresh() : before.after(this.#next(), tables));
      this.#settleSoon();
    } catch {
      // The file is busy, so the state stays unknown.
    }
  }

  /** Notes a commit of the writing thread; undefined: the thread has started or ended. */
  noteWriter(commit: OwnCommit | undefined): void {
    if (commit === undefined) this.#writer = undefined;
    else {
      const { number, dataVersion, tables } = commit;
      const last = this.#writer;
      const follows = last !== undefined && last.state.dataVersion === dataVersion && last.state.commits === number - 1;
      const version = follows && tables !== undefined ? last.version.after(this.#next(), tables) : this.#fresh();
      this.#writer = { state: { dataVersion, commits: number }, version };
    }
    this.#settleSoon();
  }

  /** For changes that no connection reports. */
  forget(): void {
    this.#pinned = undefined;
    this.#writer = undefined;
  }

  #at(seen: number): Version | undefined {
    return this.#pinned?.seen === seen ? this.#pinned.version : undefined;
  }

  #settleSoon(): void {
    if (this.#settling !== undefined) return;
    try {
      const settled = this.#settle(this.#sources.observe());
      if (settled instanceof Promise) settled.catch(() => undefined);
    } catch {
      // The file is busy. The next request settles.
    }
  }

  #settle(seen: number): Version | Promise<Version> {
    const asked = this.#sources.askWriter();
    if (asked === undefined) return this.#at(seen) ?? this.#pin(seen, this.#fresh());
    this.#settling = this.#settleWith(asked, seen);
    return this.#settling;
  }

  /** Asks the writing thread until nothing has changed meanwhile, or the thread has ended. */
  async #settleWith(first: Promise<WriterState | undefined>, seenFirst: number): Promise<Version> {
    try {
      let [asked, before]: [typeof first | undefined, number] = [first, seenFirst];
      for (;;) {
        const state = await asked;
        const seen = this.#sources.observe();
        const known = this.#at(seen);
        if (state === undefined) return known ?? this.#pin(seen, this.#fresh());
        if (seen === before) {
          const version = known ?? (isSame(this.#writer?.state, state) ? this.#writer?.version : undefined) ?? this.#fresh();
          this.#writer = { state, version };
          return this.#pin(seen, version);
        }
        before = seen;
        asked = this.#sources.askWriter();
      }
    } finally {
      // In the same step as the last look: a request that comes later looks again.
      this.#settling = undefined;
    }
  }

  /** A thread in the middle of a long write does not respond: then all tables count as changed. */
  async #inTime(settling: Promise<Version>): Promise<Version> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), patience);
    });
    try {
      const version = await Promise.race([settling, late]);
      if (version !== undefined) return version;
      const seen = this.#sources.observe();
      return this.#at(seen) ?? this.#pin(seen, this.#fresh());
    } finally {
      clearTimeout(timer);
    }
  }

  #pin(seen: number, version: Version): Version {
    this.#pinned = { seen, version };
    return version;
  }

  /** A version in which all tables differ from those of any other version. */
  #fresh(): Version {
    return new Version(this.#next());
  }

  #next(): number {
    this.#numbers++;
    return this.#numbers;
  }
}

const isSame = (one: WriterState | undefined, other: WriterState): boolean =>
  one !== undefined && one.dataVersion === other.dataVersion && one.commits === other.commits;
