/** What differs between database engines, as questions. No code outside this folder names an engine. */
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
  /** The driver blocks its thread while a statement runs, so reads and writes need separate processes. */
  readonly blocksThread: boolean;
  /** An identifier in SQL: `a"b` gives `"a""b"`. */
  quote(identifier: string): string;
  /** The placeholder of the n-th parameter, 1-based: the second is `?` on SQLite, `$2` on PostgreSQL. */
  placeholder(position: number): string;

  /** Reads a column in the form that `render` expects whatever the engine: datetimes as integer milliseconds, biginteger as text,
   *  json as its text, date `yyyy-MM-dd`, time `HH:mm:ss.SSS`, booleans as 0/1 or true/false, decimals as number or text.
   *  `t1."views"` of type biginteger gives `CAST(t1."views" AS TEXT)` on SQLite, `t1."views"::text` on PostgreSQL. */
  select(column: string, type: ColumnType): string;
  /** The column as text, for the text operators (`$contains`, …) and `_q`: `t1."price"` gives `(t1."price")::text` on PostgreSQL. */
  asText(column: string, type: ColumnType): string;
  /** Turns a parsed filter value (datetimes in milliseconds, bigintegers as bigint) into the value that is bound: `true` gives 1 on SQLite, `5n` gives
   *  `'5'` on PostgreSQL. */
  bind(value: SqlValue, type: ColumnType): SqlValue;
  /** Turns a value into the value that is bound to be written: as `bind`, but a value of a json column is JSON text. `'"a"'` of type json gives `a` on
   *  SQLite, where Strapi stores JSON strings without their quotes. */
  store(value: SqlValue, type: ColumnType): SqlValue;
  /** The placeholder of that bound value, typed so that it compares with a column of that type: `?` on SQLite, `$1::bigint` for an integer on
   *  PostgreSQL. */
  comparand(placeholder: string, type: ColumnType, value: SqlValue): string;

  /** The column as `< <= > >=` and BETWEEN compare it, in its sort order: `t1."title" COLLATE "C"` on PostgreSQL. */
  ranged(column: string, type: ColumnType): string;

  /** A relation for FROM with one column, `alias.value`, of the row ids that are bound to one parameter: `json_each(?) AS t1` on SQLite. */
  idList(placeholder: string, alias: string): string;
  /** The row ids as that parameter: `[1, 2]` gives the text `[1,2]` on SQLite, the array itself on PostgreSQL. */
  bindIds(ids: readonly number[]): SqlValue | readonly number[];
  /** The same for texts: `unnest($1::text[]) AS t1(value)` on PostgreSQL. */
  textList(placeholder: string, alias: string): string;
  /** The texts as that parameter. */
  bindTexts(texts: readonly string[]): SqlValue | readonly string[];
  /** A join whose left side the engine starts from: `CROSS JOIN` on SQLite, which reorders other joins without statistics. */
  readonly orderedJoin: string;
  /** Whether an ordered join returns rows in the order of its left side, when that is a subquery with ORDER BY and LIMIT. An engine that does so
   *  also carries every selected column through its sort, so ids are sorted first and the rows joined to them. */
  readonly keepsOrder: boolean;
  /** A column whose index the engine must not choose: `t1."field"` gives `+t1."field"` on SQLite. */
  unindexed(column: string): string;

  /** A condition: `text` (as `asText` gives it) has `value` at that position. It takes time in proportion to the length of the text.
   *  `('t1."title"', 'Bread', 'anywhere', 'folded')` gives `instr(lectern_fold(t1."title"), ?) > 0` with `bread` on SQLite. */
  matchesText(text: string, value: string, place: TextPlace, letterCase: LetterCase): TextMatch;
  /** The column in a form that `min` and `max` take, in the order of ORDER BY: `t1."featured"` gives `t1."featured"::integer` on PostgreSQL. */
  extremum(column: string, type: ColumnType): string;
  /** Whether nulls are sorted as the smallest or the largest values. */
  readonly nulls: 'smallest' | 'largest';
  /** The order of the other locales of a document: with `databaseOrder`, the order in which Strapi gets them from the engine. */
  readonly localizationsBy: 'locale' | 'id';
  /** The text after an expression in ORDER BY: ` DESC` on SQLite, ` COLLATE "C" DESC NULLS LAST` for texts on PostgreSQL. */
  ordering(direction: 'asc' | 'desc', type: ColumnType): string;
  /** The type in CREATE TABLE, as Strapi would create the column: `varchar(255)` for a string. */
  columnDefinition(type: ColumnType): string;
  /** The type and constraints of the column `id` in CREATE TABLE. */
  readonly primaryKeyDefinition: string;
  /** An expression for ids that no row of the table has had, for `INSERT … SELECT` of many rows; `order` is the SQL of their order.
   *  `('tags', 't1.id')` gives `nextval(pg_get_serial_sequence('"tags"', 'id'))` on PostgreSQL. */
  nextId(table: string, order: string): string;
  /** A statement that locks each of the keys (a list of 64-bit integers bound to the placeholder) to the end of the transaction; undefined where
   *  only one transaction at a time writes. */
  readonly lock: ((placeholder: string) => string) | undefined;
  /** Whether texts may hold the character NUL. */
  readonly storesNul: boolean;

  /** An expression: whether there is a table of the name that is bound to the placeholder: `to_regclass(quote_ident($1::text)) IS NOT NULL`. */
  tableExists(placeholder: string): string;
  /** The statement that renames an index; undefined where the index has to be dropped and created again. */
  readonly renameIndex: ((from: string, to: string) => string) | undefined;
  /** The column type for a declared type in `LiveTable`: `varchar(255)` gives `string` on SQLite; undefined for types that no attribute has. */
  storedType(declared: string): ColumnType | undefined;
  /** Whether a column of the declared type stores, returns and compares values of `type` correctly: `('bigint', 'integer')` is true, the reverse is
   *  false on PostgreSQL. */
  holds(declared: string, type: ColumnType): boolean;
}

