/** What conditions look at, and which cost so much that they decide the time of a read. */
import type { Condition } from '../plan/types.ts';

/** Whether each row is compared with a text, or with rows of other tables. Then finding the rows
 *  costs far more than storing their ids. */
export const isCostly = (condition: Condition): boolean => someLeaf(condition, (leaf) => comparesText(leaf) || looksElsewhere(leaf));

/** Whether texts are searched. */
export const searchesText = (condition: Condition): boolean => someLeaf(condition, comparesText);

/** Whether a condition that is no group passes the test, also inside relations. */
export function someLeaf(condition: Condition, test: (leaf: Condition) => boolean): boolean {
  if (condition.kind === 'and' || condition.kind === 'or') return condition.operands.some((operand) => someLeaf(operand, test));
  return test(condition) || (condition.kind === 'exists' && someLeaf(condition.where, test));
}

const comparesText = (leaf: Condition): boolean =>
  leaf.kind === 'search' || leaf.kind === 'fullText' || (leaf.kind === 'compare' && leaf.comparison.operator === 'text');

const looksElsewhere = ({ kind }: Condition): boolean =>
  kind === 'exists' || kind === 'fallback' || kind === 'publication' || kind === 'related';
