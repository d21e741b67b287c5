import { type Sql, sql, statementOf } from '../../sql/sql.ts';
import type { ReadPlan } from '../plan/types.ts';
import { unindexed } from './compile-conditions.ts';
import { isCostly, isCostlyLink } from './costly.ts';
import type { ReadFragments } from './fragments.ts';
import { testedRows } from './tested-rows.ts';
import type { RowTest, TestedList } from './types.ts';

/** Makes the statements by which a reader learns the values that a list is searched by. Undefined if only the engine can search it.
 *  `version`: SQL of the version of the data, if a statement can tell it. */
export function testedList(plan: ReadPlan, fragments: ReadFragments, version: Sql = sql`NULL`): TestedList | undefined {
  const { root } = plan;
  const { held } = fragments.dialect;
  const tested = held === undefined ? undefined : testedRows(root.where, fragments.conditions, held);
  if (held === undefined || tested === undefined) return undefined;
  const filtered = fragments.filtered({ ...plan, root: { ...root, where: tested.where } });
  const row = fragments.alias();
  const id = fragments.id(row);
  const order = fragments.orders.compile(root.order, row, root.schema, [sql`${unindexed(id)} ASC`]);
  const values = tested.values(row).map(({ value }) => value);
  const counted = fragments.alias();
  const lengths = tested.values(counted).flatMap(({ value, isText }) => (isText ? [sql`, sum(length(${value}))`] : []));
  const statement = (text: Sql) => statementOf(fragments.dialect, text);
  const mayUseIndex = !isCostly(root.where);
  const { areTextsExact, isSmallTable } = held;
  const ofTable = (condition: (placeholder: string) => string) =>
    sql.ask((_, table) => condition(table), sql.value(root.schema.table, 'string'));
  const isSmall = mayUseIndex ? [ofTable(isSmallTable)] : [];
  const isFit = [...isSmall, ...(tested.hasEqualTexts && areTextsExact !== undefined ? [ofTable(areTextsExact)] : [])];
  const versionIfFit = isFit.length === 0 ? version : sql`CASE WHEN ${sql.join(isFit, ' AND ')} THEN ${version} END`;
  const rows = statement(sql`SELECT ${sql.join([id, ...values])} ${filtered(row, order.joins)} ORDER BY ${order.terms}`);
  return {
    name: { ...rows, text: `${waysOf(tested.test).join(', ')} of ${rows.text}` },
    rows,
    size: statement(sql`SELECT ${versionIfFit}, count(*)${sql.join(lengths, '')} ${filtered(counted, [], isSmall)}`),
    test: tested.test,
    mayUseIndex,
    decidesTime: !mayUseIndex && tested.testsCostly && !root.links.some(isCostlyLink),
  };
}

/** Returns in which way each value is tested: `text 0`. */
const waysOf = (test: RowTest): readonly string[] =>
  'operands' in test ? [...new Set(test.operands.flatMap(waysOf))].sort() : [`${test.kind} ${test.index}`];
