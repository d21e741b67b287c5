/** The differences between database engines, as methods of a dialect. No code outside of
 *  this folder names an engine. */
import type { ScalarType } from '../model/content-model.ts';
import type { PoolFigures } from '../observe/figures.ts';
import type { OwnCommit, WriterState } from './sqlite-writes.ts';

export type DialectName = 'sqlite' | 'postgres' | 'mysql';

/** A value that can be bound to a statement. Booleans are bound as the dialect stores them. */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array;
/** One row, in the order of the selected columns. */
export type Row = readonly unknown[];

/** How the values of one attribute type are stored and compared. `id` is the row id, `order`
 *  the position in a join table. */
export type ColumnType = ScalarType | 'id' | 'reference' | 'order';

export interface Dialect {
  readonly name: DialectName;
  /** The name of the engine in the semantic conventions of OpenTelemetry. */
  readonly systemName: string;
  /** True if the driver blocks its thread while a statement runs, so that reads need threads and
   *  writes a process of their own. */
  readonly blocksThread: boolean;
  /** True if the engine runs only one writing transaction at a time, so
   *  that nothing has to be locked. */
  readonly writesOneByOne: boolean;
  /** Quotes an identifier: `a"b` gives `"a""b"`. */
  quote(identifier: string): string;
  /** Returns the placeholder of a parameter, 1-based: the second is `?` on
   *  SQLite, `$2` on PostgreSQL. */
  placeholder(position: number): string;

  /** Selects a column in the form that `render` expects from every engine: datetimes as integer
   *  milliseconds, biginteger as text, json as its text, date `yyyy-MM-dd`, time `HH:mm:ss.SSS`,
   *  booleans as 0/1 or true/false, decimals as number or text. `t1."views"` of type biginteger
   *  gives `CAST(t1."views" AS TEXT)` on SQLite, `t1."views"::text` on PostgreSQL. */
  select(column: string, type: ColumnType): string;
  /** Returns the column as text, for the text operators (`$contains`, …) and `_q`: `t1."price"`
   *  gives `(t1."price")::text` on PostgreSQL. */
  asText(column: string, type: ColumnType): string;
  /** Turns a parsed filter value (datetimes in milliseconds, bigintegers as bigint) into the value
   *  that is bound: `true` gives 1 on SQLite, `5n` gives `'5'` on PostgreSQL. */
  bind(value: SqlValue, type: ColumnType): SqlValue;
  /** Turns a value into the value that is bound when it is written: like `bind`, but a value of a
   *  json column is JSON text. `'"a"'` of type json gives `a` on SQLite, where Strapi stores JSON
   *  strings without their quotes. */
  store(value: SqlValue, type: ColumnType): SqlValue;
  /** Returns the placeholder of a bound value with a type by which it can be compared with a column
   *  of `type`: `?` on SQLite, `$1::bigint` for an integer on PostgreSQL. */
  comparand(placeholder: string, type: ColumnType, value: SqlValue): string;

  /** Returns the column so that `=` and IN do not take different texts for equal;
   *  undefined if they do not anyway. An equality then compares both, since only the
   *  column itself has an index. `names` identify rows (document ids, locales, e-mail
   *  addresses, tokens), `values` are content. */
  exactly(column: string, type: ColumnType, of: 'names' | 'values'): string | undefined;

  /** Returns the column as `< <= > >=` and BETWEEN compare it, by its sort order:
   *  `t1."title" COLLATE "C"` on PostgreSQL. */
  ranged(column: string, type: ColumnType): string;

