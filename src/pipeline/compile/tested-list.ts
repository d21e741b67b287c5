import { type Sql, sql, statementOf } from '../../sql/sql.ts';
import type { ReadPlan } from '../plan/types.ts';
import { unindexed } from './compile-conditions.ts';
import { isCostlyLink } from './costly.ts';
import type { ReadFragments } from './fragments.ts';
import { testedRows } from './tested-rows.ts';
import type { TestedList } from './types.ts';

/** Makes the statements by which a reader learns the values that a list is searched by. Undefined if only the engine can search it.
 *  `version`: SQL of the version of the data, if a statement can tell it. */
export function testedList(plan: ReadPlan, fragments: ReadFragments, version: Sql = sql`NULL`): TestedList | undefined {
  const { root } = plan;
  const tested = testedRows(root.where, fragments.conditions);
  if (tested === undefined) return undefined;
  const filtered = fragments.filtered({ ...plan, root: { ...root, where: tested.where } });
  const row = fragments.alias();
  const id = fragments.id(row);
  const order = fragments.orders.compile(root.order, row, root.schema, [sql`${unindexed(id)} ASC`]);
  const values = tested.values(row).map(({ value }) => value);
  const counted = fragments.alias();
  const lengths = tested.values(counted).flatMap(({ value, isText }) => (isText ? [sql`, sum(length(${value}))`] : []));
  const statement = (text: Sql) => statementOf(fragments.dialect, text);
  return {
    rows: statement(sql`SELECT ${sql.join([id, ...values])} ${filtered(row, order.joins)} ORDER BY ${order.terms}`),
    size: statement(sql`SELECT ${version}, count(*)${sql.join(lengths, '')} ${filtered(counted)}`),
    test: tested.test,
    decidesTime: tested.testsCostly && !root.links.some(isCostlyLink),
  };
}
