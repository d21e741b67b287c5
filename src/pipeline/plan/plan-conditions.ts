import type { LetterCase } from '../../dialects/dialect.ts';
import type { Schema } from '../../model/content-model.ts';
import type { Comparison, Filter } from '../parse/types.ts';
import type { Condition, PlannedComparison } from './types.ts';

export interface FilterRules {
  /** The condition on rows that may be passed through; undefined for all. */
  readonly scopeOf: (target: Schema) => Condition | undefined;
  readonly letterCase: (ignoreCase: boolean) => LetterCase;
}

/** Makes a condition of a filter: `{kind: 'not', operand: {kind: 'or', operands: [a, b]}}` gives `{kind: 'and', operands: [not a, not b]}`.
 *
 *  Moves every `not` down to the comparisons. A filter on a relation asks whether there is a related row, or a row of nulls in its place,
 *  of which it is true. Each mention of a relation stands for a row of its own, so that question goes through `and` and `or`; through
 *  `not` it does not (there is a row that is not red ≠ there is no red row), and Strapi means the former. Source: where.ts of Strapi's
 *  query builder joins once for each mention. */
export function plannedFilter(filter: Filter, rules: FilterRules, negated = false): Condition {
  switch (filter.kind) {
    case 'not':
      return plannedFilter(filter.operand, rules, !negated);
    case 'and':
    case 'or': {
      const kind = negated ? (filter.kind === 'and' ? 'or' : 'and') : filter.kind;
      return { kind, operands: filter.operands.map((operand) => plannedFilter(operand, rules, negated)) };
    }
    case 'comparison':
      return { kind: 'compare', attribute: filter.attribute, comparison: plannedComparison(filter.comparison, rules), negated };
    case 'hop': {
      const where = plannedFilter(filter.filter, rules, negated);
      const { attribute, target } = filter.hop;
      return { kind: 'exists', attribute, target, where, orNone: holdsOfNulls(where), scope: rules.scopeOf(target) };
    }
  }
}

function plannedComparison(comparison: Comparison, rules: FilterRules): PlannedComparison {
  if (comparison.operator !== 'text') return comparison;
  const { operator, place, ignoreCase, negated, value } = comparison;
  return { operator, place, letterCase: rules.letterCase(ignoreCase), negated, value };
}

/** Whether the condition is true of a row in which every column is null and which nothing is related to. */
function holdsOfNulls(condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.operands.every(holdsOfNulls);
    case 'or':
      return condition.operands.some(holdsOfNulls);
    case 'compare': {
      const { operator } = condition.comparison;
      if (operator === 'null') return !condition.negated;
      if (operator === 'not null') return condition.negated;
      // A list without values is false of everything, and not unknown.
      return operator === 'in' && condition.comparison.values.length === 0 && condition.negated;
    }
    case 'exists':
      return condition.orNone;
    case 'status':
    case 'locales':
    case 'publication':
    case 'search':
      return false;
  }
}