  /** Returns a relation for FROM with one column, `alias.value`, of the row ids that are bound to
   *  one parameter: `json_each(?) AS t1` on SQLite. */
  idList(placeholder: string, alias: string): string;
  /** Returns the row ids as the parameter of `idList`: `[1, 2]` gives the text `[1,2]` on SQLite,
   *  the array itself on PostgreSQL. */
  bindIds(ids: readonly number[]): SqlValue | readonly number[];
  /** Returns a condition: the column has one of the ids, or of the texts, that are bound to one
   *  parameter. `alias` is free in the statement.
   *  `id IN (SELECT t1.value FROM json_each(?) AS t1)` on SQLite. */
  isListed(column: string, placeholder: string, alias: string, of: 'ids' | 'texts'): string;
  /** Returns a condition: the column has one of the values, which are placeholders. For long
   *  lists in prepared statements. */
  isAmong(column: string, values: readonly string[]): string;
  /** Returns the texts as the parameter of `isListed`. */
  bindTexts(texts: readonly string[]): SqlValue | readonly string[];
  /** The keyword of a join whose left side the engine reads first: `CROSS JOIN` on SQLite, which
   *  reorders other joins without statistics. */
  readonly orderedJoin: string;
  /** Set if each statement costs a round trip: then a read is one statement. */
  readonly wholeReads: WholeReads | undefined;
  /** The operator that is true of equal values and of two nulls. */
  readonly same: 'IS NOT DISTINCT FROM' | '<=>';
  /** The words after the name of a common table expression that the engine evaluates once.
   *  Undefined if it evaluates one at each use. */
  readonly materialized: string | undefined;
  /** The words at the end of a SELECT that locks its rows until the transaction ends. Empty if the
   *  engine runs only one writing transaction at a time. */
  readonly rowLock: string;
  /** Returns a condition for statements that may read many rows: it is true of each row, and ends
   *  the statement with an error when its reader was stopped. `id` is the row id. Undefined if the
   *  engine can stop statements by itself. */
  readonly stopPoint: ((id: string) => string) | undefined;
  /** Returns the value of a LIMIT so that the engine does not plan the statement again for each
   *  value: `?` gives `? + 0` on SQLite. */
  limit(value: string): string;
  /** Returns the column so that the engine does not use its index: `t1."field"`
   *  gives `+t1."field"` on SQLite. */
  unindexed(column: string): string;

  /** Returns a condition: `text` (from `asText`) has `value` at the position. Its time is
   *  proportional to the length of the text. `('t1."title"', 'Bread', 'anywhere', 'folded')` gives
   *  `instr(lectern_fold(t1."title"), ?) > 0` with `bread` on SQLite,
   *  behind a stop point for long texts. */
  matchesText(text: string, value: string, position: TextPosition, letterCase: LetterCase): TextMatch;
  /** Indexes for texts that stand anywhere in a column. Undefined if the engine has none. */
  readonly textIndexes: TextIndexes | undefined;
  /** Returns the column in a form that `min` and `max` accept, with the order of ORDER BY:
   *  `t1."featured"` gives `t1."featured"::integer` on PostgreSQL. */
  extremum(column: string, type: ColumnType): string;
  /** Whether nulls are sorted as the smallest or the largest values. */
  readonly nulls: 'smallest' | 'largest';
  /** How the other locales of a document are sorted: with `databaseOrder`, as the
   *  engine returns them to Strapi. */
  readonly localizationsBy: 'locale' | 'id';
  /** Returns the text after an expression in ORDER BY: ` DESC` on SQLite,
   *  ` COLLATE "C" DESC NULLS LAST` for texts on PostgreSQL. */
  ordering(direction: 'asc' | 'desc', type: ColumnType): string;
  /** Returns the type in CREATE TABLE, as Strapi creates the column:
   *  `varchar(255)` for a string. */
  columnDefinition(type: ColumnType): string;
  /** The type and constraints of the column `id` in CREATE TABLE. */
  readonly primaryKeyDefinition: string;
  /** The words at the end of an INSERT whose rows are the new ids. Empty if
   *  the rows of every INSERT are. */
  readonly returningId: string;
  /** Returns the words at the end of an INSERT that leaves a row with the same key as it is;
   *  `column` is one of the table's. */
  unlessPresent(column: string): string;
  /** The value by which an INSERT lets the engine give an id. */
  readonly newId: string;
  /** Returns an expression for ids that no row of the table has had, for `INSERT … SELECT` of many
   *  rows; `order` is the SQL of their order. `('tags', 't1.id')` gives
   *  `nextval(pg_get_serial_sequence('"tags"', 'id'))` on PostgreSQL. */
  nextId(table: string, order: string): string;
  /** True if texts may contain the character NUL. */
  readonly storesNul: boolean;

