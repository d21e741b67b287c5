/** SQL text with placeholders, and its parameters in the order of the placeholders. Plain data, so that it can be sent to another process. */
import type { SqlValue } from '../dialects/dialect.ts';

export interface Statement {
  readonly text: string;
  readonly parameters: readonly Parameter[];
}

/** A list is one parameter, in the form that `Dialect.bindIds` or `bindTexts` gives it. */
export type Bindable = SqlValue | readonly SqlValue[];

/** `ids`: the row ids of the parents. `key`: the path parameter. Both are known only when the statement runs. */
export type Parameter = { readonly kind: 'value'; readonly value: Bindable } | { readonly kind: 'ids' } | { readonly kind: 'key' };
