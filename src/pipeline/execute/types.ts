import type { Connection } from '../../dialects/database.ts';
import type { Row } from '../../dialects/dialect.ts';
import type { Uid } from '../../model/content-model.ts';
import type { ReadBudget } from './read-budget.ts';

export interface Execution {
  readonly connection: Connection;
  /** The budget of this read only. */
  readonly budget: ReadBudget;
}

/** A row of a response. `Shape` has the indexes of its columns in `values`. */
export interface FoundRow {
  readonly id: number;
  readonly values: Row;
}

/** The rows of one read, level by level. */
export interface ReadRows {
  readonly rows: readonly FoundRow[];
  /** Undefined when the total was not requested. */
  readonly total: number | undefined;
  readonly links: Links;
  /** The cursor of the next page; null on the last page, undefined without cursors. */
  readonly next?: string | null;
  /** Whether the total is an estimate. */
  readonly isEstimate?: boolean;
}

/** The populated rows of one level, in the order of the shape's links. */
export interface Links {
  readonly found: readonly LinkRows[];
  /** The order in which the links are written; filled in when everything has been read. */
  readonly order: number[];
}

export type LinkRows =
  | {
      readonly kind: 'rows';
      readonly byParent: ReadonlyMap<number, readonly FoundRow[]>;
      /** Whether a row is below several parents, which then have the same object. */
      readonly isShared: boolean;
      readonly links: Links;
    }
  | { readonly kind: 'count'; readonly byParent: ReadonlyMap<number, number> }
  | {
      readonly kind: 'polymorphic';
      readonly references: ReadonlyMap<number, readonly Reference[]>;
      readonly branches: ReadonlyMap<Uid, { readonly byId: ReadonlyMap<number, FoundRow>; readonly links: Links }>;
    };

export interface Reference {
  readonly id: number;
  readonly type: Uid;
}