  /** Returns an expression that is true if the table exists whose name is bound to the placeholder:
   *  `to_regclass(quote_ident($1::text)) IS NOT NULL`. */
  tableExists(placeholder: string): string;
  /** True if an index can have a condition on its rows. */
  readonly partialIndexes: boolean;
  /** Returns the text after a column in CREATE INDEX whose order a read asks for. */
  indexOrdering(direction: 'asc' | 'desc', type: ColumnType): string;
  /** Returns what follows the definition of a column in ALTER TABLE … ADD COLUMN, so that it is a
   *  foreign key: ` CONSTRAINT "k" REFERENCES …`. */
  addedKey(name: string, column: string, references: string): string;
  /** The words at the end of CREATE TABLE. */
  readonly tableOptions: string;
  /** Returns the statement that makes an empty table with the columns of another one, unless it
   *  exists already; both names are quoted. Where `IN (SELECT id FROM …)` in UPDATE and DELETE
   *  would read the copy once for each row, the copy has a primary key. */
  emptyCopy(copy: string, original: string): string;
  /** True if a transaction can change tables, and undo it. */
  readonly undoesTables: boolean;
  /** Returns a statement that renames an index. Undefined if the index must be
   *  dropped and created again. */
  readonly renameIndex: ((table: string, from: string, to: string) => string) | undefined;
  /** Returns a statement that gives a foreign key another name. Not
   *  called if the engine names none. */
  renamedKey(table: string, key: NamedKey, to: string): string;
  /** True if no two foreign keys of a database can have the same name. */
  readonly sharesKeyNames: boolean;
  /** True if UPDATE and DELETE can read the table that they change, and a statement can
   *  read a temporary table twice. */
  readonly changesWhatItReads: boolean;
  /** Returns the words that drop an index: `"i"`, or `"i" ON "t"` where names of
   *  indexes belong to their table. */
  indexOf(table: string, name: string): string;
  /** The words before the name in statements that create or drop an index while others write:
   *  `INDEX CONCURRENTLY` on PostgreSQL, where they run outside of a transaction. */
  readonly indexOnline: string;
  /** Returns the statement that collects statistics of a table, within a transaction. Undefined if
   *  the engine does so by itself. */
  readonly analyse: ((table: string) => string) | undefined;
  /** Returns the statement that asks how the engine would run another one, without running it. */
  explain(text: string): string;
  /** Returns the lines of the plan that it returns:
   *  `SEARCH t1 USING INDEX …`, indented by their depth. */
  planLines(rows: readonly Row[]): string[];
  /** Returns what a line of a plan uses, if it names an index or a table that is read as a whole
   *  (by its alias, where the engine reports no more). */
  planUse(line: string): PlanUse | undefined;
  /** True if `Database.rehearse` holds up others. */
  readonly rehearsalLocks: boolean;
  /** Returns the column type for a declared type in `LiveTable`: `varchar(255)` gives `string` on
   *  SQLite; undefined for types that no attribute has. */
  storedType(declared: string): ColumnType | undefined;
  /** Returns whether a column of the declared type stores, returns and compares values of `type`
   *  correctly: `('bigint', 'integer')` is true, the reverse is false on PostgreSQL. */
  holds(declared: string, type: ColumnType): boolean;
}

/** A foreign key, as it is. */
export interface NamedKey {
  readonly name: string;
  readonly column: string;
  readonly references: string;
  readonly onDelete: string;
}

export interface PlanUse {
  readonly kind: 'index' | 'scan';
  readonly name: string;
}

