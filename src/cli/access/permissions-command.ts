import { StartError } from '../../errors/start-error.ts';
import { offeredNames } from '../../migrations/prepare-database.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { applyPermissions } from '../../permissions/apply-permissions.ts';
import { describeLeftAlone, describePermissionChanges, planAsJson } from '../../permissions/describe-permissions.ts';
import { exportPermissions, exportProblems } from '../../permissions/export-permissions.ts';
import { type FoundDeclaration, findDeclaration, permissionsFileName } from '../../permissions/find-declaration.ts';
import { type PermissionPlan, planPermissions } from '../../permissions/plan-permissions.ts';
import { mayRemove } from '../../permissions/settle-permissions.ts';
import { describeRoles, shownRoles } from '../../permissions/show-permissions.ts';
import { readStoredState } from '../../permissions/stored-roles.ts';
import { describeUnknownRights, settleUnknownRights } from '../../permissions/unknown-rights.ts';
import { grantableTypesOf } from '../../rights/grantable-actions.ts';
import { originOf } from '../../tables/database-origin.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { withProject } from '../project/open-project.ts';
import { findRole } from './role-command.ts';

interface PermissionsOptions extends ProjectOptions {
  readonly json?: boolean;
}

/** `lectern permissions plan`: prints what `apply` would do. Changes nothing. */
export function permissionsPlan(options: PermissionsOptions): Promise<number> {
  return withProject(options, async ({ config, model, database }) => {
    const { source, declaration } = declared(config.dir, model);
    const stale = await settleUnknownRights(database, model, 'nothing', () => offeredNames(database, model));
    const plan = withoutProblems(source, planPermissions(declaration, await readStoredState(database), grantableTypesOf(model)));
    if (options.json === true)
      process.stdout.write(`${JSON.stringify({ ...planAsJson(plan, source), stale: stale.remaining }, null, 2)}\n`);
    else {
      const nothing = plan.changes.length === 0;
      process.stdout.write(
        (nothing ? `Nothing to do: the database matches ${source}.\n` : describePermissionChanges(plan.changes)) +
          describeLeftAlone(plan.leftAlone),
      );
      process.stderr.write(describeUnknownRights(stale));
    }
    return plan.changes.length === 0 ? exitCodes.done : exitCodes.changesFound;
  });
}

/** `lectern permissions apply`: one transaction, which also removes rights to removed types. */
export function permissionsApply(options: PermissionsOptions): Promise<number> {
  return withProject(options, async ({ config, model, database }) => {
    const { source, declaration } = declared(config.dir, model);
    const plan = withoutProblems(source, await applyPermissions(database, declaration, grantableTypesOf(model)));
    const origin = originOf(await database.tables(), model);
    const stale = await settleUnknownRights(database, model, mayRemove({ applyPermissions: 'auto' }, origin), () =>
      offeredNames(database, model),
    );
    if (options.json === true) process.stdout.write(`${JSON.stringify({ ...planAsJson(plan, source), stale }, null, 2)}\n`);
    else {
      const nothing = plan.changes.length === 0 && stale.removed.length === 0;
      process.stdout.write(nothing ? `Nothing to do: the database matches ${source}.\n` : describePermissionChanges(plan.changes));
      process.stdout.write(describeUnknownRights({ ...stale, remaining: [] }));
      process.stderr.write(describeUnknownRights({ ...stale, removed: [] }));
    }
    return 0;
  });
}

/** `lectern permissions export`: prints the rights in the database as a declaration. */
export function permissionsExport(options: ProjectOptions): Promise<number> {
  return withProject(options, async ({ model, database }) => {
    const { roles } = await readStoredState(database);
    const problems = exportProblems(roles);
    if (problems.length > 0) throw new StartError(problems);
    process.stdout.write(`${JSON.stringify(exportPermissions(roles, grantableTypesOf(model)), null, 2)}\n`);
    return 0;
  });
}

/** `lectern permissions show [role]`: prints what each role may do. */
export function permissionsShow(role: string | undefined, options: PermissionsOptions): Promise<number> {
  return withProject(options, async ({ config, model, database }) => {
    const { roles } = await readStoredState(database);
    const wanted = role === undefined ? roles : [findRole(role, roles)];
    const shown = shownRoles(wanted, findDeclaration(config.dir, model)?.declaration);
    process.stdout.write(options.json === true ? `${JSON.stringify({ roles: shown }, null, 2)}\n` : describeRoles(shown));
    return exitCodes.done;
  });
}

function declared(dir: string, model: ContentModel): FoundDeclaration {
  const found = findDeclaration(dir, model);
  if (found !== undefined) return found;
  throw new StartError([
    `The project declares no rights: it has no ${permissionsFileName}. \`${lecternCommand(`permissions export > ${permissionsFileName}`)}\` writes one from the database.`,
  ]);
}

function withoutProblems(source: string, plan: PermissionPlan): PermissionPlan {
  if (plan.problems.length > 0) throw new StartError(plan.problems.map((problem) => `${source}: ${problem}`));
  return plan;
}