/** `sensitive` and `folded` (letter case ignored, by Unicode where the engine can) are the same rule on every engine; `native` and
 *  `nativeFolded` are what Strapi does on that engine. */
export type LetterCase = 'sensitive' | 'folded' | 'native' | 'nativeFolded';
/** The position of the value in the text. */
export type TextPlace = 'anywhere' | 'start' | 'end' | 'whole';

/** SQL around values: `sql[0]`, the first value, `sql[1]`, the second one, and so on. */
export interface TextMatch {
  readonly sql: readonly string[];
  readonly values: readonly string[];
}

/** One connection that runs statements, inside `read` in one snapshot. */
export interface Connection {
  readonly dialect: Dialect;
  /** Rows as arrays. Synchronous engines return the rows, others a promise of them. */
  query(text: string, parameters: readonly unknown[]): Row[] | Promise<Row[]>;
  /** Passes the rows to `each` one by one, as they are read. When `each` throws, reading ends and `each` of the connection throws the same error;
   *  afterwards the transaction can only be rolled back. */
  each(text: string, parameters: readonly unknown[], each: (row: Row) => void): void | Promise<void>;
}

/** A table of the live database, for checks and migrations. */
export interface LiveTable {
  readonly name: string;
  readonly columns: ReadonlyMap<string, string>;
  readonly indexes: readonly string[];
  /** Names of its foreign keys, where the engine names them. */
  readonly constraints: readonly string[];
}

/** A connection for one reading process of a dialect that blocks its thread. */
export interface ThreadReader {
  readonly dialect: Dialect;
  /** Runs `work` in one snapshot of the data. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Changes with every commit of anybody; exact inside a snapshot that has read something. */
  version(): number;
  /** The kind of a database error; undefined for any other error. */
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

/** A way to end a transaction from outside. */
export interface Stoppable {
  /** Set by the database while a transaction runs. */
  stop: (() => void) | undefined;
  /** No further work is started. */
  isStopped?: boolean;
}

/** An open database. `read` runs `work` on one connection that sees one state of the data from start to end. */
export interface Database {
  readonly dialect: Dialect;
  read<T>(work: (connection: Connection) => T | Promise<T>, stoppable?: Stoppable): Promise<T>;
  /** Runs `work` in one transaction; rolls back when it throws. */
  write<T>(work: (connection: Connection) => T | Promise<T>, stoppable?: Stoppable): Promise<T>;
  tables(): Promise<readonly LiveTable[]>;
  /** A number that changes whenever data may have changed; null where the engine has no cheap one. */
  version(): number | null;
  errorKindOf(error: unknown): DatabaseErrorKind | undefined;
  close(): Promise<void>;
}
