/** Plans the changes that make the rights in the database match a declaration. */

import { type GrantableTypes, isGrantableAction, partsOf } from '../rights/grantable-actions.ts';
import { isOwnAction } from '../rights/rights.ts';
import { isGranted, isRestricted, type StoredRestriction, type StoredRight } from '../rights/role-rights-store.ts';
import { lecternCommand } from '../text/lectern-command.ts';
import { nearest } from '../text/nearest.ts';
import type { Declaration, DeclaredRole } from './declaration.ts';
import type { StoredRole, StoredState } from './stored-roles.ts';

/** A change of one role, which is identified by its type. */
export type PermissionChange =
  | { readonly kind: 'addRole'; readonly role: string; readonly name: string; readonly description: string }
  | { readonly kind: 'changeRole'; readonly role: string; readonly name?: string; readonly description?: string }
  | { readonly kind: 'grant'; readonly role: string; readonly action: string; readonly limit: StoredRestriction }
  | { readonly kind: 'revoke'; readonly role: string; readonly action: string }
  /** The right gets another restriction; `before` is undefined if the former one cannot be read. */
  | {
      readonly kind: 'limit';
      readonly role: string;
      readonly action: string;
      readonly before: StoredRestriction | undefined;
      readonly limit: StoredRestriction;
    }
  /** A rule without its right; it would restrict a right that is granted later. */
  | { readonly kind: 'forgetRule'; readonly role: string; readonly action: string };

export interface PermissionPlan {
  readonly changes: readonly PermissionChange[];
  /** Rights of declared roles that the declaration does not own, as `role: action`. */
  readonly leftAlone: readonly string[];
  /** Why the declaration cannot be applied to this database; then there are no changes. */
  readonly problems: readonly string[];
}

/** The roles of every project. The others need a name: typing mistakes must not create roles. */
const standardNames: Readonly<Record<string, string>> = { public: 'Public', authenticated: 'Authenticated' };

const needsRule = (change: PermissionChange): boolean =>
  (change.kind === 'grant' || change.kind === 'limit') && (isRestricted(change.limit) || isOwnAction(change.action));

export const noRules = `rights with "fields" or "where", findDraft and publish need a table that this database does not have: run \`${lecternCommand('migrate apply')}\` once`;

export function planPermissions({ roles }: Declaration, stored: StoredState, grantableTypes: GrantableTypes): PermissionPlan {
  const changes: PermissionChange[] = [];
  const leftAlone: string[] = [];
  const problems: string[] = [];
  for (const [type, declared] of roles) {
    const found = stored.roles.filter((role) => role.type === type);
    const [role] = found;
    if (found.length > 1) problems.push(`roles.${type}: ${found.length} roles in the database have this type; remove the others first`);
    if (role === undefined && declared.name === undefined && !Object.hasOwn(standardNames, type)) {
      const meant = nearest(type, new Set([...stored.roles.map((each) => each.type), ...Object.keys(standardNames)]));
      const hint = meant === undefined || roles.has(meant) ? '' : `; did you mean ${meant}?`;
      problems.push(`roles.${type}: there is no such role, and to create it a "name" is needed${hint}`);
    }
    const ofRights = rightChanges(type, declared, role, grantableTypes);
    if (!stored.hasRules && ofRights.some(needsRule)) problems.push(`roles.${type}: ${noRules}`);
    changes.push(...roleChanges(type, declared, role), ...ofRights);
    leftAlone.push(...unowned(declared, role, grantableTypes).map((action) => `${type}: ${action}`));
  }
  return problems.length > 0 ? { changes: [], leftAlone, problems } : { changes, leftAlone, problems };
}

function roleChanges(type: string, declared: DeclaredRole, role: StoredRole | undefined): PermissionChange[] {
  if (role === undefined) {
    const name = declared.name ?? standardNames[type] ?? type;
    return [{ kind: 'addRole', role: type, name, description: declared.description ?? '' }];
  }
  const name = declared.name === undefined || declared.name === role.name ? {} : { name: declared.name };
  const description =
    declared.description === undefined || declared.description === role.description ? {} : { description: declared.description };
  return Object.keys({ ...name, ...description }).length === 0 ? [] : [{ kind: 'changeRole', role: type, ...name, ...description }];
}

function rightChanges(
  type: string,
  declared: DeclaredRole,
  role: StoredRole | undefined,
  grantableTypes: GrantableTypes,
): PermissionChange[] {
  const changes: PermissionChange[] = [];
  for (const [action, limit] of declared.rights) {
    const right = role?.rights.get(action);
    if (right === undefined) changes.push({ kind: 'grant', role: type, action, limit });
    else if (!isGranted(right)) changes.push({ kind: 'forgetRule', role: type, action }, { kind: 'grant', role: type, action, limit });
    else if (!isSame(limitOf(right), limit)) changes.push({ kind: 'limit', role: type, action, before: limitOf(right), limit });
  }
  for (const right of role?.rights.values() ?? []) {
    const { action } = right;
    if (declared.rights.has(action) || !isOwned(action, declared, grantableTypes)) continue;
    changes.push({ kind: isGranted(right) ? 'revoke' : 'forgetRule', role: type, action });
  }
  return changes;
}

/** A declaration owns all rights to content types, but only the plugin controllers that it names:
 *  otherwise a file about content would revoke the right to sign in. It does not own actions that
 *  only Strapi has, because it could not grant them again. */
function isOwned(action: string, { controllers }: DeclaredRole, grantableTypes: GrantableTypes): boolean {
  if (!isGrantableAction(action, grantableTypes)) return false;
  const { typeKey } = partsOf(action);
  return grantableTypes.get(typeKey)?.type !== undefined || controllers.has(typeKey);
}

const unowned = (declared: DeclaredRole, role: StoredRole | undefined, grantableTypes: GrantableTypes): string[] =>
  [...(role?.rights.values() ?? [])]
    .filter((right) => isGranted(right) && !isOwned(right.action, declared, grantableTypes))
    .map(({ action }) => action);

const limitOf = ({ rule }: StoredRight): StoredRestriction | undefined => (rule === undefined ? {} : rule.restriction);

export function isSame(a: StoredRestriction | undefined, b: StoredRestriction): boolean {
  return a !== undefined && canonical(a) === canonical(b);
}

/** A text that is equal for equal restrictions: the order of names and keys is ignored. */
function canonical({ fields, where }: StoredRestriction): string {
  return JSON.stringify([fields === undefined ? null : [...new Set(fields)].sort(), where === undefined ? null : sorted(where)]);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
