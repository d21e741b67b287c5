/** What statements look like on each engine. No code outside of this folder asks for the engine. */
import type { ColumnType, StoredType } from './column-type.ts';
import type { SearchDialect } from './search/types.ts';
import type { TableDialect } from './table-dialect.ts';
import type { TextMatch } from './text-match.ts';

export type DialectName = 'sqlite' | 'postgres' | 'mysql';

/** A value that can be bound to a statement. Booleans are bound as the dialect stores them. */
export type SqlValue = string | number | bigint | boolean | null | Uint8Array;
/** One row, in the order of the selected columns. */
export type Row = readonly unknown[];

export interface Dialect {
  readonly name: DialectName;
  /** The name of the engine in the semantic conventions of OpenTelemetry. */
  readonly systemName: string;
  /** True if the driver blocks its thread, so that reads and writes need threads of their own. */
  readonly blocksThread: boolean;
  /** True if only one transaction writes at a time, so that nothing has to be locked. */
  readonly writesOneByOne: boolean;
  /** A condition that holds while the server can only be read, as a standby; undefined if the
   *  engine has no such state. */
  readonly isReadOnly: string | undefined;
  /** Quotes an identifier: `a"b` gives `"a""b"`. */
  quote(identifier: string): string;
  /** Returns the placeholder of a parameter, 1-based: `?` on SQLite, `$2` on PostgreSQL. */
  placeholder(position: number): string;

  /** Selects a column in the form that `render` expects: datetimes as integer milliseconds,
   *  biginteger as text, json as its text, date `yyyy-MM-dd`, time `HH:mm:ss.SSS`, booleans as 0/1
   *  or true/false, decimals as number or text. */
  select(column: string, type: ColumnType): string;
  /** Returns the column as text, for the text operators (`$contains`, …) and `_q`. */
  asText(column: string, type: ColumnType): string;
  /** Turns a filter value (datetimes in milliseconds, bigintegers as bigint) into the bound value:
   *  `true` gives 1 on SQLite. */
  bind(value: SqlValue, type: ColumnType): SqlValue;
  /** Like `bind`, for values that are written; those of json columns are JSON texts. `'"a"'` gives
   *  `a` on SQLite, where Strapi stores JSON strings without their quotes. */
  store(value: SqlValue, type: ColumnType): SqlValue;
  /** Returns a placeholder with a type that is comparable with a column of `type`: `$1::bigint`. */
  comparand(placeholder: string, type: ColumnType, value: SqlValue): string;

  /** Returns the column so that `=` and IN distinguish all texts; undefined if they do anyway. An
   *  equality then compares both, since only the column itself has an index. `names` identify rows
   *  (document ids, locales, e-mail addresses, tokens), `values` are content. */
  exactly(column: string, type: ColumnType, of: 'names' | 'values'): string | undefined;

  /** Returns the column as `< <= > >=` and BETWEEN compare it: `t1."title" COLLATE "C"`. */
  ranged(column: string, type: ColumnType): string;

  /** Returns a relation for FROM with one column, `alias.value`: the row ids that are bound to one
   *  parameter. `json_each(?) AS t1` on SQLite. */
  idList(placeholder: string, alias: string): string;
  /** Returns the row ids as the parameter of `idList`: the text `[1,2]` on SQLite. */
  bindIds(ids: readonly number[]): SqlValue | readonly number[];
  /** Returns a condition: the column has one of the ids, or texts, that are bound to one parameter.
   *  `alias` is free in the statement. */
  isListed(column: string, placeholder: string, alias: string, of: 'ids' | 'texts'): string;
  /** Returns a condition: the column has one of the placeholders' values. For long lists. */
  isAmong(column: string, values: readonly string[]): string;
  /** Returns the texts as the parameter of `isListed`. */
  bindTexts(texts: readonly string[]): SqlValue | readonly string[];
  /** The keyword of a join whose left side the engine reads first: `CROSS JOIN` on SQLite. */
  readonly orderedJoin: string;
  /** Set if each statement costs a round trip: then a read is a single statement. */
  readonly singleStatementReads: SingleStatementReads | undefined;
  /** The operator that is true of equal values and of two nulls. */
  readonly same: 'IS NOT DISTINCT FROM' | '<=>';
  /** The words after the name of a common table expression that the engine evaluates once.
   *  Undefined if it evaluates one at each use. */
  readonly materialized: string | undefined;
  /** The words at the end of a SELECT that locks its rows; empty if nothing has to be locked. */
  readonly rowLock: string;
  /** Returns a condition that is true of each row, and ends the statement with an error when its
   *  reader was stopped. `id` is the row id. Undefined if the engine can stop statements itself. */
  readonly stopPoint: ((id: string) => string) | undefined;
  /** Returns the value of a LIMIT so that the statement is not planned again for each value. */
  limit(value: string): string;
  /** Returns the column so that the engine does not use its index. */
  unindexed(column: string): string;

