/** SQL text with placeholders, and its parameters in the order of the placeholders. Plain data, so
 *  that it can be sent to another process. */
import type { SqlValue } from '../dialects/dialect.ts';

export interface Statement {
  readonly text: string;
  readonly parameters: readonly Parameter[];
  /** The tables that `sql.table` named: those whose rows the text reads. */
  readonly tables: readonly string[];
}

/** A list is one parameter, in the form that `Dialect.bindIds` or `bindTexts` gives it. */
export type Bindable = SqlValue | readonly SqlValue[];

/** Only `value` is known when the statement is compiled. `ids`: the row ids of the parents. `key`:
 *  the path parameter. `limit` and `offset`: the page. `slot`: a value of the query, by its
 *  position in `Bindings.values`. */
export type Parameter =
  | { readonly kind: 'value'; readonly value: Bindable }
  | { readonly kind: 'ids' | 'key' | 'limit' | 'offset' }
  | { readonly kind: 'slot'; readonly index: number };
