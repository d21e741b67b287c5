/** The rights that a role has once the changes of a plan are applied. */
import { isGranted } from '../rights/role-rights-store.ts';
import type { PermissionChange } from './plan-permissions.ts';
import type { StoredState } from './stored-roles.ts';

export function rightsAfter(type: string, { roles }: StoredState, changes: readonly PermissionChange[]): ReadonlySet<string> {
  const rights = new Set(
    roles.filter((role) => role.type === type).flatMap((role) => [...role.rights.values()].filter(isGranted).map(({ action }) => action)),
  );
  for (const change of changes) {
    if (change.role !== type) continue;
    if (change.kind === 'grant') rights.add(change.action);
    else if (change.kind === 'revoke') rights.delete(change.action);
  }
  return rights;
}
