/** Finds rights that callers lose by signing in: users have the role `authenticated` instead of
 *  `public`, not in addition to it. */
import type { GrantableTypes } from '../rights/grantable-actions.ts';
import type { PermissionChange } from './plan-permissions.ts';
import { rightsAfter } from './rights-after.ts';
import type { StoredState } from './stored-roles.ts';

/** The most types that are named. */
const shown = 10;

/** The warning, or undefined. `changes`: those that the next start applies to the stored rights. */
export function describeVisitorsOnly(
  stored: StoredState,
  changes: readonly PermissionChange[],
  grantableTypes: GrantableTypes,
): string | undefined {
  const visitors = rightsAfter('public', stored, changes);
  const users = rightsAfter('authenticated', stored, changes);
  const lacking = [...grantableTypes.values()].flatMap(({ key, actions, restrictable }) => {
    // Signed-in users do not need the rights to register and to sign in.
    const lost = restrictable === undefined ? [] : actions.filter((name) => visitors.has(`${key}.${name}`) && !users.has(`${key}.${name}`));
    return lost.length === 0 ? [] : [`${key} (${lost.join(', ')})`];
  });
  if (lacking.length === 0) return undefined;
  const more = lacking.length > shown ? `, and ${lacking.length - shown} more` : '';
  return `Visitors (role public) have rights that users who have signed in (role authenticated) lack: ${lacking.slice(0, shown).join(', ')}${more}`;
}
