/** Statements and shapes: plain data, so that a plan can be sent to the process that runs it. */
import type { ScalarType, Uid } from '../../model/content-model.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Envelope, ReadTarget } from '../call.ts';
import type { Pagination } from '../parse/types.ts';

export interface CompiledRead {
  readonly target: ReadTarget['kind'];
  readonly envelope: Envelope;
  readonly pagination: Pagination;
  /** The page itself. */
  readonly rows: Statement;
  readonly count: Statement | undefined;
  /** Another way to the same page, for a list that is requested again: all its ids in order, and the rows of some ids. */
  readonly list: { readonly ids: Statement; readonly rowsOfIds: Statement } | undefined;
  readonly shape: Shape;
  /** Where `updated_at` stands in the row of one document, in milliseconds and whether or not it is shown; undefined for other reads. */
  readonly updatedAt: number | undefined;
  /** Every root entry ends with `isUrlSigned`. */
  readonly withIsUrlSigned: boolean;
}

/** Statements that select, of some row ids, those that a restriction allows. Relations of drafts lead to drafts. */
export interface RowRestriction {
  /** Undefined: the restriction allows all of them. */
  readonly published: Statement | undefined;
  readonly draft: Statement | undefined;
}

/** Which rows a write may reach; a type that is not listed is not restricted. */
export interface WriteRestrictions {
  /** On the type that is written. */
  readonly own: RowRestriction | undefined;
  /** On the rows that the write publishes as well. */
  readonly publishing: RowRestriction | undefined;
  /** On the types that the body links to. */
  readonly targets: ReadonlyMap<Uid, RowRestriction>;
  /** On the types whose documents the links of the body change. */
  readonly others: ReadonlyMap<Uid, RowRestriction>;
}

/** How a row becomes an entry. The row id stands at `id`. */
export interface Shape {
  readonly id: number;
  readonly columns: readonly ShapeColumn[];
  readonly links: readonly CompiledLink[];
  /** Components have no `attributes` level in the v4 envelope. */
  readonly component: boolean;
}

export interface ShapeColumn {
  readonly key: string;
  readonly type: ScalarType;
  readonly index: number;
  /** In files: `url`, or `formats`, which have one URL each. URLs of private files are signed when they are rendered. */
  readonly holds: 'url' | 'urls' | undefined;
}

export type CompiledLink =
  /** Rows are [parent id, …columns of the shape]. */
  | {
      readonly kind: 'rows';
      readonly key: string;
      readonly cardinality: 'one' | 'many';
      readonly component: boolean;
      /** The row of the parent has a column with the id of this row. */
      readonly keyInRow: boolean;
      readonly statement: Statement;
      readonly shape: Shape;
    }
  /** Rows are [parent id, number]. */
  | { readonly kind: 'count'; readonly key: string; readonly statement: Statement }
  /** Rows of `references` are [parent id, target id, target type]; rows of a branch are [columns of the shape]. */
  | {
      readonly kind: 'polymorphic';
      readonly key: string;
      readonly cardinality: 'one' | 'many';
      readonly component: boolean;
      /** Return the number of entries instead of the entries. */
      readonly count: boolean;
      /** `__component` or `__type`. */
      readonly typeKey: string;
      readonly references: Statement;
      readonly branches: ReadonlyMap<Uid, { readonly statement: Statement; readonly shape: Shape }>;
      /** The dynamic zone whose rows without a branch are reported; undefined where they are left out on purpose. */
      readonly zone: string | undefined;
    };
