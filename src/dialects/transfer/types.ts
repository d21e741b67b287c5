/** What `lectern transfer` asks of an engine beyond its dialect: which tables a database has, and
 *  how to make them in another one. */
import type { ColumnType } from '../column-type.ts';
import type { Connection } from '../database.ts';
import type { Dialect } from '../dialect.ts';

/** A table as the catalogue of its database describes it. */
export interface CatalogueTable {
  readonly name: string;
  readonly columns: readonly CatalogueColumn[];
  readonly primaryKey: readonly string[];
  /** Without those of the primary key. */
  readonly indexes: readonly CatalogueIndex[];
  readonly foreignKeys: readonly CatalogueForeignKey[];
  /** The highest id ever generated; 0 if none. The id of a deleted row must not be used again. */
  readonly highestId: number;
}

export interface CatalogueColumn {
  readonly name: string;
  /** The declared type as `LiveTable` has it. */
  readonly declared: string;
  /** Characters of a `varchar`; undefined without a limit. */
  readonly length: number | undefined;
  readonly notNull: boolean;
}

export interface CatalogueIndex {
  readonly name: string;
  readonly unique: boolean;
  /** In their order; null in place of an expression. */
  readonly columns: readonly (string | null)[];
  readonly isPartial: boolean;
}

export interface CatalogueForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
  /** `CASCADE`, `SET NULL`, `NO ACTION` … */
  readonly onDelete: string;
  readonly onUpdate: string;
}

/** A table that is copied. */
export interface CopiedTable extends Omit<CatalogueTable, 'columns' | 'indexes'> {
  readonly columns: readonly CopiedColumn[];
  readonly indexes: readonly CopiedIndex[];
}

export interface CopiedColumn extends Omit<CatalogueColumn, 'declared'> {
  readonly type: ColumnType;
  /** A decimal with values that do not fit the column that Strapi would make. */
  readonly isWide: boolean;
}

export interface CopiedIndex {
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly string[];
}

/** Values between engines: datetimes as integer milliseconds, bigintegers and decimals as text,
 *  json as JSON text. */
export type CopiedValue = string | number | boolean | null;

export interface TransferEngine {
  /** For messages: `PostgreSQL`. */
  readonly label: string;
  catalogue(connection: Connection): Promise<readonly CatalogueTable[]>;
  /** SQL of the text of a json column, without any loss. */
  jsonText(column: string): string;
  /** The JSON text that the stored text means. */
  jsonOf(text: string): string;
  /** Why such a column cannot store a value as it is: `has 300 characters, 255 are possible`. */
  misfit(value: CopiedValue, column: CopiedColumn): string | undefined;
  /** Statements before the first table, outside of a transaction, on the connection that writes. */
  readonly prepare: readonly string[];
  createTable(table: CopiedTable, dialect: Dialect): string;
  createIndex(table: string, index: CopiedIndex): string;
  /** Undefined where only CREATE TABLE can declare foreign keys. */
  readonly addForeignKey: ((table: string, key: CatalogueForeignKey) => string) | undefined;
  /** Statements after which a new row gets a higher id than `last`. */
  continueIds(table: string, idColumn: string, last: number): readonly string[];
  /** Collects statistics; without them, the first queries are planned as for empty tables. */
  analyse(table: string): string;
  dropTables(tables: readonly string[]): readonly string[];
  /** Whether a row of the same key is there already. */
  isDuplicate(error: unknown): boolean;
  /** The lock of a target. Undefined for an embedded database, which is locked by a file. */
  readonly lock: SessionLock | undefined;
}

/** Statements of a lock that lasts as long as its connection, without a transaction: an open one
 *  delays `CREATE INDEX CONCURRENTLY`. Each row's first column says whether the connection has the
 *  lock. */
export interface SessionLock {
  /** Does not wait. */
  readonly take: string;
  readonly isHeld: string;
  readonly release: string;
}

/** The column whose values the database gives out. */
export function idColumnOf(table: CopiedTable): string | undefined {
  const [key, ...others] = table.primaryKey;
  return others.length === 0 && table.columns.some(({ name, type }) => name === key && type === 'id') ? key : undefined;
}
