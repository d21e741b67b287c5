/** Describes plans of rights, for people and for programs. */
import { isRestricted, type StoredRestriction } from '../rights/role-rights-store.ts';
import type { PermissionChange, PermissionPlan } from './plan-permissions.ts';

/** One line for each change, grouped by role. */
export function describePermissionChanges(changes: readonly PermissionChange[]): string {
  const roles = [...new Set(changes.map(({ role }) => role))];
  return roles
    .map((role) => {
      const lines = changes.filter((change) => change.role === role).map((change) => `  ${describeChange(change)}\n`);
      return `${role}\n${lines.join('')}`;
    })
    .join('');
}

function describeChange(change: PermissionChange): string {
  switch (change.kind) {
    case 'addRole':
      return `+ the role, with the name ${JSON.stringify(change.name)}`;
    case 'changeRole':
      return `~ ${[
        ...(change.name === undefined ? [] : [`name ${JSON.stringify(change.name)}`]),
        ...(change.description === undefined ? [] : [`description ${JSON.stringify(change.description)}`]),
      ].join(', ')}`;
    case 'grant':
      return `+ ${change.action}${isRestricted(change.limit) ? ` ${describeRestriction(change.limit)}` : ''}`;
    case 'revoke':
      return `- ${change.action}`;
    case 'limit':
      return `~ ${change.action} ${describeRestriction(change.limit)}, instead of ${describeRestriction(change.before)}`;
    case 'forgetRule':
      return `- the restriction of ${change.action}, which is not granted`;
    default:
      return change satisfies never;
  }
}

export function describeRestriction(restriction: StoredRestriction | undefined): string {
  if (restriction === undefined) return 'a rule that cannot be read';
  return isRestricted(restriction) ? JSON.stringify(restriction) : 'no restriction';
}

export const describeLeftAlone = (leftAlone: readonly string[]): string =>
  leftAlone.length === 0 ? '' : `Not managed by the file, and left unchanged:\n${leftAlone.map((each) => `  ${each}\n`).join('')}`;

export const planAsJson = ({ changes, leftAlone }: PermissionPlan, source: string) => ({ source, changes, leftAlone });
