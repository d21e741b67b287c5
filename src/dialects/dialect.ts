/** What statements look like on each engine. No code outside of this folder asks which engine it
 *  is. */
import type { ColumnType } from './column-type.ts';
import type { TableDialect } from './table-dialect.ts';

export type DialectName = 'sqlite' | 'postgres' | 'mysql';

/** A value that can be bound to a statement. Booleans are bound as the dialect stores them. */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array;
/** One row, in the order of the selected columns. */
export type Row = readonly unknown[];

export interface Dialect {
  readonly name: DialectName;
  /** The name of the engine in the semantic conventions of OpenTelemetry. */
  readonly systemName: string;
  /** True if the driver blocks its thread while a statement runs, so that reads and writes need
   *  threads of their own. */
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
  /** Returns the text after a column in CREATE INDEX whose order a read asks for. */
  indexOrdering(direction: 'asc' | 'desc', type: ColumnType): string;
  /** True if UPDATE and DELETE can read the table that they change, and a statement can
   *  read a temporary table twice. */
  readonly changesWhatItReads: boolean;
  /** Returns the statement that asks how the engine would run another one, without running it. */
  explain(text: string): string;
  /** Returns the lines of the plan that it returns:
   *  `SEARCH t1 USING INDEX …`, indented by their depth. */
  planLines(rows: readonly Row[]): string[];
  /** Returns what a line of a plan uses, if it names an index or a table that is read as a whole
   *  (by its alias, where the engine reports no more). */
  planUse(line: string): PlanUse | undefined;
  readonly tables: TableDialect;
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
