/** Tables as a migration sees them. */
import type { ColumnType } from '../dialects/dialect.ts';
import type { Uid } from '../model/content-model.ts';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Characters, where fewer are needed than the type has. */
  readonly length?: number;
  /** Attribute that it holds; undefined for the columns that every table of its kind has. */
  readonly attribute?: string;
}

export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** The rows that a partial index holds. */
  readonly where?: { readonly column: string; readonly isNull: boolean };
}

/** Always to the `id` of the referenced table. */
export interface ForeignKey {
  readonly name: string;
  readonly column: string;
  readonly references: string;
  readonly onDelete: 'CASCADE' | 'SET NULL';
}

/** What a table is there for, for messages: a type, or one of its attributes; `system` for the tables of the server itself. */
export interface Origin {
  readonly uid: Uid | 'system';
  readonly attribute?: string;
}

export interface Table {
  readonly name: string;
  readonly origin: Origin;
  readonly columns: readonly Column[];
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Indexes that Strapi does not make, for databases that Lectern made; their names start with `lectern_`. */
  readonly ownIndexes: readonly Index[];
}
