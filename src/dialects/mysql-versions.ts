/** Asks MariaDB for the versions of tables, on a connection of its own, where the database has a log of writes (`mysql-write-log.ts`). */
import type { Connection, DataVersion, Row } from './dialect.ts';
import { MysqlPool, type MysqlPoolOptions } from './mysql-pool.ts';
import { type Catalogue, clearLog, countsQuestion, readCatalogue } from './mysql-write-log.ts';
import { SharedQuestion } from './shared-question.ts';
import { isTimeout, withTimeout } from './time-out.ts';

/** A request waits at most this long for the version; without it, the caches are not used for the request. Milliseconds. */
const patience = 500;
/** After a failure, the server is asked again after this time. Milliseconds. */
const pause = 1000;
/** Tables, triggers and foreign keys are read again after this time, since the log does not count changes of them. Milliseconds. */
const catalogueTime = 1000;
const clearingPause = 60_000;

export interface VersionOptions {
  readonly connection: MysqlPoolOptions['connection'];
  /** Runs `work` in a transaction on another connection. */
  readonly write: (work: (connection: Connection) => Promise<void>) => Promise<unknown>;
  /** Called when there was no response in time. */
  readonly silent: () => void;
  /** Called once for each table whose writes are no longer logged, with its name. */
  readonly lostTables: (tables: readonly string[]) => void;
  /** Called when the log could not be cleared, once. */
  readonly logKept: (error: unknown) => void;
}

export class MysqlVersions {
  readonly #options: VersionOptions;
  readonly #pool: MysqlPool;
  readonly #question = new SharedQuestion(() => this.#version());
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #catalogue: (Catalogue & { readonly at: number }) | undefined;
  /** Numbers the states in which all tables count as changed. Part of each version. */
  #epoch = 0;
  /** The connection of the last response: another connection may lead to another server, or to one that has lost the last writes in a crash. */
  #client: unknown;
  /** Numbers the questions. Tables that are not logged have this number as their version, so it is never the same twice. */
  #asked = 0;
  #clearedAt = performance.now();
  #hasReportedLog = false;
  readonly #reported = new Set<string>();

  constructor(options: VersionOptions) {
    this.#options = options;
    this.#pool = new MysqlPool({ connection: options.connection, min: 1, max: 1, statementTime: patience, connectionTime: patience });
  }

  /** Returns undefined if the server cannot be asked or has no log. Never rejects. */
  ask(): Promise<DataVersion | undefined> | undefined {
    const now = performance.now();
    if (now < this.#pausedUntil) return undefined;
    // A question is several statements, and the one before it may still be under way.
    return withTimeout(now + patience, this.#question.answer()).catch((error: unknown) => {
      if (isTimeout(error)) this.#options.silent();
      return undefined;
    });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #version(): Promise<DataVersion | undefined> {
    try {
      const client = await this.#pool.take();
      let isUsable = false;
      try {
        const query = (text: string) => this.#pool.run(client, { text, parameters: [] });
        if (client !== this.#client) this.#forget();
        this.#client = client;
        const catalogue = await this.#current(query);
        const version = [...catalogue.tables.values()].some(({ isLogged }) => isLogged)
          ? this.#versionOf(catalogue, await query(countsQuestion))
          : undefined;
        isUsable = true;
        if (version === undefined) this.#pausedUntil = performance.now() + pause;
        else this.#clear();
        return version;
      } finally {
        this.#pool.end(client, isUsable);
      }
    } catch {
      // The server does not respond, or the log was removed. The next connection reads everything again.
      this.#pausedUntil = performance.now() + pause;
      return undefined;
    }
  }

  #forget(): void {
    this.#epoch++;
    this.#catalogue = undefined;
  }

  async #current(query: (text: string) => Promise<readonly Row[]>): Promise<Catalogue> {
    const now = performance.now();
    const before = this.#catalogue;
    if (before !== undefined && now - before.at < catalogueTime) return before;
    const catalogue = await readCatalogue(query);
    const isEmptied = [...catalogue.nextIds].some(([table, next]) => next < (before?.nextIds.get(table) ?? 0));
    if (before !== undefined && (before.identity !== catalogue.identity || isEmptied)) this.#epoch++;
    this.#catalogue = { ...catalogue, at: now };
    this.#report(before, catalogue);
    return catalogue;
  }

  #report(before: Catalogue | undefined, now: Catalogue): void {
    const lost = [...(before?.tables ?? [])].filter(([name, { isLogged }]) => isLogged && now.tables.get(name)?.isLogged === false);
    const names = lost.map(([name]) => name).filter((name) => !this.#reported.has(name));
    for (const name of names) this.#reported.add(name);
    if (names.length > 0) this.#options.lostTables(names);
  }

  #versionOf({ tables }: Catalogue, rows: readonly Row[]): DataVersion {
    this.#asked++;
    const unknown = `${this.#epoch} asked ${this.#asked}`;
    const epoch = String(this.#epoch);
    const counts = new Map(rows.map(([table, writes, deletes]) => [String(table), { writes: Number(writes), deletes: Number(deletes) }]));
    return {
      epoch,
      // Counts only grow, so if the sums of the same tables are equal, so are all counts.
      of(names) {
        let sum = 0;
        for (const name of names) {
          const table = tables.get(name);
          if (table?.isLogged !== true) return unknown;
          sum += counts.get(name)?.writes ?? 0;
          for (const { table: parent, by } of table.parents) sum += counts.get(parent)?.[by] ?? 0;
        }
        return `${epoch} ${sum}`;
      },
    };
  }

  /** Clears the log from time to time, without delaying a request. After a failure, the next run or another server clears the rest. */
  #clear(): void {
    const now = performance.now();
    if (now - this.#clearedAt < clearingPause) return;
    this.#clearedAt = now;
    this.#options.write(clearLog).catch((error: unknown) => {
      if (this.#hasReportedLog) return;
      this.#hasReportedLog = true;
      this.#options.logKept(error);
    });
  }
}
