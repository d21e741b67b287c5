/** Statements and shapes: plain data, so that a plan can be sent to the process that runs it. */

import type { ColumnType } from '../../dialects/column-type.ts';
import type { SqlValue } from '../../dialects/dialect.ts';
import type { ScalarType, Uid } from '../../model/content-model.ts';
import type { Parameter, Statement } from '../../sql/statement.ts';
import type { Envelope, ReadTarget } from '../call.ts';
import type { GroupFunction, Pagination } from '../parse/types.ts';

/** What one request binds to the parameters of its plan. Plain data. */
export interface Bindings {
  /** The documentId or row id in the path. */
  readonly key: string | number | undefined;
  /** The values of the query, in the order of the plan's slots. */
  readonly values: readonly SqlValue[];
  readonly pagination: Pagination;
  /** The total of a list, where it is known; then it is not counted. */
  readonly total?: number | undefined;
}

export interface CompiledRead {
  readonly target: ReadTarget['kind'];
  readonly envelope: Envelope;
  readonly statements: RootStatements | SingleStatement;
  readonly shape: Shape;
  /** Set if the rows are groups, which are written without `shape`. */
  readonly groups?: CompiledGroups;
  readonly dependencies: Dependencies;
  /** Undefined where no total was requested, where few rows match, where texts are searched, and
   *  where one statement finds the page and the total together. */
  readonly total: CompiledTotal | undefined;
  readonly cursor: CompiledCursor | undefined;
  /** Set if rows beyond `CompiledEstimate.counted` are not counted. */
  readonly estimate: CompiledEstimate | undefined;
  /** The index of `updated_at` (in milliseconds) in the row of one document, whether or not it is
   *  shown; undefined for other reads. */
  readonly updatedAt: number | undefined;
  /** Every root entry ends with `isUrlSigned`. */
  readonly withIsUrlSigned: boolean;
}

interface ReadColumn {
  readonly index: number;
  readonly type: ScalarType;
}

/** How a row becomes a group. */
export interface CompiledGroups {
  readonly keys: readonly {
    readonly name: string;
    readonly value: ReadColumn;
    /** Set for a document, whose documentId is the value. */
    readonly related: { readonly title: (ReadColumn & { readonly name: string }) | undefined } | undefined;
  }[];
  /** The index of the count; undefined if it is not shown. */
  readonly count: number | undefined;
  readonly functions: readonly (ReadColumn & { readonly name: GroupFunction; readonly attribute: string })[];
}

/** What a response depends on beside the rows that it shows. */
export interface Dependencies {
  /** `tableKey` of the tables of which any change may change the response, `rowsKey` and
   *  `columnKey` of those whose rows it lists by some columns, and `unknownRowsKey` of all that are
   *  read. */
  readonly tables: readonly number[];
  /** Set for a list of the rows with one value: writes to other rows of the table do not change it. */
  readonly named: { readonly table: string; readonly column: string; readonly value: Parameter } | undefined;
}

/** The total of a list. */
export interface CompiledTotal {
  /** Selects it. Its text and its values tell one total from others. */
  readonly statement: Statement;
  /** What it depends on. */
  readonly keys: readonly number[];
  /** The read without it, if one statement selects both. */
  readonly without: SingleStatement | undefined;
}

export interface CompiledCursor {
  readonly key: string;
  /** Selects the ids of rows and what they are sorted by. */
  readonly places: RowsFrom;
}

export interface CompiledEstimate {
  /** The most rows that are counted. */
  readonly counted: number;
  /** Its plan says how many rows the engine expects; undefined for engines that expect no useful
   *  number. */
  readonly expected: Statement | undefined;
}

/** A statement for each path. */
export interface RootStatements {
  readonly kind: 'separate';
  /** Selects the page. */
  readonly rows: Statement;
  readonly count: Statement | undefined;
  /** Set if the conditions are costly: these statements evaluate them once for the page and the
   *  total, `rows` and `count` once each. */
  readonly found: FoundOnce | undefined;
}

export interface FoundOnce {
  /** Selects the ids of the page and, in the last row, the total. */
  readonly pageAndTotal: Statement;
  readonly rowsOfIds: Statement;
}

/** A single statement for all paths. Its rows are [number of the part, …columns of the part as
 *  texts]. Part 0 is one row with the total: null if it was not requested or follows from the
 *  page. Part 1 is the requested rows. */
export interface SingleStatement {
  readonly kind: 'single';
  readonly statement: Statement;
  /** The position in the text where the page is inserted, with its size as a number:
   *  PostgreSQL plans a LIMIT whose value it does not know as a tenth of the table.
   *  Undefined if the rows have no page. */
  readonly pageAt: number | undefined;
  readonly parts: readonly StatementPart[];
}

export interface StatementPart {
  /** The types of its columns. */
  readonly types: readonly ColumnType[];
  /** Its rows are [parent's id, row id, …]: a row arrives once for each of its parents. */
  readonly isLinked: boolean;
}

/** Where the rows of a path come from: their own statement, or a part of the single one. */
export type RowsFrom = Statement | number;

/** Statements that select those of the row ids that a restriction allows. They differ by
 *  status, since relations of drafts lead to drafts. */
export interface RowRestriction {
  /** Undefined if the restriction allows all rows. */
  readonly published: Statement | undefined;
  readonly draft: Statement | undefined;
}

/** The restrictions on rows that a write may reach. A type that is not listed is not restricted. */
export interface WriteRestrictions {
  /** The restriction on the written type. */
  readonly own: RowRestriction | undefined;
  /** The restriction on rows that the write also publishes, and on published ones that it deletes. */
  readonly publishing: RowRestriction | undefined;
  /** The restrictions on the types that the body links to. */
  readonly targets: ReadonlyMap<Uid, RowRestriction>;
  /** The restrictions on the types whose documents the links of the body change. */
  readonly others: ReadonlyMap<Uid, RowRestriction>;
}

/** How a row becomes an entry. `id` is the index of the row id. */
export interface Shape {
  /** The table of the rows. */
  readonly table: string;
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
  /** Set for `url` and `formats` of files, which contain URLs. URLs of private files are
   *  signed when they are rendered. */
  readonly holds: 'url' | 'urls' | undefined;
}

export type CompiledLink =
  /** Rows are [parent id, …columns of the shape]. */
  | {
      readonly kind: 'rows';
      readonly key: string;
      readonly cardinality: 'one' | 'many';
      readonly component: boolean;
      /** A row that comes again for the same parent is not shown again. */
      readonly repeats: boolean;
      /** The row of the parent has a column with the id of this row. */
      readonly keyInRow: boolean;
      readonly rows: RowsFrom;
      readonly shape: Shape;
    }
  /** Rows are [parent id, number]. */
  | { readonly kind: 'count'; readonly key: string; readonly rows: RowsFrom }
  /** Rows of `references` are [parent id, target id, target type]; rows of a branch are [columns of
   *  the shape], or [target id, …columns of the shape] where another row stands for the target. */
  | {
      readonly kind: 'polymorphic';
      readonly key: string;
      readonly cardinality: 'one' | 'many';
      readonly component: boolean;
      /** Return the number of entries instead of the entries. */
      readonly count: boolean;
      /** `__component` or `__type`. */
      readonly typeKey: string;
      readonly references: RowsFrom;
      readonly branches: ReadonlyMap<Uid, { readonly rows: RowsFrom; readonly shape: Shape }>;
      /** The dynamic zone whose rows without a branch are reported; undefined where
       *  they are left out on purpose. */
      readonly zone: string | undefined;
    };
