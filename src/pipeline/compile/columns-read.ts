/** Finds the columns by which the rows of a list are chosen and sorted. */
import type { Schema } from '../../model/content-model.ts';
import type { AttributeOrder, Condition, Order } from '../plan/types.ts';

/** The columns that are read of each table. 'all': nothing is known, so any change of a row counts.
 *  Status and locale are not among them: a row keeps them as long as it exists. */
export type ColumnsRead = ReadonlyMap<string, ReadonlySet<string> | 'all'>;

export function columnsRead(schema: Schema, where: Condition, order: readonly Order[]): ColumnsRead {
  const columns = new Map<string, Set<string> | 'all'>();
  const of = ({ table }: Schema, ...names: readonly string[]): void => {
    const known = columns.get(table) ?? new Set<string>();
    if (known !== 'all') for (const name of names) known.add(name);
    columns.set(table, known);
  };
  const all = ({ table }: Schema) => columns.set(table, 'all');

  const hop = (from: Schema, { attribute, target, scope }: AttributeOrder['path'][number]): void => {
    of(target);
    // A change of a row of a table between them always counts.
    const isBetween = attribute.kind === 'component' || 'table' in attribute.storage;
    if (!isBetween) {
      all(from);
      all(target);
    }
    if (scope !== undefined) condition(target, scope);
  };
  const condition = (from: Schema, each: Condition): void => {
    switch (each.kind) {
      case 'and':
      case 'or':
        for (const operand of each.operands) condition(from, operand);
        return;
      case 'compare':
        of(from, each.attribute.column);
        return;
      case 'search':
        of(from, ...each.attributes.map(({ column }) => column));
        return;
      case 'exists':
        hop(from, each);
        condition(each.target, each.where);
        return;
      case 'fallback':
        if (each.scope !== undefined) condition(from, each.scope);
        return;
      case 'publication':
      case 'fullText':
        all(from);
        return;
      case 'related':
        all(from);
        for (const { target } of each.via) all(target);
        return;
      case 'status':
      case 'locales':
        return;
    }
  };

  of(schema);
  condition(schema, where);
  for (const term of order) {
    if (term.kind === 'rank' || term.kind === 'shared') continue;
    let from = schema;
    for (const each of term.path) {
      hop(from, each);
      from = each.target;
    }
    of(from, term.attribute.column);
  }
  return columns;
}
