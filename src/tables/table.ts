/** Tables, columns, indexes and foreign keys as plain values. */
import type { ColumnType } from '../dialects/column-type.ts';
import type { Uid } from '../model/content-model.ts';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Length in characters, if it is shorter than the type's. */
  readonly length?: number;
  /** The attribute that it stores; undefined for columns that every table of its kind has. */
  readonly attribute?: string;
}

export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** A column whose order a read asks for: that of the dialect, which need not be the database's
   *  own. Other columns are compared with `=`. */
  readonly sorted?: { readonly column: string; readonly type: ColumnType; readonly direction?: 'desc' };
  /** The rows that a partial index contains. */
  readonly where?: { readonly column: string; readonly isNull: boolean };
  /** An index of texts that stand anywhere in its column (`Dialect.textIndexes`). */
  readonly ofTexts?: true;
  /** Only for engines that have no partial indexes. */
  readonly replacesPartial?: true;
}

export const plainIndex = (name: string, ...columns: readonly string[]): Index => ({ name, columns, unique: false });

/** A foreign key always refers to `id`. */
export interface ForeignKey {
  readonly name: string;
  readonly column: string;
  readonly references: string;
  readonly onDelete: 'CASCADE' | 'SET NULL';
}

/** What a table belongs to, for messages: a type, or one of its attributes; `system`
 *  for the server's own tables. */
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
  /** Indexes that Strapi does not create, for databases that Lectern created; their
   *  names start with `lectern_`. */
  readonly ownIndexes: readonly Index[];
}
