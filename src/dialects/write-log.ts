/** A table that belongs to the triggers of its database. */
export const logTable = 'lectern_table_writes';

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
  /** Returns statements that remove the log and its triggers from all tables. */
  remove(state: WriteLogState): readonly string[];
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
  /** The names of the triggers, where they are removed one by one. */
  readonly triggers?: readonly string[];
  /** A statement that gives this role what it needs to read and clear the log; undefined if it has that. */
  readonly grant?: string;
}
