/** What a start does about rights: what is gone takes its rights along, and what the project declares is brought to the database. */
import type { Config } from '../config/config.ts';
import type { Database } from '../dialects/dialect.ts';
import { StartError } from '../errors/start-error.ts';
import type { ContentModel } from '../model/content-model.ts';
import { grantableTypesOf } from '../rights/grantable-actions.ts';
import type { DatabaseOrigin } from '../tables/database-origin.ts';
import { applyPermissions } from './apply-permissions.ts';
import { describeChanges } from './describe-permissions.ts';
import type { FoundDeclaration } from './find-declaration.ts';
import { describeInvalidConditions, invalidConditions } from './invalid-conditions.ts';
import { planPermissions } from './plan-permissions.ts';
import { readStoredState } from './stored-roles.ts';
import { describeUnknownRights, type OfferedNames, settleUnknownRights } from './unknown-rights.ts';

export interface SettleParts {
  readonly database: Database;
  readonly model: ContentModel;
  readonly config: Pick<Config, 'applyPermissions'>;
  readonly maker: DatabaseOrigin;
  readonly offered: OfferedNames;
}

/** Answers what to tell whoever starts; empty when nothing was done and nothing is wrong. Throws a `StartError` for a declaration with mistakes. */
export async function settlePermissions(
  { database, model, config, maker, offered }: SettleParts,
  found: FoundDeclaration | undefined,
): Promise<string> {
  const stale = await settleUnknownRights(database, model, mayRemove(config, maker), offered);
  const settled = found === undefined ? '' : await settleDeclaration(database, model, config, found);
  // Last: what is declared was checked, and may have taken the place of what could not be read.
  return describeUnknownRights(stale) + settled + describeInvalidConditions(await invalidConditions(database, model));
}

/** Strapi takes away permissions to what is gone when it starts on a database of its own; a second hand is not needed there. */
export function mayRemove({ applyPermissions }: Pick<Config, 'applyPermissions'>, maker: DatabaseOrigin): 'all' | 'rules' | 'nothing' {
  if (applyPermissions === 'never') return 'nothing';
  return maker === 'strapi' ? 'rules' : 'all';
}

async function settleDeclaration(
  database: Database,
  model: ContentModel,
  { applyPermissions: setting }: Pick<Config, 'applyPermissions'>,
  { source, declaration }: FoundDeclaration,
): Promise<string> {
  const subjects = grantableTypesOf(model);
  // Most starts change nothing, and must not wait for a turn to write.
  const { changes, problems } = planPermissions(declaration, await readStoredState(database), subjects);
  if (setting === 'never') {
    if (problems.length > 0) return `Warning: ${source} cannot be applied: ${problems.join('; ')}\n`;
    if (changes.length === 0) return '';
    return `Warning: the rights in the database differ from ${source}, and are not changed (LECTERN_APPLY_PERMISSIONS=never). \`lectern permissions apply\` would do:\n${describeChanges(changes)}`;
  }
  if (problems.length > 0) throw new StartError(problems.map((problem) => `${source}: ${problem}`));
  if (changes.length === 0) return '';
  const applied = await applyPermissions(database, declaration, subjects);
  return applied.changes.length === 0
    ? ''
    : `Brought the rights in the database to what ${source} says:\n${describeChanges(applied.changes)}`;
}