/** SQL that lets one statement return the rows of several tables: their columns as texts. */
export interface WholeReads {
  /** Returns an expression as text: `t1."id"` gives `(t1."id")::text`. */
  asText(expression: string): string;
  /** Returns the function that turns the text of a column into the value that
   *  `Dialect.select` describes. */
  readText(type: ColumnType): (text: string) => unknown;
}

/** How letter case is compared. `sensitive` and `folded` (letter case is ignored, by Unicode
 *  if the engine can) mean the same on every engine; `native` and `nativeFolded` do what
 *  Strapi does on that engine. */
export type LetterCase = 'sensitive' | 'folded' | 'native' | 'nativeFolded';
/** The position of the value in the text. */
export type TextPosition = 'anywhere' | 'start' | 'end' | 'whole';

/** SQL with values between its parts: `sql[0]`, the first value, `sql[1]`,
 *  the second one, and so on. */
export interface TextMatch {
  readonly sql: readonly string[];
  readonly values: readonly string[];
}

/** A connection that runs statements. Inside `read`, they share one snapshot. */
export interface Connection {
  readonly dialect: Dialect;
  /** Runs a statement. Synchronous engines return the rows, others a promise of
   *  them. Each row is an array. */
  query(text: string, parameters: readonly unknown[]): Row[] | Promise<Row[]>;
  /** Runs a statement whose rows nobody needs, after those before it and before those after it.
   *  Where a response takes a round trip, this method does not wait for it: if the statement fails,
   *  the next one or the commit throws its error. */
  send(text: string, parameters: readonly unknown[]): void;
  /** The statements after it wait until no other transaction holds any of the keys (64-bit
   *  integers), which this one then holds until it ends. Does nothing where only one
   *  transaction writes at a time. */
  lock(keys: readonly bigint[]): void;
  /** Notes what this transaction changes, for the cache of responses (`Changed`). `tables`: those
   *  whose changes the keys name. A transaction that notes nothing may have changed anything. */
  changes(keys: Iterable<number>, tables: Iterable<string>): void;
  /** Passes the rows to the callback one by one, as they are read; where the dialect has
   *  `wholeReads`, their columns are texts. When the callback throws, reading ends and this method
   *  throws the same error; afterwards the transaction can only be rolled back. */
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
  /** In their order; null in place of an expression, and in indexes that are no B-trees: they find
   *  no row by the beginning of its columns. */
  readonly columns: readonly (string | null)[];
  /** The condition of a partial index, as the engine writes it. */
  readonly where: string | undefined;
  /** False for what an interrupted statement left behind: no query uses such an index. */
  readonly isValid: boolean;
}

