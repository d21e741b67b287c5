import type { Database } from '../dialects/database.ts';
import type { GrantableTypes } from '../rights/grantable-actions.ts';
import { changingRoles, hasRoleRules, type StoredRights } from '../rights/role-rights-store.ts';
import { addRole } from '../rights/role-store.ts';
import type { Cell, Rows } from '../sql/rows.ts';
import type { Declaration } from './declaration.ts';
import { type PermissionChange, type PermissionPlan, planPermissions } from './plan-permissions.ts';
import { storedRoles } from './stored-roles.ts';

/** Makes the roles in the database match the declaration, and returns the changes. The plan is
 *  part of the transaction, so one of several starting processes does the work. Problems change
 *  nothing. */
export async function applyPermissions(
  database: Database,
  declaration: Declaration,
  grantableTypes: GrantableTypes,
): Promise<PermissionPlan> {
  const hasRules = await hasRoleRules(database);
  return changingRoles(database, async (rows, rights) => {
    const roles = await storedRoles(rows, rights);
    const plan = planPermissions(declaration, { roles, hasRules }, grantableTypes);
    const known = new Map(roles.map((role) => [role.type, { id: role.id, rights: role.rights }]));
    for (const [type, changes] of byRole(plan.changes)) {
      const role = known.get(type) ?? { id: await addDeclared(changes, rows), rights: new Map() };
      await changeRole(role, changes, rows, rights);
    }
    return plan;
  });
}

function byRole(changes: readonly PermissionChange[]): Map<string, PermissionChange[]> {
  const roles = new Map<string, PermissionChange[]>();
  for (const change of changes) roles.set(change.role, [...(roles.get(change.role) ?? []), change]);
  return roles;
}

function addDeclared(changes: readonly PermissionChange[], rows: Rows): Promise<number> {
  const added = changes.find((change) => change.kind === 'addRole');
  if (added === undefined) throw new Error('a plan changes a role that does not exist');
  return addRole(rows, { ...added, type: added.role });
}

async function changeRole(
  { id, rights: stored }: { readonly id: number; readonly rights: StoredRights },
  changes: readonly PermissionChange[],
  rows: Rows,
  rights: Parameters<Parameters<typeof changingRoles>[1]>[1],
): Promise<void> {
  const storedOf = (action: string) => {
    const right = stored.get(action);
    return right === undefined ? [] : [right];
  };
  const cells: Cell[] = [{ name: 'updated_at', type: 'datetime', value: Date.now() }];
  for (const change of changes) {
    if (change.kind === 'changeRole') {
      if (change.name !== undefined) cells.push({ name: 'name', type: 'string', value: change.name });
      if (change.description !== undefined) cells.push({ name: 'description', type: 'string', value: change.description });
    } else if (change.kind === 'limit') {
      for (const right of storedOf(change.action)) await rights.restrict(id, right, change.limit);
    }
  }
  rows.update('up_roles', id, cells);
  await rights.revoke(
    changes.flatMap((change) => (change.kind === 'revoke' || change.kind === 'forgetRule' ? storedOf(change.action) : [])),
  );
  await rights.grant(
    id,
    changes.flatMap((change) => (change.kind === 'grant' ? [{ action: change.action, restriction: change.limit }] : [])),
  );
}
