/** The tables of a transfer, in the form that the target gets. */
import type { ColumnType } from '../../dialects/dialect.ts';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly definition: string;
  readonly notNull: boolean;
}

export interface Index {
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly string[];
}

export interface ForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly primaryKey: readonly string[];
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
}
