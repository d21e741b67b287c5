/** What a plan asks of each table by attributes: the shapes for `lectern indexes advise`. */
import type { RecordedShape } from '../indexes/recorded-shape.ts';
import type { Schema } from '../model/content-model.ts';
import type { Condition, Node, Order, ReadPlan } from './plan/types.ts';

export function shapesToRecord({ target, root }: ReadPlan): RecordedShape[] {
  // A document is found by its id.
  const own = target === 'list' ? shapeOf(root.schema, root.where, root.order) : [];
  return [...own, ...related(root.where)];
}

/** The rows of relations and components that a condition passes through. */
function related(condition: Condition): RecordedShape[] {
  if (condition.kind === 'and' || condition.kind === 'or') return condition.operands.flatMap(related);
  if (condition.kind !== 'exists') return [];
  const { target, where, scope } = condition;
  const scoped: Condition = { kind: 'and', operands: scope === undefined ? [where] : [scope, where] };
  return [...shapeOf(target, scoped, []), ...related(where)];
}

function shapeOf({ uid }: Schema, where: Condition, order: Node['order']): RecordedShape[] {
  const equal = new Set<string>();
  let status: RecordedShape['status'];
  let inOneLocale = false;
  let ranged: string | undefined;
  for (const condition of conjuncts(where)) {
    if (condition.kind === 'status') status = condition.status;
    else if (condition.kind === 'locales') inOneLocale = condition.codes.length === 1;
    else if (condition.kind === 'compare' && !condition.negated) {
      const { operator } = condition.comparison;
      if (operator === '=' || operator === 'in') equal.add(condition.attribute.name);
      else if (['<', '<=', '>', '>=', 'between'].includes(operator)) ranged ??= condition.attribute.name;
    }
  }
  const first = sortedBy(order) ?? ranged;
  const ordered = first !== undefined && equal.has(first) ? undefined : first;
  const compared = comparesTexts(where) ? further(where, order, new Set([...equal, ordered, 'id'])) : [];
  if (equal.size === 0 && ordered === undefined && compared.length === 0) return [];
  return [{ uid, status, inOneLocale, equal: [...equal].sort(), ordered, compared }];
}

/** Whether each row is compared with a text. */
const comparesTexts = (condition: Condition): boolean =>
  condition.kind === 'and' || condition.kind === 'or'
    ? condition.operands.some(comparesTexts)
    : condition.kind === 'search' || (condition.kind === 'compare' && condition.comparison.operator === 'text');

/** The other attributes of a row that are read to find and to sort the rows. */
function further(where: Condition, order: Node['order'], known: ReadonlySet<string | undefined>): string[] {
  const names = new Set(order.flatMap((term) => (term.kind === 'attribute' && term.path.length === 0 ? [term.attribute.name] : [])));
  const add = (condition: Condition): void => {
    if (condition.kind === 'and' || condition.kind === 'or') condition.operands.forEach(add);
    else if (condition.kind === 'compare') names.add(condition.attribute.name);
    else if (condition.kind === 'search') for (const { name } of condition.attributes) names.add(name);
    else if (condition.kind === 'locales' && condition.codes.length !== 1) names.add('locale');
  };
  add(where);
  return [...names].filter((name) => !known.has(name)).sort();
}

/** The conditions that all rows fulfil. */
const conjuncts = (condition: Condition): readonly Condition[] =>
  condition.kind === 'and' || (condition.kind === 'or' && condition.operands.length === 1)
    ? condition.operands.flatMap(conjuncts)
    : [condition];

const sortedBy = ([first]: readonly Order[]): string | undefined =>
  first?.kind !== 'attribute' || first.path.length > 0 || first.attribute.name === 'id' ? undefined : first.attribute.name;