/** The extension that an index of texts needs. */
export interface TextIndexes {
  /** Selects whether the database has it, or lets the user create it. */
  readonly isAvailable: string;
  /** Creates it, if it is missing. */
  readonly prepare: string;
  /** What stands between the table and the condition of the index: `USING gin ("title"
   *  gin_trgm_ops)`. */
  using(column: string): string;
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

/** Database errors that a request can cause: a value that the engine cannot compare or store, a
 *  statement that exceeded its time limit, a lock that was not released in time, a conflict with
 *  another transaction (a retry may succeed), a full disk, a database that cannot be reached. */
export type DatabaseErrorKind = 'value' | 'time' | 'busy' | 'conflict' | 'full' | 'unavailable';

/** What the server and its writing thread tell each other about versions. */
export interface WriterLink {
  /** In the server: notes a commit of the writing thread before anybody learns of it, or with
   *  undefined that the thread has started or ended. */
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
  /** When the work began to wait for its connection, if that was before the call: the
   *  time in a queue counts. Of `performance.now()`. The database takes it away: if the
   *  work is repeated, it waits anew. */
  since?: number | undefined;
}

/** How `Database.maintain` is followed and ended. */
export interface Maintenance {
  readonly stoppable?: Stoppable;
  /** Called once if another process holds the lock for longer than a second. */
  readonly waiting?: () => void;
}

/** The version of the data at some moment. */
export interface DataVersion {
  /** Returns the version of some tables: equal versions mean equal rows in all of them, whichever
   *  process committed what in between. */
  of(tables: readonly string[]): string;
  /** Differs after any commit of others. Commits of this server need not change it. */
  readonly epoch: string;
}

/** Asks for the version of the data when a request arrives. Undefined: it is
 *  unknown, or not asked for. */
export type AskVersion = () => DataVersion | undefined | Promise<DataVersion | undefined>;

export type Attempt = <R>(work: (connection: Connection) => Promise<R>) => Promise<R>;

/** An open database. `read` runs `work` on one connection that sees one state of
 *  the data from start to end. */
export interface Database {
  readonly dialect: Dialect;
  read<T>(work: (connection: Connection) => T | Promise<T>, stoppable?: Stoppable): Promise<T>;
  /** Runs `work`, which runs one statement, without a transaction where a statement sees one state
   *  of the data anyway. `work` is repeated if its connection turns out to be broken. */
  readAtOnce<T>(work: (connection: Connection) => T | Promise<T>, stoppable?: Stoppable): Promise<T>;
  /** Runs `work` in one transaction; rolls back when it throws. `work` is repeated if its
   *  connection turns out to be broken before the transaction began. */
  write<T>(work: (connection: Connection) => T | Promise<T>, stoppable?: Stoppable): Promise<T>;
  /** The same for a write that no request waits for: gives false, and runs nothing, while another
   *  connection holds the only lock. */
  writeIfFree(work: (connection: Connection) => Promise<void>): Promise<boolean>;
  /** `on`: the connection of `maintain`; by default another one. */
  tables(on?: Connection): Promise<readonly LiveTable[]>;
  /** Returns the definitions of these tables as texts, undefined for those that are not there; `on`
   *  is the connection of `maintain`. Set on engines that commit each change of a table at once. */
  readonly definitions: ((on: Connection, tables: readonly string[]) => Promise<readonly (string | undefined)[]>) | undefined;
  indexes(): Promise<readonly LiveIndex[]>;
  /** Runs `work` on one connection without a transaction around it, for statements that
   *  create or drop indexes: each of them is a transaction of its own. Only one process at a
   *  time does so: others wait. */
  maintain<T>(work: (connection: Connection) => T | Promise<T>, maintenance?: Maintenance): Promise<T>;
  /** Tries changes out: what each `attempt` does is undone. SQLite does it on a copy of the file;
   *  PostgreSQL in the database itself, in a transaction that is rolled back, so that others wait
   *  for the locks of its statements. */
  rehearse<T>(work: (attempt: Attempt) => Promise<T>): Promise<T>;
  /** Returns the version of the data at some time after the call; undefined if it cannot be
   *  determined now. Never rejects. */
  dataVersion(): DataVersion | undefined | Promise<DataVersion | undefined>;
  /** Returns the statements that remove the log of writes of earlier
   *  versions; none without a log. */
  formerLogRemoval(): Promise<readonly string[]>;
  /** True if `dataVersion` asks no server. */
  readonly hasLocalVersion: boolean;
  /** Present if the database is embedded and another process of this server writes it. */
  readonly writer: WriterLink | undefined;
  /** What the connections do at this moment; undefined for a database that is
   *  not reached over connections. */
  connections(): PoolFigures | undefined;
  /** The number of connections that have broken so far. After a crash, a server may count its
   *  transactions from where it was some commits ago. */
  lostConnections(): number;
  /** Statistics by which the engine chooses indexes are collected even where there are none.
   *  Otherwise only those that exist are renewed. For databases that Lectern made, on engines that
   *  do not do so by themselves. */
  collectStatistics(): void;
  /** Renews statistics of tables that have outgrown them, if this connection has written many rows
   *  since the last time. Takes about a tenth of a second at most, and does nothing while another
   *  connection writes. Never rejects. After any write, `close` does the same. */
  renewStatistics(): Promise<void>;
  errorKindOf(error: unknown): DatabaseErrorKind | undefined;
  close(): Promise<void>;
}
