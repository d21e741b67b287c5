/** The differences between database engines, as methods of a dialect. No code outside this folder names an engine. */
import type { ScalarType } from '../model/content-model.ts';

export type DialectName = 'sqlite' | 'postgres';

/** A value that can be bound to a statement. Booleans are bound as the dialect stores them. */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array;
/** One row, in the order of the selected columns. */
export type Row = readonly unknown[];

/** How the values of one attribute type are stored and compared. `id` is the row id, `order` the position in a join table. */
export type ColumnType = ScalarType | 'id' | 'reference' | 'order';

export interface Dialect {
  readonly name: DialectName;
  /** True if the driver blocks its thread while a statement runs, so that reads and writes need separate processes. */
  readonly blocksThread: boolean;
  /** Quotes an identifier: `a"b` gives `"a""b"`. */
  quote(identifier: string): string;
  /** Returns the placeholder of a parameter, 1-based: the second is `?` on SQLite, `$2` on PostgreSQL. */
  placeholder(position: number): string;

  /** Selects a column in the form that `render` expects from every engine: datetimes as integer milliseconds, biginteger as text,
   *  json as its text, date `yyyy-MM-dd`, time `HH:mm:ss.SSS`, booleans as 0/1 or true/false, decimals as number or text.
   *  `t1."views"` of type biginteger gives `CAST(t1."views" AS TEXT)` on SQLite, `t1."views"::text` on PostgreSQL. */
  select(column: string, type: ColumnType): string;
  /** Returns the column as text, for the text operators (`$contains`, …) and `_q`: `t1."price"` gives `(t1."price")::text` on PostgreSQL. */
  asText(column: string, type: ColumnType): string;
  /** Turns a parsed filter value (datetimes in milliseconds, bigintegers as bigint) into the value that is bound: `true` gives 1 on SQLite, `5n` gives
   *  `'5'` on PostgreSQL. */
  bind(value: SqlValue, type: ColumnType): SqlValue;
  /** Turns a value into the value that is bound when it is written: like `bind`, but a value of a json column is JSON text. `'"a"'` of type json gives `a` on
   *  SQLite, where Strapi stores JSON strings without their quotes. */
  store(value: SqlValue, type: ColumnType): SqlValue;
  /** Returns the placeholder of a bound value with a type by which it can be compared with a column of `type`: `?` on SQLite, `$1::bigint` for an integer on
   *  PostgreSQL. */
  comparand(placeholder: string, type: ColumnType, value: SqlValue): string;

  /** Returns the column as `< <= > >=` and BETWEEN compare it, by its sort order: `t1."title" COLLATE "C"` on PostgreSQL. */
  ranged(column: string, type: ColumnType): string;

  /** Returns a relation for FROM with one column, `alias.value`, of the row ids that are bound to one parameter: `json_each(?) AS t1` on SQLite. */
  idList(placeholder: string, alias: string): string;
  /** Returns the row ids as the parameter of `idList`: `[1, 2]` gives the text `[1,2]` on SQLite, the array itself on PostgreSQL. */
  bindIds(ids: readonly number[]): SqlValue | readonly number[];
  /** Does the same as `idList` for texts: `unnest($1::text[]) AS t1(value)` on PostgreSQL. */
  textList(placeholder: string, alias: string): string;
  /** Returns the texts as the parameter of `textList`. */
  bindTexts(texts: readonly string[]): SqlValue | readonly string[];
  /** The keyword of a join whose left side the engine reads first: `CROSS JOIN` on SQLite, which reorders other joins without statistics. */
  readonly orderedJoin: string;
  /** True if an ordered join returns rows in the order of its left side, when that is a subquery with ORDER BY and LIMIT. Such an engine also copies
   *  every selected column when it sorts, so ids are sorted first and then joined with the rows. */
  readonly keepsOrder: boolean;
  /** Returns the column so that the engine does not use its index: `t1."field"` gives `+t1."field"` on SQLite. */
  unindexed(column: string): string;

