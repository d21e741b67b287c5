/** What a write changes, one change for each row. `difference.ts` makes the list without a database, `write-changes.ts` writes it. */
import type { InverseMorphColumns, InverseMorphLink, LinkTable, MorphLink } from '../../../../model/content-model.ts';
import type { Cell } from '../../../../sql/rows.ts';
import type { Entry, Link, LinkAttribute, TargetRow } from '../../../entry/entry.ts';
import type { ReferenceColumns } from './morph-references.ts';

/** An entry to be written. */
export interface SavedEntry {
  /** Its `id` says whether the row is there. Attributes that are in none of its maps stay as they are. */
  readonly wanted: Entry;
  /** What is stored; undefined for a new row. */
  readonly current: Entry | undefined;
  /** Columns that the server writes: times, documentId, locale. */
  readonly system: readonly Cell[];
  /** The same row as a target of links, which gets the id of a new row. */
  readonly asTarget?: TargetRow;
}

export type Change =
  | RowInsert
  | RowUpdate
  | RowDelete
  | PositionChange
  | ComponentInsert
  | LinkInsert
  | MorphLinkInsert
  | InverseColumnsChange
  | ReferenceRemoval;

/** A row of a content type or component. `entry.id` is set when it is written. */
export interface RowInsert {
  readonly kind: 'insert row';
  readonly entry: Entry;
  readonly cells: readonly Cell[];
  readonly asTarget: TargetRow | undefined;
}

export interface RowUpdate {
  readonly kind: 'update row';
  readonly table: string;
  readonly id: number;
  readonly cells: readonly Cell[];
}

/** A row of any table. Foreign keys delete the rows of link tables that lead to it. */
export interface RowDelete {
  readonly kind: 'delete row';
  readonly table: string;
  readonly id: number;
}

/** A stored link or component that moves among the others. */
export interface PositionChange {
  readonly kind: 'move';
  readonly table: string;
  readonly column: string;
  readonly id: number;
  readonly position: number | null;
}

/** The join row of a new component. */
export interface ComponentInsert {
  readonly kind: 'insert component';
  readonly owner: Entry;
  readonly component: Entry;
  readonly field: string;
  readonly position: number | null;
}

/** A row of a link table. The owner's id is known when its row is inserted. */
export interface LinkInsert {
  readonly kind: 'insert link';
  readonly owner: Entry;
  readonly attribute: LinkAttribute;
  readonly storage: LinkTable;
  readonly link: Link;
}

/** A row of a table that names one of its ends by type and id. */
export interface MorphLinkInsert {
  readonly kind: 'insert morph link';
  readonly owner: Entry;
  readonly attribute: LinkAttribute;
  readonly storage: InverseMorphLink | MorphLink;
  readonly link: Link;
}

/** The other side of a morphToOne: columns of the targets' own rows name the owner. */
export interface InverseColumnsChange {
  readonly kind: 'set inverse columns';
  readonly owner: Entry;
  readonly storage: InverseMorphColumns;
  readonly table: string;
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/** Columns elsewhere that name a deleted row by type and id, which no foreign key follows. */
export interface ReferenceRemoval {
  readonly kind: 'remove references';
  readonly columns: ReferenceColumns;
  readonly id: number;
}
