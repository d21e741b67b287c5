/** Statements and shapes: plain data, so that a plan can be sent to the process that runs it. */
import type { ScalarType, Uid } from '../../model/content-model.ts';
import type { Statement } from '../../sql/statement.ts';
import type { Envelope, ReadTarget } from '../call.ts';
import type { Pagination } from '../parse/types.ts';

export interface CompiledRead {
  readonly target: ReadTarget['kind'];
  readonly envelope: Envelope;
  readonly pagination: Pagination;
  /** Selects the page. */
  readonly rows: Statement;
  readonly count: Statement | undefined;
  /** Another way to the same page, for a list that is requested again: all its ids in order, and the rows of some ids. */
  readonly list: { readonly ids: Statement; readonly rowsOfIds: Statement } | undefined;
  readonly shape: Shape;
  /** The index of `updated_at` (in milliseconds) in the row of one document, whether or not it is shown; undefined for other reads. */
  readonly updatedAt: number | undefined;
  /** Every root entry ends with `isUrlSigned`. */
  readonly withIsUrlSigned: boolean;
}

/** Statements that select those of the given row ids that a restriction allows. They differ by status, since relations of drafts lead to drafts. */
export interface RowRestriction {
  /** Undefined if the restriction allows all rows. */
  readonly published: Statement | undefined;
  readonly draft: Statement | undefined;
}

/** The restrictions on rows that a write may reach. A type that is not listed is not restricted. */
export interface WriteRestrictions {
  /** The restriction on the written type. */
  readonly own: RowRestriction | undefined;
  /** The restriction on rows that the write also publishes. */
  readonly publishing: RowRestriction | undefined;
  /** The restrictions on the types that the body links to. */
  readonly targets: ReadonlyMap<Uid, RowRestriction>;
  /** The restrictions on the types whose documents the links of the body change. */
  readonly others: ReadonlyMap<Uid, RowRestriction>;
}

/** How a row becomes an entry. `id` is the index of the row id. */
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
  /** Set for `url` and `formats` of files, which contain URLs. URLs of private files are signed when they are rendered. */
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
