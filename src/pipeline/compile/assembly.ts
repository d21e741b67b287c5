/** How a read's rows are selected: by a statement for each path, or by one for all paths. */
import type { Uid } from '../../model/content-model.ts';
import type { Sql } from '../../sql/sql.ts';
import type { Node, ReadPlan } from '../plan/types.ts';
import type { ParentIds, ReferenceSource, RowSource } from './links.ts';
import type { CompiledRead, RowsFrom } from './types.ts';

export interface LinkedRows {
  readonly node: Node;
  readonly source: RowSource;
  /** Everything after FROM except the order. */
  readonly found: Sql;
  readonly order: Sql | undefined;
}

/** Rows of one path, and their ids as the parents of further paths. */
export interface Level {
  readonly rows: RowsFrom;
  readonly ids: ParentIds;
}

/** Is called once for each path, parents before their children. */
export interface Assembly {
  /** Selects the requested rows. Returns their ids. */
  root(plan: ReadPlan): ParentIds;
  /** Selects the parent's id and the columns of each linked row. */
  linked(rows: LinkedRows): Level;
  /** Selects the number of linked rows of each parent. */
  count(source: RowSource, found: Sql): RowsFrom;
  /** Selects the parent's id, the target's id and its type. */
  references(source: ReferenceSource): { readonly rows: RowsFrom; readonly idsOf: (type: Uid) => ParentIds };
  /** Selects the rows of one type by their ids. */
  branch(node: Node, ids: ParentIds): Level;
  /** Selects, for a list by cursors, the ids of rows and what they are sorted by. */
  places(plan: ReadPlan): RowsFrom;
  statements(): CompiledRead['statements'];
}
