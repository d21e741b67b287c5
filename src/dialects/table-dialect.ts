/** How each engine makes and changes tables and indexes. */
import { type ColumnType, type StoredType, storedTypeOf } from './column-type.ts';

export interface TableDialect {
  /** Indexes for texts that stand anywhere in a column. Undefined if the engine has none. */
  readonly textIndexes: TextIndexes | undefined;
  /** Returns the type in CREATE TABLE, as Strapi creates the column:
   *  `varchar(255)` for a string. */
  columnDefinition(type: ColumnType): string;
  /** The type and constraints of the column `id` in CREATE TABLE. */
  readonly primaryKeyDefinition: string;
  /** True if an index can have a condition on its rows. */
  readonly partialIndexes: boolean;
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
  /** Returns the words that drop an index: `"i"`, or `"i" ON "t"` where names of
   *  indexes belong to their table. */
  indexOf(table: string, name: string): string;
  /** The words before the name in statements that create or drop an index while others write:
   *  `INDEX CONCURRENTLY` on PostgreSQL, where they run outside of a transaction. */
  readonly indexOnline: string;
  /** Returns the statement that collects statistics of a table, within a transaction. Undefined if
   *  the engine does so by itself. */
  readonly analyse: ((table: string) => string) | undefined;
  /** True if `Database.rehearse` holds up others. */
  readonly rehearsalLocks: boolean;
  /** Returns the column type for a declared type in `LiveTable`: `varchar(255)` gives `string` on
   *  SQLite; undefined for types that no attribute has. */
  storedType(declared: string): StoredType | undefined;
  /** Returns whether a column of the declared type stores, returns and compares values of `type`
   *  correctly: `('bigint', 'integer')` is true, the reverse is false on PostgreSQL. */
  holds(declared: string, type: ColumnType): boolean;
}

export const holding =
  (storedType: TableDialect['storedType'], heldBy: Record<StoredType, readonly StoredType[]>): TableDialect['holds'] =>
  (declared, type) => {
    const stored = storedType(declared);
    return stored !== undefined && heldBy[storedTypeOf(type)].includes(stored);
  };

/** A foreign key, as it is. */
export interface NamedKey {
  readonly name: string;
  readonly column: string;
  readonly references: string;
  readonly onDelete: string;
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
