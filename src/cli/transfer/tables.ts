/** The tables of a transfer, in the form that the target gets. */
import type { ColumnType } from '../../dialects/dialect.ts';

export interface CopiedColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly definition: string;
  readonly notNull: boolean;
}

export interface CopiedIndex {
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly string[];
}

export interface CopiedForeignKey {
  readonly name: string;
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
  readonly onDelete: string;
  readonly onUpdate: string;
}

export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly CopiedColumn[];
  readonly primaryKey: readonly string[];
  readonly indexes: readonly CopiedIndex[];
  readonly foreignKeys: readonly CopiedForeignKey[];
}
