import type { GrantableTypes } from '../rights/grantable-actions.ts';
import { isGranted, isRestricted, type StoredRight } from '../rights/role-rights-store.ts';
import type { JsonObject } from '../text/json.ts';
import type { StoredRole } from './stored-roles.ts';

/** Writes roles as a declaration, without rights that a declaration cannot name. */
export function exportPermissions(roles: readonly StoredRole[], grantableTypes: GrantableTypes): JsonObject {
  return { roles: Object.fromEntries(roles.map((role) => [role.type, exportRole(role, grantableTypes)])) };
}

export function exportRole({ name, description, rights }: StoredRole, grantableTypes: GrantableTypes): JsonObject {
  return { ...(name === '' ? {} : { name }), description, rights: exportRights(rights, grantableTypes) };
}

function exportRights(rights: StoredRole['rights'], grantableTypes: GrantableTypes): JsonObject {
  const exported: Record<string, unknown> = {};
  for (const { key, actions } of grantableTypes.values()) {
    const granted = actions.flatMap((name): [string, unknown][] => {
      const right = rights.get(`${key}.${name}`);
      // A rule that cannot be read allows nothing; without it, the right would be unrestricted.
      if (right === undefined || !isGranted(right) || isUnreadable(right)) return [];
      return [[name, isRestricted(right.rule?.restriction) ? right.rule?.restriction : true]];
    });
    if (granted.length === 0) continue;
    exported[key] = granted.every(([, limit]) => limit === true) ? granted.map(([name]) => name) : Object.fromEntries(granted);
  }
  return exported;
}

const isUnreadable = ({ rule }: StoredRight) => rule !== undefined && rule.restriction === undefined;

/** Why an export would be incomplete: roles of the same type, rules that cannot be read. */
export function exportProblems(roles: readonly StoredRole[]): readonly string[] {
  const types = roles.map(({ type }) => type);
  const repeated = [...new Set(types.filter((type, index) => types.indexOf(type) !== index))];
  return [
    ...repeated.map((type) => `several roles have the type ${type}, and a file can declare only one of them; remove the others first`),
    ...roles.flatMap(({ type, rights }) =>
      [...rights.values()].filter(isUnreadable).map(({ action }) => `the rule for ${action} of ${type} cannot be read; revoke the right`),
    ),
  ];
}
