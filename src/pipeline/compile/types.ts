/** Statements and shapes: plain data, so that a plan can be sent to the process that runs it. */

import type { ColumnType, SqlValue } from '../../dialects/dialect.ts';
import type { ScalarType, Uid } from '../../model/content-model.ts';
import type { Parameter, Statement } from '../../sql/statement.ts';
import type { Envelope, ReadTarget } from '../call.ts';
import type { Pagination } from '../parse/types.ts';

/** What one request binds to the parameters of its plan. Plain data. */
export interface Bindings {
  /** The documentId or row id in the path. */
  readonly key: string | number | undefined;
  /** The values of the query, in the order of the plan's slots. */
  readonly values: readonly SqlValue[];
  readonly pagination: Pagination;
}

export interface CompiledRead {
  readonly target: ReadTarget['kind'];
  readonly envelope: Envelope;
  readonly statements: RootStatements | WholeStatement;
  readonly shape: Shape;
  /** All tables that its statements read. */
  readonly tables: readonly string[];
  /** The index of `updated_at` (in milliseconds) in the row of one document, whether or not it is shown; undefined for other reads. */
  readonly updatedAt: number | undefined;
  /** Whether a value of the query may make the read take many times as long as another one does: it is compared with each text, or decides which rows of other
   *  tables are read. */
  readonly valuesDecideTime: boolean;
  /** Every root entry ends with `isUrlSigned`. */
  readonly withIsUrlSigned: boolean;
}

/** A statement for each path. */
export interface RootStatements {
  readonly kind: 'separate';
  /** Selects the page. */
  readonly rows: Statement;
  readonly count: Statement | undefined;
  /** Selects the ids of the page and, in the last row, the total: for conditions that are costly to evaluate, which `rows` and `count` would evaluate twice. */
  readonly pageAndTotal: Statement | undefined;
  /** Another way to the same page, for a list that is requested again: all its ids in order, and the rows of some ids. */
  readonly list: { readonly ids: Statement; readonly rowsOfIds: Statement; readonly tested: TestedList | undefined } | undefined;
}

/** A way to all ids of a list whose rows are compared with values: a reader that holds the compared values tests the rows by itself. */
export interface TestedList {
  /** A name of the values, as a statement that is not run. It tells apart lists whose columns are the same, but are tested in other ways. */
  readonly name: Statement;
  /** Selects, in the order of the list, [id, …values] of the rows that meet its other conditions. */
  readonly rows: Statement;
  /** Selects the version of the data (null if no statement tells it, or if the values must not be held), the number of these rows, and the
   *  characters of their texts. */
  readonly size: Statement;
  readonly test: RowTest;
  /** The engine may find the rows in an index: the test compares for equality, and no condition is costly. */
  readonly mayUseIndex: boolean;
  /** The read has conditions whose cost depends on values (`costly.ts`), and the test has them all. */
  readonly decidesTime: boolean;
}

/** A test of one row. `index` is that of a value. A null passes no comparison. */
export type RowTest =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly RowTest[] }
  /** The text contains the other one or, negated, does not. `folds`: the engine folds the letter case of the value, which is bound as it is. */
  | { readonly kind: 'text'; readonly index: number; readonly value: Parameter; readonly folds: boolean; readonly negated: boolean }
  /** The text equals the value, character by character. */
  | { readonly kind: 'equal text'; readonly index: number; readonly value: Parameter }
  | { readonly kind: 'number'; readonly index: number; readonly operator: '=' | '<' | '<=' | '>' | '>='; readonly value: Parameter };

/** One statement for all paths. Its rows are [number of the part, …columns of the part as texts]. Part 0 is one row, [version of the data, total]; the total
 *  is null if it was not asked for or is known. Part 1 are the requested rows. */
export interface WholeStatement {
  readonly kind: 'whole';
  readonly statement: Statement;
  /** The position in the text where the page is inserted, with its size as a number: PostgreSQL plans a LIMIT whose value it does not know as a tenth of the
   *  table. Undefined if the rows have no page. */
  readonly pageAt: number | undefined;
  /** The tables that decide which rows the page has, and the total; undefined if the rows have no page. */
  readonly pageTables: readonly string[] | undefined;
  readonly parts: readonly WholePart[];
  /** For each part, a name of all that its rows depend on besides the data and the ids of the page, as a statement that is not run. Empty without a page. */
  readonly partNames: readonly Statement[];
  /** Another way to the ids of the page, and to the total. */
  readonly tested: TestedList | undefined;
}

export interface WholePart {
  /** The types of its columns. */
  readonly types: readonly ColumnType[];
  /** Its rows are [parent's id, row id, …]: a row arrives once for each of its parents. */
  readonly isLinked: boolean;
}

/** Where the rows of a path come from: a statement of their own, or a part of the whole statement. */
export type RowsFrom = Statement | number;

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
      readonly rows: RowsFrom;
      readonly shape: Shape;
    }
  /** Rows are [parent id, number]. */
  | { readonly kind: 'count'; readonly key: string; readonly rows: RowsFrom }
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
      readonly references: RowsFrom;
      readonly branches: ReadonlyMap<Uid, { readonly rows: RowsFrom; readonly shape: Shape }>;
      /** The dynamic zone whose rows without a branch are reported; undefined where they are left out on purpose. */
      readonly zone: string | undefined;
    };
