/** What a database needs to tell which tables a transaction has written. */
export interface WriteLog {
  /** `database.tableVersions`: whether migrations add the log, or remove what exists of it. */
  readonly isWanted: boolean;
  /** Returns which parts of the log exist. */
  state(): Promise<WriteLogState>;
  /** Returns statements that create the log. */
  create(state: WriteLogState): readonly string[];
  /** Returns statements that have the writes of a table logged. `replaces`: the table may have a trigger of that name. */
  add(table: string, replaces: boolean): readonly string[];
  /** Statements that remove the log and its triggers from all tables. */
  readonly remove: readonly string[];
}

export interface WriteLogState {
  /** The schema of the tables. */
  readonly schema: string;
  /** Whether the log can be written. */
  readonly isComplete: boolean;
  /** Whether anything of it exists. */
  readonly hasParts: boolean;
  /** The tables with a trigger that is switched on. */
  readonly tables: ReadonlySet<string>;
  /** A statement that gives this role what it needs to read and clear the log; undefined if it has that. */
  readonly grant?: string;
}
