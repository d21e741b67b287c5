/** The changes of a write, one for each row. `difference.ts` makes the list without a database,
 *  `write-changes.ts` writes it. */
import type { InverseMorphColumns, InverseMorphLink, LinkTable, MorphLink, Schema } from '../../../../model/content-model.ts';
import type { Cell } from '../../../../sql/rows.ts';
import type { AwaitedLink, Entry, Link, LinkAttribute, TargetRow } from '../../../entry/entry.ts';
import type { ReferenceColumns } from './morph-references.ts';

/** An entry to be written. */
export interface SavedEntry {
  /** The entry as it should be. It has an `id` if its row exists. Attributes that are in none of
   *  its maps stay as they are. */
  readonly wanted: Entry;
  /** The stored entry; undefined for a new row. */
  readonly current: Entry | undefined;
  /** Columns that the server writes: times, documentId, locale. */
  readonly system: readonly Cell[];
  /** The same row as a target of links. It gets the id when the row is inserted. */
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
  | ReferenceRemoval
  | AwaitedLinkInsert
  | AwaitedLinksRemoval;

/** Inserts a row of a content type or component. `entry.id` is set when it is written. */
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
  readonly schema: Schema;
  /** The entry as it was stored, where it was loaded. */
  readonly before: Entry | undefined;
}

/** Deletes a row of any table. Foreign keys delete the rows of link tables that lead to it. */
export interface RowDelete {
  readonly kind: 'delete row';
  readonly table: string;
  readonly id: number;
  /** Set for a row of a content type or component. */
  readonly schema?: Schema;
}

/** Changes the position of a stored link or component. */
export interface PositionChange {
  readonly kind: 'move';
  readonly table: string;
  readonly column: string;
  readonly id: number;
  readonly position: number | null;
}

/** Inserts the join row of a new component. */
export interface ComponentInsert {
  readonly kind: 'insert component';
  readonly owner: Entry;
  readonly component: Entry;
  readonly field: string;
  readonly position: number | null;
}

/** Inserts a row of a link table. The owner's row is inserted before, so its id is known. */
export interface LinkInsert {
  readonly kind: 'insert link';
  readonly owner: Entry;
  readonly attribute: LinkAttribute;
  readonly storage: LinkTable;
  readonly link: Link;
}

/** Inserts a row of a link table that refers to one of its ends by type and id. */
export interface MorphLinkInsert {
  readonly kind: 'insert morph link';
  readonly owner: Entry;
  readonly attribute: LinkAttribute;
  readonly storage: InverseMorphLink | MorphLink;
  readonly link: Link;
}

/** Changes the other side of a morphToOne relation: columns of the targets' rows. */
export interface InverseColumnsChange {
  readonly kind: 'set inverse columns';
  readonly owner: Entry;
  readonly storage: InverseMorphColumns;
  readonly table: string;
  /** Their ids are known when the change is written: the owner itself may be among them. */
  readonly added: readonly TargetRow[];
  readonly removed: readonly number[];
}

/** A published entry, or a component in it, awaits a link to a document that has no published
 *  version. */
export interface AwaitedLinkInsert {
  readonly kind: 'await link';
  readonly owner: Entry;
  readonly link: AwaitedLink;
}

/** Forgets what rows await. */
export interface AwaitedLinksRemoval {
  readonly kind: 'forget awaited links';
  readonly table: string;
  readonly ids: readonly number[];
}

/** Removes references to a deleted row by type and id, which no foreign key covers. */
export interface ReferenceRemoval {
  readonly kind: 'remove references';
  readonly columns: ReferenceColumns;
  readonly id: number;
}
