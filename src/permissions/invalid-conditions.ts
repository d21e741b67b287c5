/** Finds conditions that cannot be read, for instance because they name a removed attribute. They match no rows. */

import type { Database } from '../dialects/database.ts';
import type { ContentModel } from '../model/content-model.ts';
import { grantableTypesOf, partsOf } from '../rights/grantable-actions.ts';
import { isRestrictable } from '../rights/rights.ts';
import { allRules } from '../rights/role-rights-store.ts';
import { hasTable } from '../sql/table-exists.ts';
import { roleRulesTable } from '../tables/system-tables.ts';
import { isObject } from '../text/json.ts';
import { conditionCheck } from './condition-check.ts';

/** `editor: api::note.note.find, in its "where": Invalid key author` */
export async function invalidConditions(database: Database, model: ContentModel): Promise<readonly string[]> {
  if (!(await hasTable(database, roleRulesTable))) return [];
  const rules = await database.read(allRules);
  const grantableTypes = grantableTypesOf(model);
  const check = conditionCheck(model);
  return rules.flatMap(({ role, action, condition }) => {
    if (role === undefined || typeof condition !== 'string') return [];
    const type = grantableTypes.get(partsOf(action).typeKey)?.restrictable;
    // A rule of a removed type is reported as an unknown right.
    if (type === undefined || !isRestrictable(action)) return [];
    const problem = problemOf(condition, (where) => check(where, type.uid));
    return problem === undefined ? [] : [`${role}: ${action}, in its "where": ${problem}`];
  });
}

function problemOf(
  text: string,
  check: (where: Parameters<ReturnType<typeof conditionCheck>>[0]) => string | undefined,
): string | undefined {
  try {
    const where: unknown = JSON.parse(text);
    return isObject(where) ? check(where) : 'is not an object';
  } catch {
    return 'is not JSON';
  }
}

export function describeInvalidConditions(conditions: readonly string[]): string {
  if (conditions.length === 0) return '';
  const list = conditions.map((each) => `  ${each}\n`).join('');
  return `Warning: conditions of rights cannot be read, and match no rows until they are corrected:\n${list}`;
}
