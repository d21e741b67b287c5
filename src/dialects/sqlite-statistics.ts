/** The statistics by which SQLite chooses indexes (`sqlite_stat1`). Old ones are worse than none: a
 *  table that was small then is read entirely, however many rows it has now. */
import type BetterSqlite3 from 'better-sqlite3';

/** ANALYZE reads about this many rows of each index, so its time hardly grows with the table. It
 *  then collects no samples of values (`sqlite_stat4`), with which plans would depend on the values
 *  at a statement's preparation. */
const analysedRows = 400;
/** No further table is analysed after this time; the next time continues. Milliseconds. */
const maxDuration = 100;
/** Statistics cannot be wrong by more rows than have been written since they were checked. */
const checkedAfter = 5000;
/** The mask for `PRAGMA optimize`: all tables with ten times as many rows as in their statistics,
 *  or a tenth, or an index without statistics. It returns the statements and does not run them.
 *  Source: SQLite manual, "PRAGMA optimize". */
const outgrown = 0x10003;

export class SqliteStatistics {
  readonly #handle: BetterSqlite3.Database;
  #totalChanges: BetterSqlite3.Statement<[], number> | undefined;
  #checkedAt = 0;
  #mayCreate = false;

  constructor(handle: BetterSqlite3.Database) {
    this.#handle = handle;
  }

  /** From now on, statistics are also collected where there are none. */
  allowCreation(): void {
    this.#mayCreate = true;
  }

  /** Returns whether this connection has written so much that statistics may be wrong. */
  get isCheckDue(): boolean {
    return this.#changes() - this.#checkedAt >= checkedAfter;
  }

  /** Renews the statistics of tables that have outgrown them. Needs a transaction with the lock. */
  renew(): void {
    this.#checkedAt = this.#changes();
    if (!this.#mayCreate && !this.#exist()) return;
    const end = performance.now() + maxDuration;
    this.#handle.pragma(`analysis_limit = ${analysedRows}`);
    const statements = this.#handle.prepare<[], string>(`PRAGMA optimize(${outgrown})`).pluck(true).all();
    const analyses = statements.filter((statement) => statement.startsWith('ANALYZE'));
    if (analyses.length === 0) return;
    const before = this.#stored();
    for (const statement of analyses) {
      if (performance.now() > end) break;
      this.#handle.exec(statement);
    }
    // Tables without rows are listed each time, and have no statistics.
    if (this.#stored() === before) return;
    // Other connections read statistics with the schema, and only when the schema has changed.
    this.#handle.exec('CREATE VIEW lectern_statistics AS SELECT 1; DROP VIEW lectern_statistics');
  }

  #changes(): number {
    this.#totalChanges ??= this.#handle.prepare<[], number>('SELECT total_changes()').pluck(true);
    return this.#totalChanges.get() ?? 0;
  }

  #exist(): boolean {
    return this.#handle.prepare("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat1'").get() !== undefined;
  }

  #stored(): string | undefined {
    if (!this.#exist()) return undefined;
    return JSON.stringify(this.#handle.prepare('SELECT tbl, idx, stat FROM sqlite_stat1').raw(true).all());
  }
}
