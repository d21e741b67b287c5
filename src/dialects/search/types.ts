/** What a full-text index is to a dialect. Each row of a content table has an entry in the index
 *  table, with a column for each attribute, so that a query reads only those that a caller may
 *  filter by. */
import type { TextMatch } from '../text-match.ts';

/** Where the text of a column comes from. */
export type TextSource =
  | { readonly kind: 'column'; readonly attribute: string; readonly column: string; readonly holds: 'text' | 'blocks' }
  /** The texts of the components that a row has in an attribute. */
  | {
      readonly kind: 'components';
      readonly link: ComponentLink;
      /** The table of the component. */
      readonly table: string;
      readonly texts: readonly TextSource[];
    };

/** The rows of a components table that lead to one component in one attribute. */
export interface ComponentLink {
  readonly table: string;
  readonly field: string;
  readonly component: string;
}

export interface IndexDefinition {
  /** The index table. */
  readonly table: string;
  /** The content table. */
  readonly rows: string;
  readonly columns: readonly IndexColumn[];
}

export interface IndexColumn {
  readonly name: string;
  readonly texts: readonly TextSource[];
  /** Whether its weight is greater than the least one: then ranks ask whether it has a term. */
  readonly isRanked: boolean;
}

/** A word, or several in a row. */
export interface SearchTerm {
  readonly words: readonly string[];
  /** Whether the last word may be the beginning of one. */
  readonly isPrefix: boolean;
}

/** A search in those columns that the caller may filter by. */
export interface Searched {
  readonly table: string;
  /** By falling weight. */
  readonly columns: readonly { readonly name: string; readonly weight: number }[];
  /** The names of all columns of the index. */
  readonly all: readonly string[];
  readonly terms: readonly SearchTerm[];
}

export interface SearchDialect {
  /** Statements that make the empty table, the triggers that keep it, and what these need. */
  create(index: IndexDefinition): readonly string[];
  /** Statements of one transaction that write the entries of the rows with ids above `from`, up to
   *  `to`. Where only one transaction writes at a time, each may be one of its own. */
  fill(index: IndexDefinition, from: number, to: number): readonly string[];
  /** How many of these transactions run at the same time. */
  readonly fillsAtOnce: number;
  /** Statements after the last row. They run outside of a transaction. */
  finish(index: IndexDefinition): readonly string[];
  /** Selects the name and the table of each trigger of a full-text index. */
  readonly triggers: string;
  /** Statements that remove a trigger. */
  dropTrigger(name: string, table: string): readonly string[];
  /** Statements that remove the table, and what else has its name. */
  drop(table: string): readonly string[];
  /** Returns a condition: the row with the id has every term in one of the columns. */
  matches(searched: Searched, id: string): TextMatch;
  /** Returns the rank of a row that matches: the sum, over the terms, of the greatest weight of a
   *  column that has the term. It depends on nothing but the row and its columns. */
  rank(searched: Searched, id: string): TextMatch;
}
