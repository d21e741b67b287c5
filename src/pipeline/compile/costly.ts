/** Which conditions cost so much that they decide the time of a read. */
import type { Condition } from '../plan/types.ts';

/** Whether each row is compared with a text, or with rows of other tables. Then finding the rows
 *  costs far more than storing their ids. */
export function isCostly(condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.operands.some(isCostly);
    case 'compare':
      return condition.comparison.operator === 'text';
    case 'exists':
    case 'publication':
    case 'search':
      return true;
    case 'status':
    case 'locales':
      return false;
  }
}
