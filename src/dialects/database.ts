/** An open database: its connections and transactions. */
import type { PoolFigures } from '../observe/figures.ts';
import type { Dialect, Row } from './dialect.ts';
import type { OwnCommit, WriterState } from './sqlite-writes.ts';
import type { Changed } from './transaction-changes.ts';

export interface OpenOptions {
  readonly create: boolean;
  readonly statementTime: number;
  /** `policies.databaseOrder`, which decides how to sort and compare. */
  readonly databaseOrder?: boolean;
  /** Called after each commit, before any response. `commit`: only for embedded databases. */
  readonly committed?: (changed: Changed, commit?: OwnCommit) => void;
  /** Counts the writes that wait for a lock of another connection. Embedded databases only. */
  readonly waiters?: LockWaiters;
  /** Called once when statements are no longer prepared, because of a connection pooler. */
  readonly unprepared?: () => void;
  /** Called when another host of the database's URL is used than before (`host:port`). */
  readonly moved?: (host: string) => void;
  /** Asks the writing thread, if there is one. Embedded databases only. */
  readonly askWriter?: () => Promise<WriterState | undefined> | undefined;
}

/** A connection that runs statements. Inside `read`, they share one snapshot. */
export interface Connection {
  readonly dialect: Dialect;
  /** Runs a statement. Synchronous engines return the rows, others a promise of them. */
  query(text: string, parameters: readonly unknown[]): Row[] | Promise<Row[]>;
  /** Runs a statement whose rows nobody needs, in its order among the others, without waiting for a
   *  response: if the statement fails, the next one or the commit throws its error. */
  send(text: string, parameters: readonly unknown[]): void;
  /** Locks the keys (64-bit integers) until the transaction ends. The next statement waits for
   *  them. Does nothing where only one transaction writes at a time. */
  lock(keys: readonly bigint[]): void;
  /** Reports what this transaction changes (`Changed`). `tables`: those whose changes the keys
   *  name. A transaction that reports nothing may have changed anything. */
  changes(keys: Iterable<number>, tables: Iterable<string>): void;
  /** Passes rows to the callback as they are read; where the dialect has `singleStatementReads`,
   *  their columns are texts. If the callback throws, this method throws the same error, and the
   *  transaction can only be rolled back. */
  each(text: string, parameters: readonly unknown[], each: (row: Row) => void): void | Promise<void>;
}

/** A table of the live database, for checks and migrations. */
export interface LiveTable {
  readonly name: string;
  readonly columns: ReadonlyMap<string, string>;
  readonly indexes: readonly string[];
  /** The names of the table's foreign keys, if the engine names them. */
  readonly constraints: readonly string[];
}

/** An index of the live database. */
export interface LiveIndex {
  readonly table: string;
  readonly name: string;
  /** In their order; null for an expression, and in indexes that are no B-trees. */
  readonly columns: readonly (string | null)[];
  /** The condition of a partial index, as the engine writes it. */
  readonly where: string | undefined;
  /** False for what an interrupted statement left behind: no query uses such an index. */
  readonly isValid: boolean;
}

/** A connection for one reading thread of a dialect that blocks its thread. */
export interface ThreadReader {
  readonly dialect: Dialect;
  /** Runs `work` in one snapshot of the data. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Returns the kind of a database error; undefined for any other error. */
  errorKindOf(error: unknown): DatabaseErrorKind | undefined;
  close(): void;
}

/** Errors that a request can cause: a value that the engine cannot compare or store, an exceeded
 *  time limit, a lock that was not released in time, a conflict with another transaction (a retry
 *  may succeed), a full disk, a database that cannot be reached. */
export type DatabaseErrorKind = 'value' | 'time' | 'busy' | 'conflict' | 'full' | 'unavailable';

/** What the server and its writing thread tell each other about versions. */
export interface WriterLink {
  /** In the server: notes a commit of the writing thread before anybody learns of it; undefined:
   *  the thread has started or ended. */
  noteCommit(commit: OwnCommit | undefined): void;
  /** In the writing thread: what its connection sees; undefined if the file is busy. */
  state(): WriterState | undefined;
}

/** Counts the writes that wait for the lock on an embedded database. */
export interface LockWaiters {
  add(): void;
  remove(): void;
}

