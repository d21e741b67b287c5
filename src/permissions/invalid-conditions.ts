/** Finds conditions that cannot be read, such as on a removed attribute. They match no rows. */

import type { Database } from '../dialects/database.ts';
import type { ContentModel } from '../model/content-model.ts';
import { conditionProblem } from '../pipeline/restrict/restriction-filters.ts';
import { grantableTypesOf, partsOf } from '../rights/grantable-actions.ts';
import { isRestrictable } from '../rights/rights.ts';
import { allRules } from '../rights/role-rights-store.ts';
import { hasTable } from '../sql/table-exists.ts';
import { roleRulesTable } from '../tables/system-tables.ts';
import { jsonOrUndefined } from '../text/json.ts';

/** `editor: api::note.note.find, in its "where": Invalid key author` */
export async function invalidConditions(database: Database, model: ContentModel): Promise<readonly string[]> {
  if (!(await hasTable(database, roleRulesTable))) return [];
  const rules = await database.read(allRules);
  const grantableTypes = grantableTypesOf(model);
  return rules.flatMap(({ role, action, condition }) => {
    if (role === undefined || typeof condition !== 'string') return [];
    const type = grantableTypes.get(partsOf(action).typeKey)?.restrictable;
    // A rule of a removed type is reported as an unknown right.
    if (type === undefined || !isRestrictable(action)) return [];
    const problem = conditionProblem(jsonOrUndefined(condition), type.uid, model);
    return problem === undefined ? [] : [`${role}: ${action}, in its "where": ${problem}`];
  });
}

export function describeInvalidConditions(conditions: readonly string[]): string {
  if (conditions.length === 0) return '';
  const list = conditions.map((each) => `  ${each}\n`).join('');
  return `Warning: conditions of rights cannot be read, and match no rows until they are corrected:\n${list}`;
}
