/** Rights at the start: those to removed types go, and those of the project are written. */
import type { Config } from '../config/config.ts';
import type { Database } from '../dialects/database.ts';
import { StartError } from '../errors/start-error.ts';
import type { ContentModel } from '../model/content-model.ts';
import { grantableTypesOf } from '../rights/grantable-actions.ts';
import type { DatabaseOrigin } from '../tables/database-origin.ts';
import { lecternCommand } from '../text/lectern-command.ts';
import { applyPermissions } from './apply-permissions.ts';
import { describePermissionChanges } from './describe-permissions.ts';
import type { FoundDeclaration } from './find-declaration.ts';
import { describeInvalidConditions, invalidConditions } from './invalid-conditions.ts';
import { planPermissions } from './plan-permissions.ts';
import { readStoredState } from './stored-roles.ts';
import { describeUnknownRights, type OfferedNames, settleUnknownRights } from './unknown-rights.ts';

export interface SettleParts {
  readonly database: Database;
  readonly model: ContentModel;
  readonly config: Pick<Config, 'applyPermissions'>;
  readonly origin: DatabaseOrigin;
  readonly offered: OfferedNames;
}

/** Returns the lines to print. Throws a `StartError` for a declaration with mistakes. */
export async function settlePermissions(
  { database, model, config, origin, offered }: SettleParts,
  found: FoundDeclaration | undefined,
): Promise<string> {
  const stale = await settleUnknownRights(database, model, mayRemove(config, origin), offered);
  const settled = found === undefined ? '' : await settleDeclaration(database, model, config, found);
  // Conditions are checked last, because the declaration may have replaced invalid ones.
  return describeUnknownRights(stale) + settled + describeInvalidConditions(await invalidConditions(database, model));
}

/** In a database that Strapi made, Strapi removes permissions of removed types at its start. */
export function mayRemove({ applyPermissions }: Pick<Config, 'applyPermissions'>, origin: DatabaseOrigin): 'all' | 'rules' | 'nothing' {
  if (applyPermissions === 'never') return 'nothing';
  return origin === 'strapi' ? 'rules' : 'all';
}

async function settleDeclaration(
  database: Database,
  model: ContentModel,
  { applyPermissions: setting }: Pick<Config, 'applyPermissions'>,
  { source, declaration }: FoundDeclaration,
): Promise<string> {
  const grantableTypes = grantableTypesOf(model);
  // Most starts change nothing, and must not wait for the write lock.
  const { changes, problems } = planPermissions(declaration, await readStoredState(database), grantableTypes);
  if (setting === 'never') {
    if (problems.length > 0) return `Warning: ${source} cannot be applied: ${problems.join('; ')}\n`;
    if (changes.length === 0) return '';
    return `Warning: the rights in the database differ from ${source}, and are not changed (LECTERN_APPLY_PERMISSIONS=never). \`${lecternCommand('permissions apply')}\` would do:\n${describePermissionChanges(changes)}`;
  }
  if (problems.length > 0) throw new StartError(problems.map((problem) => `${source}: ${problem}`));
  if (changes.length === 0) return '';
  const applied = await applyPermissions(database, declaration, grantableTypes);
  return applied.changes.length === 0
    ? ''
    : `Changed the rights in the database to match ${source}:\n${describePermissionChanges(applied.changes)}`;
}
