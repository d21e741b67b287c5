import type { LetterCase } from '../../dialects/dialect.ts';
import type { Schema } from '../../model/content-model.ts';
import type { Comparison, Filter } from '../parse/types.ts';
import type { Condition, PlannedComparison } from './types.ts';

export interface FilterRules {
  /** Returns the condition on rows that filters may pass through; undefined for all rows. */
  readonly scopeOf: (target: Schema) => Condition | undefined;
  readonly letterCase: (ignoreCase: boolean) => LetterCase;
  /** See `Condition`. */
  readonly isExact?: true;
}

/** Turns a filter into a condition: `{kind: 'not', operand: {kind: 'or', operands: [a, b]}}` gives
 *  `{kind: 'and', operands: [not a, not b]}`.
 *
 *  Moves every `not` down to the comparisons. A filter on a relation is true if it holds for one
 *  related row, or for a row of nulls if there is none. Each mention of a relation refers to a
 *  separate row, so `and` and `or` can be moved out of it. `not` cannot: "there is a row that is
 *  not red" differs from "there is no red row", and Strapi means the former. Source: where.ts of
 *  Strapi's query builder joins once for each mention. */
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
      return {
        kind: 'compare',
        attribute: filter.attribute,
        comparison: plannedComparison(filter.comparison, rules),
        negated,
        ...(rules.isExact ? { isExact: true } : {}),
      };
    case 'hop': {
      const where = plannedFilter(filter.filter, rules, negated);
      const { attribute, target } = filter.hop;
      return { kind: 'exists', attribute, target, where, orNone: holdsOfNulls(where), scope: rules.scopeOf(target) };
    }
    case 'quantified': {
      const { attribute, target } = filter.hop;
      const isEvery = filter.quantifier === 'every';
      return {
        ...{ kind: 'exists', attribute, target, where: plannedFilter(filter.filter, rules), orNone: false, scope: rules.scopeOf(target) },
        // `$every`: there is no related row for which the condition is not true.
        isComplement: isEvery,
        negated: (filter.quantifier !== 'some') !== negated,
      };
    }
  }
}

function plannedComparison(comparison: Comparison, rules: FilterRules): PlannedComparison {
  if (comparison.operator !== 'text') return comparison;
  const { operator, position, ignoreCase, negated, value } = comparison;
  return { operator, position, letterCase: rules.letterCase(ignoreCase), negated, value };
}

/** Whether the condition is true of a row without relations in which every column is null. */
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
      // `in` with an empty list is false, not unknown.
      return operator === 'in' && condition.comparison.values.length === 0 && condition.negated;
    }
    case 'exists':
      return condition.orNone || condition.negated === true;
    case 'status':
    case 'locales':
    case 'fallback':
    case 'publication':
    case 'search':
    case 'fullText':
    case 'related':
      return false;
  }
}
