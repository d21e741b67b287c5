import type { Changed } from './dialect.ts';

/** What a transaction says that it changes (`Connection.changes`). */
export class NotedChanges {
  readonly #keys = new Set<number>();
  readonly #tables = new Set<string>();
  #isNoted = false;

  note(keys: Iterable<number>, tables: Iterable<string>): void {
    this.#isNoted = true;
    for (const key of keys) this.#keys.add(key);
    for (const table of tables) this.#tables.add(table);
  }

  clear(): void {
    this.#isNoted = false;
    this.#keys.clear();
    this.#tables.clear();
  }

  /** `written`: the tables that the transaction has changed; undefined for any table. */
  ofCommit(written: readonly string[] | undefined): Changed {
    const tables = written?.filter((table) => !this.#tables.has(table));
    return { keys: [...this.#keys], tables };
  }

  /** The same where the engine does not say what was written. */
  ofUnknownTables(): Changed {
    return { keys: [...this.#keys], tables: this.#isNoted ? [] : undefined };
  }
}
