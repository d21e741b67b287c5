/** How each engine makes and changes tables and indexes. */
import type { ForeignKey } from '../tables/table.ts';
import { type ColumnType, type StoredType, storedTypeOf } from './column-type.ts';

export interface TableDialect {
  /** Indexes for texts that stand anywhere in a column. Undefined if the engine has none. */
  readonly textIndexes: TextIndexes | undefined;
  /** Returns the type in CREATE TABLE, as Strapi creates the column: `varchar(255)`. */
  columnDefinition(type: ColumnType): string;
  /** The type and constraints of the column `id` in CREATE TABLE. */
  readonly primaryKeyDefinition: string;
  /** True if an index can have a condition on its rows. */
  readonly partialIndexes: boolean;
  /** Returns what makes an added column a foreign key: ` CONSTRAINT "k" REFERENCES …`. */
  addedKey(name: string, column: string, references: string): string;
  /** The words at the end of CREATE TABLE. */
  readonly tableOptions: string;
  /** Returns the statement that makes an empty table with the columns of another one, unless it
   *  exists; both names are quoted. The copy has a primary key where subqueries need one. */
  emptyCopy(copy: string, original: string): string;
  /** True if a transaction can change tables, and undo it. */
  readonly undoesTables: boolean;
  /** Renames an index. Undefined if the index must be dropped and created again. */
  readonly renameIndex: ((table: string, from: string, to: string) => string) | undefined;
  /** Gives a foreign key another name. Not called if the engine names none. */
  renamedKey(table: string, key: ForeignKey, to: string): string;
  /** True if no two foreign keys of a database can have the same name. */
  readonly sharesKeyNames: boolean;
  /** Returns what DROP INDEX names: `"i"`, or `"i" ON "t"` where indexes belong to their table. */
  indexOf(table: string, name: string): string;
  /** The words before the name of an index that is created or dropped while others write:
   *  `INDEX CONCURRENTLY` on PostgreSQL, outside of a transaction. */
  readonly indexOnline: string;
  /** Collects statistics of a table, in a transaction. Undefined if the engine does it itself. */
  readonly analyse: ((table: string) => string) | undefined;
  /** True if `Database.rehearse` holds up others. */
  readonly rehearsalLocks: boolean;
  /** Returns the column type for a declared type in `LiveTable`; undefined for any other type. */
  storedType(declared: string): StoredType | undefined;
  /** Returns whether a column of the declared type stores, returns and compares values of `type`:
   *  `('bigint', 'integer')` is true, the reverse is false on PostgreSQL. */
  holds(declared: string, type: ColumnType): boolean;
}

export const holding =
  (storedType: TableDialect['storedType'], compatibleTypes: Record<StoredType, readonly StoredType[]>): TableDialect['holds'] =>
  (declared, type) => {
    const stored = storedType(declared);
    return stored !== undefined && compatibleTypes[storedTypeOf(type)].includes(stored);
  };

/** The extension that an index of texts needs. */
export interface TextIndexes {
  /** Selects whether the database has it, or lets the user create it. */
  readonly isAvailable: string;
  /** Creates it, if it is missing. */
  readonly prepare: string;
  /** What follows the table in CREATE INDEX: `USING gin ("title" gin_trgm_ops)`. */
  using(column: string): string;
}
