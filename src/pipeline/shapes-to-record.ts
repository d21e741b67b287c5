/** Returns what a plan asks of each table by attributes: the shapes for which `lectern indexes advise` looks for an index. */
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
  const whole: Condition = { kind: 'and', operands: scope === undefined ? [where] : [scope, where] };
  return [...shapeOf(target, whole, []), ...related(where)];
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
  const ordered = sortedBy(order) ?? ranged;
  if (equal.size === 0 && ordered === undefined) return [];
  return [
    { uid, status, inOneLocale, equal: [...equal].sort(), ordered: ordered !== undefined && equal.has(ordered) ? undefined : ordered },
  ];
}

/** The conditions that all rows fulfil. */
const conjuncts = (condition: Condition): readonly Condition[] =>
  condition.kind === 'and' || (condition.kind === 'or' && condition.operands.length === 1)
    ? condition.operands.flatMap(conjuncts)
    : [condition];

const sortedBy = ([first]: readonly Order[]): string | undefined =>
  first === undefined || first.path.length > 0 || first.attribute.name === 'id' ? undefined : first.attribute.name;
