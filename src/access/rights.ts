import { createHash } from 'node:crypto';
import type { Rights } from './actor.ts';

/** API tokens of type `full-access`. */
export const fullRights: Rights = { key: 'full', allows: () => true };

const readActions = ['.find', '.findOne', '.findDraft'];

/** API tokens of type `read-only`: whatever an action belongs to, only its last word counts. `findDraft` is Lectern's own. */
export const readOnlyRights: Rights = { key: 'read-only', allows: (action) => readActions.some((end) => action.endsWith(end)) };

/** The rights of a role or of a token of type `custom`. Equal sets of actions have equal keys, whoever holds them. */
export function rightsTo(actions: Iterable<string>): Rights {
  const allowed = new Set(actions);
  const key = createHash('sha256')
    .update([...allowed].sort().join('\n'))
    .digest('base64url');
  return { key, allows: (action) => allowed.has(action) };
}
