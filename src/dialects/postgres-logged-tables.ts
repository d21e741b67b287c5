/** Versions of tables whose writes are logged, made from PostgreSQL's response about the log. Any other table has a new version at each new snapshot. */
import { createHash } from 'node:crypto';
import type { DataVersion } from './dialect.ts';
import { snapshotText } from './postgres-write-log.ts';

/** The response to `tableQuestion`. Everything but the first two is null if the snapshot is the one that was known. */
export interface LogResponse {
  /** When the server was started. */
  readonly start: string;
  readonly snapshot: string;
  /** JSON of `[number, name, identity]` for each logged table; null if they are those of the response before. */
  readonly tables: unknown;
  /** True if the log has all writes since the snapshot before. */
  readonly isComplete: unknown;
  /** Numbers of tables. */
  readonly written: unknown;
}

interface Table {
  readonly name: string;
  readonly identity: string;
  /** When its last change was seen. */
  readonly changed: number;
}

interface Known {
  readonly start: string;
  readonly snapshot: string;
  /** The digest of the JSON text of the tables. */
  readonly digest: string;
  readonly tables: ReadonlyMap<number, Table>;
  /** When all tables were counted as changed. */
  readonly base: number;
  readonly version: DataVersion;
}

export class LoggedTables {
  readonly #lost: (tables: readonly string[]) => void;
  /** Numbers the changes. Numbers only grow and none is given twice, so the greatest one stands for all tables of a set. */
  #numbers = 0;
  #known: Known | undefined;
  /** Tables that were reported as no longer logged. */
  readonly #reported = new Set<string>();

  /** `lost` is called once for each table that was logged and is no longer. */
  constructor(lost: (tables: readonly string[]) => void) {
    this.#lost = lost;
  }

  /** The parameters of `tableQuestion`: what the next response may leave out. */
  known(): (string | null)[] {
    return [this.#known?.snapshot ?? null, this.#known?.digest ?? null];
  }

  /** For a connection that may lead to another server, or to the same one after a crash: all tables count as changed. */
  forget(): undefined {
    this.#known = undefined;
  }

  /** The same when the log is gone. */
  lose(): void {
    this.#report(this.#known?.tables.values() ?? [], new Set());
    this.#known = undefined;
  }

  /** Returns the version for a response to `known()`. */
  version({ start, snapshot, tables, isComplete, written }: LogResponse): DataVersion {
    const before = this.#known?.start === start ? this.#known : undefined;
    if (before?.snapshot === snapshot) return before.version;
    this.#numbers++;
    const now = this.#numbers;
    // Where a pooler has led to another server, what the response leaves out is not known of this one.
    if (before === undefined && this.#known !== undefined) {
      this.#known = undefined;
      return { epoch: String(now), of: () => String(now) };
    }
    const json = typeof tables === 'string' ? tables : undefined;
    const logged = json === undefined ? (before?.tables ?? new Map<number, Table>()) : this.#read(json, before, now);
    const changed = new Map(logged);
    for (const id of Array.isArray(written) ? written : []) {
      const table = changed.get(Number(id));
      if (table !== undefined) changed.set(Number(id), { ...table, changed: now });
    }
    const base = before !== undefined && isComplete === true ? before.base : now;
    const digest = json === undefined ? (before?.digest ?? '') : createHash('sha256').update(json).digest('hex');
    const version = { ...versionOf(changed, base, now), snapshot: snapshotText(snapshot, start) };
    this.#known = { start, snapshot, digest, tables: changed, base, version };
    return version;
  }

  #read(json: string, before: Known | undefined, now: number): ReadonlyMap<number, Table> {
    const tables = new Map<number, Table>();
    for (const [id, name, identity] of JSON.parse(json) as [number, string, string][]) {
      const same = before?.tables.get(id);
      tables.set(id, same?.identity === identity && same.name === name ? same : { name, identity, changed: now });
    }
    this.#report(before?.tables.values() ?? [], new Set([...tables.values()].map(({ name }) => name)));
    return tables;
  }

  #report(before: Iterable<Table>, now: ReadonlySet<string>): void {
    const lost = [...before].map(({ name }) => name).filter((name) => !now.has(name) && !this.#reported.has(name));
    for (const name of lost) this.#reported.add(name);
    if (lost.length > 0) this.#lost(lost);
  }
}

function versionOf(tables: ReadonlyMap<number, Table>, base: number, now: number): Omit<DataVersion, 'snapshot'> {
  const changed = new Map([...tables.values()].map((table) => [table.name, table.changed]));
  return {
    epoch: String(base),
    of(names) {
      let last = base;
      for (const name of names) last = Math.max(last, changed.get(name) ?? now);
      return String(last);
    },
  };
}
