/** What a commit of this server has changed. */
export interface Changed {
  /** The keys of what was changed (`pipeline/data-keys.ts`). */
  readonly keys: readonly number[];
  /** Tables that have other changed rows as well. Undefined: any table may have some. */
  readonly tables: readonly string[] | undefined;
}

/** Collects the changes that a transaction reports by `Connection.changes`. */
export class TransactionChanges {
  readonly #keys = new Set<number>();
  readonly #tables = new Set<string>();
  #isReported = false;

  note(keys: Iterable<number>, tables: Iterable<string>): void {
    this.#isReported = true;
    for (const key of keys) this.#keys.add(key);
    for (const table of tables) this.#tables.add(table);
  }

  clear(): void {
    this.#isReported = false;
    this.#keys.clear();
    this.#tables.clear();
  }

  /** `written`: the tables that the engine reports as written; undefined for any table. */
  ofCommit(written: readonly string[] | undefined): Changed {
    const tables = written?.filter((table) => !this.#tables.has(table));
    return { keys: [...this.#keys], tables };
  }

  /** The same where the engine does not report what was written. */
  ofUnknownTables(): Changed {
    return { keys: [...this.#keys], tables: this.#isReported ? [] : undefined };
  }
}
