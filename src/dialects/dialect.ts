/** The questions that the rest of the program asks about a database engine. Nothing outside this folder names one. */
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
  quote(identifier: string): string;
  /** The placeholder of the n-th parameter, 1-based. */
  placeholder(position: number): string;

  /** Reads a column in the form that `render` expects whatever the engine: datetimes as integer milliseconds, biginteger as text,
   *  json as its text, date `yyyy-MM-dd`, time `HH:mm:ss.SSS`, booleans as 0/1 or true/false, decimals as number or text. */
  select(column: string, type: ColumnType): string;
  /** The column as text, for the text operators (`$contains`, …) and `_q`. */
  asText(column: string, type: ColumnType): string;
  /** Turns a parsed filter value into what is bound: datetimes come as milliseconds, booleans as booleans, bigintegers as bigint. */
  bind(value: SqlValue, type: ColumnType): SqlValue;
  /** Turns a value into what is bound to be written: as `bind`, but JSON texts come as JSON whatever the column keeps. */
  store(value: SqlValue, type: ColumnType): SqlValue;
  /** The placeholder of that bound value, typed so that it compares with a column of that type (`$1::bigint`). */
  comparand(placeholder: string, type: ColumnType, value: SqlValue): string;

  /** The column as `< <= > >=` and BETWEEN compare it: in its sort order. */
  ranged(column: string, type: ColumnType): string;

  /** A relation with one column, `alias.value`, of the row ids bound (as `bindIds` makes it) to one parameter, to be put after FROM. */
  idList(placeholder: string, alias: string): string;
  bindIds(ids: readonly number[]): SqlValue | readonly number[];
  /** The same for texts. */
  textList(placeholder: string, alias: string): string;
  bindTexts(texts: readonly string[]): SqlValue | readonly string[];
  /** Joins two relations in the order written, so that the engine starts from the left one. */
  readonly orderedJoin: string;
  /** Whether rows of an ordered join come in the order of its left side, when that is a subquery with ORDER BY and LIMIT. Where they do, sorting
   *  carries along every column that is selected, however long its texts, so ids are sorted first. */
  readonly keepsOrder: boolean;
  /** A column that must not drive the statement: hides it from the choice of an index where the engine would choose badly. */
  unindexed(column: string): string;

  /** A condition: `text` (as `asText` gives it) has `value` at that place. It takes time in proportion to the length of the text. */
  matchesText(text: string, value: string, place: TextPlace, letterCase: LetterCase): TextMatch;
  /** The column in a form that has a smallest and a largest value, by the same order as ORDER BY. */
  extremum(column: string, type: ColumnType): string;
  /** Where nulls stand in an order: before every value (ascending), or after. */
  readonly nulls: 'smallest' | 'largest';
  /** The order of the other locales of a document: with `databaseOrder`, the order in which Strapi gets them from the engine. */
  readonly localizationsBy: 'locale' | 'id';
  /** What follows an expression in ORDER BY. */
  ordering(direction: 'asc' | 'desc', type: ColumnType): string;
  /** Column definition for CREATE TABLE, as Strapi would create it on this engine. */
  columnDefinition(type: ColumnType): string;
  readonly primaryKeyDefinition: string;
  /** An expression for ids that no row of the table has had, for statements that insert many rows; `order` is SQL that says which is first. */
  nextId(table: string, order: string): string;
  /** A statement that waits for its turn with each of the keys (a list of 64-bit integers bound to the placeholder) and keeps it to the end of
   *  the transaction; undefined where transactions that write take turns anyway. */
  readonly lock: ((placeholder: string) => string) | undefined;
  /** Whether texts may hold the character NUL. */
  readonly storesNul: boolean;

  /** An expression: whether there is a table of the name that is bound to the placeholder. */
  tableExists(placeholder: string): string;
  /** The statement that renames an index; undefined where it has to be dropped and made again. */
  readonly renameIndex: ((from: string, to: string) => string) | undefined;
  /** What a live column of this declared type (as `LiveTable` has it) holds; undefined for types that no attribute has. */
  storedType(declared: string): ColumnType | undefined;
  /** Whether values of `type` are stored, read and compared rightly in such a column. Wider columns do, and so does what the engine treats alike. */
  holds(declared: string, type: ColumnType): boolean;
}

/** `sensitive` and `folded` (letter case ignored, by Unicode where the engine can) are the same rule on every engine; `native` and
 *  `nativeFolded` are what Strapi does on that engine. */
export type LetterCase = 'sensitive' | 'folded' | 'native' | 'nativeFolded';
/** Where in the text the value must stand. */
export type TextPlace = 'anywhere' | 'start' | 'end' | 'whole';

/** SQL around values: `sql[0]`, the first value, `sql[1]`, the second one, and so on. */
export interface TextMatch {
  readonly sql: readonly string[];
  readonly values: readonly string[];
}

/** Something that statements can be run on: one connection, in one snapshot while inside `read`. */
export interface Connection {
  readonly dialect: Dialect;
  /** Rows as arrays. Synchronous engines return the rows, others a promise of them. */
  query(text: string, parameters: readonly unknown[]): Row[] | Promise<Row[]>;
  /** Hands over the rows one by one, as they are read. When `each` throws, reading ends there, and the error comes out; the transaction can only
   *  be rolled back then. */
  each(text: string, parameters: readonly unknown[], each: (row: Row) => void): void | Promise<void>;
}

/** What the live database has, for checks and migrations. */
export interface LiveTable {
  readonly name: string;
  readonly columns: ReadonlyMap<string, string>;
  readonly indexes: readonly string[];
  /** Names of its foreign keys, where the engine keeps them apart by name. */
  readonly constraints: readonly string[];
}

/** A connection for one reading process of a dialect that blocks its thread. */
export interface ThreadReader {
  readonly dialect: Dialect;
  /** Runs `work` in one snapshot of the data. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
  /** Changes with every commit of anybody; exact inside a snapshot that has read something. */
  version(): number;
  /** What an error of the driver means for the caller, if it is the caller's. */
  errorKindOf(error: unknown): DatabaseErrorKind | undefined;
  close(): void;
}

/** Faults that a request can cause or meet: a value that the engine cannot compare or store, a statement that took too long, a lock that was
 *  not given up, another transaction that got in the way (the same again may succeed), a disk without room, a database that is not there. */
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
  /** A number that changes whenever data may have changed, or null where the engine cannot tell cheaply. */
  version(): number | null;
  errorKindOf(error: unknown): DatabaseErrorKind | undefined;
  close(): Promise<void>;
}