  /** Returns a condition: `text` (from `asText`) has `value` at the position. Its time is
   *  proportional to the length of the text. */
  matchesText(text: string, value: string, position: TextPosition, letterCase: LetterCase): TextMatch;
  /** Returns the column in a form that `min` and `max` accept, with the order of ORDER BY. */
  extremum(column: string, type: ColumnType): string;
  /** Whether nulls are sorted as the smallest or the largest values. */
  readonly nulls: 'smallest' | 'largest';
  /** How other locales are sorted: with `databaseOrder`, as the engine returns them to Strapi. */
  readonly localizationsBy: 'locale' | 'id';
  /** Returns a value by which rows are sorted so that it is the same after its way through JSON. */
  sortValue(expression: string, type: ColumnType): string;
  /** Returns such a value so that it can be compared with a column in its order. */
  sortComparand(placeholder: string, type: ColumnType): string;
  /** Returns the year, month or day of a date or datetime as text: `2024`, `2024-05`, `2024-05-03`.
   *  Of datetimes in UTC. */
  dateStep(column: string, type: ColumnType, step: DateStep): string;
  /** Returns the text after an expression in ORDER BY: ` COLLATE "C" DESC NULLS LAST`. */
  ordering(direction: 'asc' | 'desc', type: ColumnType): string;
  /** The words at the end of an INSERT that returns the new ids; empty if every INSERT does. */
  readonly returningId: string;
  /** The words at the end of an INSERT that skips rows whose key is there; `column`: any column. */
  unlessPresent(column: string): string;
  /** The value by which an INSERT lets the engine give an id. */
  readonly newId: string;
  /** Returns an expression for ids that no row of the table has had, for `INSERT … SELECT`; `order`
   *  is the SQL of the order of the rows. */
  nextId(table: string, order: string): string;
  /** True if texts may contain the character NUL. */
  readonly storesNul: boolean;
  /** Says why a value does not fit the column that Strapi makes for the type; undefined if it does.
   *  The column of a database may be larger. */
  misfit(value: string | number | boolean | null, column: { readonly type: StoredType }): string | undefined;

  /** Returns an expression: the table whose name is bound to the placeholder exists. */
  tableExists(placeholder: string): string;
  /** Returns the text after a column in CREATE INDEX whose order a read asks for. */
  indexOrdering(direction: 'asc' | 'desc', type: ColumnType): string;
  /** Whether UPDATE and DELETE may read the table that they change, and whether one statement may
   *  read a temporary table twice. */
  readonly changesWhatItReads: boolean;
  /** Returns the statement that asks how the engine would run another one. */
  explain(text: string): string;
  /** Returns the number of rows that the engine expects, from the rows of `explain`. Undefined if
   *  the engine expects no useful number. */
  readonly expectedRows: ((rows: readonly Row[]) => number) | undefined;
  /** Returns the lines of the plan in its rows, indented by their depth. */
  planLines(rows: readonly Row[]): string[];
  /** Returns the index that a line of a plan names, or the table that is read entirely (by its
   *  alias, where the engine reports no more). */
  planUse(line: string): PlanUse | undefined;
  readonly search: SearchDialect;
  readonly tables: TableDialect;
}

export interface PlanUse {
  readonly kind: 'index' | 'scan';
  readonly name: string;
}

/** SQL that lets a single statement return the rows of several tables: their columns as texts. */
export interface SingleStatementReads {
  /** Returns an expression as text: `t1."id"` gives `(t1."id")::text`. */
  asText(expression: string): string;
  /** Returns the function that turns the text of a column into what `Dialect.select` describes. */
  readText(type: ColumnType): (text: string) => unknown;
}

/** How letter case is compared. `sensitive` and `folded` (by Unicode if the engine can) mean the
 *  same on every engine; `native` and `nativeFolded` do what Strapi does on that engine. */
export type LetterCase = 'sensitive' | 'folded' | 'native' | 'nativeFolded';
/** The position of the value in the text. */
export type TextPosition = 'anywhere' | 'start' | 'end' | 'whole';

/** What dates are grouped by. */
export type DateStep = 'year' | 'month' | 'day';