/** Lets other code end a running transaction. */
export interface Stoppable {
  /** Set by the database while a transaction runs. */
  stop: (() => void) | undefined;
  /** If true, no further work is started. */
  isStopped?: boolean;
  /** When the work began to wait in a queue before the call (of `performance.now()`). The database
   *  removes it: if the work is repeated, it waits anew. */
  since?: number | undefined;
  /** True for a read that must have every commit that was acknowledged before it, on whichever node
   *  of the database. Each write has. */
  readonly isCurrent?: boolean | undefined;
}

/** How `Database.maintain` is followed and ended. */
export interface Maintenance {
  readonly stoppable?: Stoppable;
  /** Called once if another process holds the lock for longer than a second. */
  readonly waiting?: () => void;
}

/** The version of the data at some moment. */
export interface DataVersion {
  /** Returns the version of some tables: equal versions mean equal rows in all of them. */
  of(tables: readonly string[]): string;
  /** Differs after any commit of others. Commits of this server need not change it. */
  readonly epoch: string;
}

/** Asks for the version of the data when a request arrives; undefined if it is not known. */
export type AskVersion = () => DataVersion | undefined | Promise<DataVersion | undefined>;

export type Attempt = <R>(work: (connection: Connection) => Promise<R>) => Promise<R>;

/** An open database. */
export interface Database {
  readonly dialect: Dialect;
  /** Runs `work` on one connection that sees one state of the data from start to end. */
  read<T>(work: (connection: Connection) => T | Promise<T>, stoppable?: Stoppable): Promise<T>;
  /** Runs `work`, which runs one statement, without a transaction where the engine allows it.
   *  `work` is repeated if its connection turns out to be broken. */
  readAtOnce<T>(work: (connection: Connection) => T | Promise<T>, stoppable?: Stoppable): Promise<T>;
  /** Runs `work` in one transaction; rolls back when it throws. `work` is repeated if its
   *  connection breaks before the transaction begins. */
  write<T>(work: (connection: Connection) => T | Promise<T>, stoppable?: Stoppable): Promise<T>;
  /** Like `write`, but returns false, running nothing, while another connection has the lock. */
  writeIfFree(work: (connection: Connection) => Promise<void>): Promise<boolean>;
  /** `on`: the connection of `maintain`; by default another one. */
  tables(on?: Connection): Promise<readonly LiveTable[]>;
  /** Returns the definitions of tables as texts, undefined for those that do not exist; `on` is the
   *  connection of `maintain`. Set on engines that commit each change of a table at once. */
  readonly definitions: ((on: Connection, tables: readonly string[]) => Promise<readonly (string | undefined)[]>) | undefined;
  indexes(): Promise<readonly LiveIndex[]>;
  /** Runs `work` on one connection without a transaction, for statements that create or drop
   *  indexes. Only one process at a time does so: others wait. */
  maintain<T>(work: (connection: Connection) => T | Promise<T>, maintenance?: Maintenance): Promise<T>;
  /** Tries changes: what each `attempt` does is undone. SQLite uses a copy of the file, PostgreSQL
   *  a transaction that is rolled back, whose locks make others wait. */
  rehearse<T>(work: (attempt: Attempt) => Promise<T>): Promise<T>;
  /** The version at some time after the call; undefined if unknown. Never rejects. */
  dataVersion(): DataVersion | undefined | Promise<DataVersion | undefined>;
  /** Returns the statements that remove the log of writes of earlier versions, if there is one. */
  formerLogRemoval(): Promise<readonly string[]>;
  /** Present if the database is embedded and another process of this server writes it. */
  readonly writer: WriterLink | undefined;
  /** True if several nodes of the database write (Galera). They must have the table of locks
   *  (`locksTable` in `tables/system-tables.ts`). */
  readonly hasWritingNodes: boolean;
  /** The engine and the reason why it reports no versions, if PostgreSQL itself would; else
   *  undefined. */
  readonly unversioned: string | undefined;
  /** The host in use (`host:port`), if the URL of the database lists several. */
  host(): string | undefined;
  /** What the connections do now; undefined for an embedded database. */
  connections(): PoolFigures | undefined;
  /** How many connections have broken. After a crash, a server may generate its last ids again. */
  lostConnections(): number;
  /** From now on, statistics by which the engine chooses indexes are collected even where there are
   *  none. For databases that Lectern made, on engines that do not do so by themselves. */
  collectStatistics(): void;
  /** Renews statistics of tables that have outgrown them, after many written rows. Takes at most
   *  0.1 seconds, and does nothing while another connection writes. Never rejects. */
  renewStatistics(): Promise<void>;
  errorKindOf(error: unknown): DatabaseErrorKind | undefined;
  close(): Promise<void>;
}