  /** Returns a condition: `text` (from `asText`) has `value` at the position. Its time is proportional to the length of the text.
   *  `('t1."title"', 'Bread', 'anywhere', 'folded')` gives `instr(lectern_fold(t1."title"), ?) > 0` with `bread` on SQLite. */
  matchesText(text: string, value: string, place: TextPlace, letterCase: LetterCase): TextMatch;
  /** Returns the column in a form that `min` and `max` accept, with the order of ORDER BY: `t1."featured"` gives `t1."featured"::integer` on PostgreSQL. */
  extremum(column: string, type: ColumnType): string;
  /** Whether nulls are sorted as the smallest or the largest values. */
  readonly nulls: 'smallest' | 'largest';
  /** How the other locales of a document are sorted: with `databaseOrder`, as the engine returns them to Strapi. */
  readonly localizationsBy: 'locale' | 'id';
  /** Returns the text after an expression in ORDER BY: ` DESC` on SQLite, ` COLLATE "C" DESC NULLS LAST` for texts on PostgreSQL. */
  ordering(direction: 'asc' | 'desc', type: ColumnType): string;
  /** Returns the type in CREATE TABLE, as Strapi creates the column: `varchar(255)` for a string. */
  columnDefinition(type: ColumnType): string;
  /** The type and constraints of the column `id` in CREATE TABLE. */
  readonly primaryKeyDefinition: string;
  /** Returns an expression for ids that no row of the table has had, for `INSERT … SELECT` of many rows; `order` is the SQL of their order.
   *  `('tags', 't1.id')` gives `nextval(pg_get_serial_sequence('"tags"', 'id'))` on PostgreSQL. */
  nextId(table: string, order: string): string;
  /** Returns a statement that locks each of the keys (a list of 64-bit integers bound to the placeholder) until the transaction ends. Undefined if
   *  the engine runs only one writing transaction at a time. */
  readonly lock: ((placeholder: string) => string) | undefined;
  /** True if texts may contain the character NUL. */
  readonly storesNul: boolean;

  /** Returns an expression that is true if the table exists whose name is bound to the placeholder: `to_regclass(quote_ident($1::text)) IS NOT NULL`. */
  tableExists(placeholder: string): string;
  /** Returns a statement that renames an index. Undefined if the index must be dropped and created again. */
  readonly renameIndex: ((from: string, to: string) => string) | undefined;
  /** Returns the column type for a declared type in `LiveTable`: `varchar(255)` gives `string` on SQLite; undefined for types that no attribute has. */
  storedType(declared: string): ColumnType | undefined;
  /** Returns whether a column of the declared type stores, returns and compares values of `type` correctly: `('bigint', 'integer')` is true, the reverse is
   *  false on PostgreSQL. */
  holds(declared: string, type: ColumnType): boolean;
}

/** How letter case is compared. `sensitive` and `folded` (letter case is ignored, by Unicode if the engine can) mean the same on every engine; `native`
 *  and `nativeFolded` do what Strapi does on that engine. */
export type LetterCase = 'sensitive' | 'folded' | 'native' | 'nativeFolded';
/** The position of the value in the text. */
export type TextPlace = 'anywhere' | 'start' | 'end' | 'whole';

/** SQL with values between its parts: `sql[0]`, the first value, `sql[1]`, the second one, and so on. */
export interface TextMatch {
  readonly sql: readonly string[];
  readonly values: readonly string[];
}

/** A connection that runs statements. Inside `read`, they share one snapshot. */
export interface Connection {
  readonly dialect: Dialect;
  /** Runs a statement. Synchronous engines return the rows, others a promise of them. Each row is an array. */
  query(text: string, parameters: readonly unknown[]): Row[] | Promise<Row[]>;
  /** Passes the rows to the callback one by one, as they are read. When the callback throws, reading ends and this method throws the same error;
   *  afterwards the transaction can only be rolled back. */
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

/** A connection for one reading process of a dialect that blocks its thread. */
export interface ThreadReader {
  readonly dialect: Dialect;
  /** Runs `work` in one snapshot of the data. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Returns a number that changes with every commit of any process. It is exact inside a snapshot that has read something. */
  version(): number;
  /** Returns the kind of a database error; undefined for any other error. */
  errorKindOf(error: unknown): DatabaseErrorKind | undefined;
  close(): void;
}

/** Database errors that a request can cause: a value that the engine cannot compare or store, a statement that exceeded its time limit, a lock that
 *  was not released in time, a conflict with another transaction (a retry may succeed), a full disk, a database that cannot be reached. */
export type DatabaseErrorKind = 'value' | 'time' | 'busy' | 'conflict' | 'full' | 'unavailable';

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
}

/** An open database. `read` runs `work` on one connection that sees one state of the data from start to end. */
export interface Database {
  readonly dialect: Dialect;
  read<T>(work: (connection: Connection) => T | Promise<T>, stoppable?: Stoppable): Promise<T>;
  /** Runs `work` in one transaction; rolls back when it throws. */
  write<T>(work: (connection: Connection) => T | Promise<T>, stoppable?: Stoppable): Promise<T>;
  tables(): Promise<readonly LiveTable[]>;
  /** Returns a number that changes whenever data may have changed; null if the engine has no cheap way to tell. */
  version(): number | null;
  errorKindOf(error: unknown): DatabaseErrorKind | undefined;
  close(): Promise<void>;
}
