/** Finds a default role that would make every new user an administrator: the server then refuses all
 *  registrations, which otherwise only those that register would notice. */
import { managementAccess } from '../rights/rights.ts';
import type { PermissionChange } from './plan-permissions.ts';
import { rightsAfter } from './rights-after.ts';
import type { StoredState } from './stored-roles.ts';

/** The warning, or undefined. `changes`: those that the next start applies to the stored rights. */
export const describeDefaultAdministrators = (
  role: string,
  stored: StoredState,
  changes: readonly PermissionChange[],
): string | undefined =>
  rightsAfter(role, stored, changes).has(managementAccess)
    ? `The role of newly registered users, ${role}, has the right ${managementAccess}, so nobody can register: choose another role in auth.defaultRole, or in the advanced settings of users in Strapi's panel`
    : undefined;
