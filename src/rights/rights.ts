import { createHash } from 'node:crypto';
import { type Restriction, type RoleRule, restrictionOf, type UserValues } from './restrictions.ts';

/** Actions are Strapi's: `api::article.article.find`, `plugin::users-permissions.user.me`. */
export interface Rights {
  /** Equal for rights to the same actions with the same restrictions; for cached responses. */
  readonly key: string;
  /** The same, whatever values of the user the restrictions name; for cached plans. */
  readonly planKey: string;
  /** The values of the user that restrictions may name. */
  readonly user: UserValues;
  allows(action: string): boolean;
  /** The restriction of an allowed action; undefined when there is none. */
  restriction(action: string): Restriction | undefined;
}

const unrestricted = () => undefined;
const nobody: UserValues = new Map();

/** The right to use the management API, and so to give oneself every other right. Only roles can
 *  have it, and so only users who have signed in: a stolen or forgotten API token, which may never
 *  expire, must not be able to make further ones. */
export const managementAccess = 'lectern::management.access';

/** The right of an API token to write through MCP, besides the rights to what it writes. No type of
 *  token has it by itself: a token that was made for a site must not let an assistant write. */
export const mcpWrite = 'lectern::mcp.write';

/** Types of roles that anybody can have: that of visitors, and that of whoever registers. */
export const openRoles: ReadonlySet<string> = new Set(['public', 'authenticated']);

/** API tokens of type `full-access`. */
export const fullRights: Rights = {
  key: 'full',
  planKey: 'full',
  user: nobody,
  allows: (action) => action !== managementAccess && action !== mcpWrite,
  restriction: unrestricted,
};

/** API tokens of type `full-access` that may write through MCP. */
export const fullRightsWithMcp: Rights = {
  ...fullRights,
  key: 'full with mcp',
  allows: (action) => action === mcpWrite || fullRights.allows(action),
};

/** The management token, administrators who use the management API, and commands. */
export const managerRights: Rights = { ...fullRights, key: 'manager', planKey: 'manager', allows: () => true };

const readActions = ['.find', '.findOne', '.findDraft'];

/** API tokens of type `read-only`: the last word of an action counts. `findDraft` is our own. */
export const readOnlyRights: Rights = {
  key: 'read-only',
  planKey: 'read-only',
  user: nobody,
  allows: (action) => readActions.some((end) => action.endsWith(end)),
  restriction: unrestricted,
};

/** API tokens of type `custom` have rights of their own, so the type says nothing. */
export const rightsByTokenType: ReadonlyMap<string, Rights> = new Map([
  ['full-access', fullRights],
  ['read-only', readOnlyRights],
]);

/** The rights of a token of type `custom`. Equal sets of actions have equal keys. */
export function rightsTo(actions: Iterable<string>): Rights {
  const allowed = new Set(actions);
  allowed.delete(managementAccess);
  return rightsWithin(allowed, new Map(), nobody);
}

/** The rights of a role, as the database has them. */
export interface Grants {
  readonly actions: readonly string[];
  readonly rules: readonly RoleRule[];
}

/** The rights of a role for one caller. `user` is empty for callers without a user. */
export function rightsOfRole({ actions, rules }: Grants, user: UserValues): Rights {
  const allowed = new Set(actions);
  const restrictions = new Map<string, Restriction>();
  for (const rule of rules) {
    const { action, fields, condition } = rule;
    if (isOwnAction(action)) allowed.add(action);
    if (fields === null && condition === null) continue;
    if (isRestrictable(action) && (fields === null || hasFields(action))) restrictions.set(action, restrictionOf(rule, user));
    // No code would enforce the restriction, so the right is not granted.
    else allowed.delete(action);
  }
  return rightsWithin(allowed, restrictions, user);
}

function rightsWithin(allowed: ReadonlySet<string>, restrictions: ReadonlyMap<string, Restriction>, user: UserValues): Rights {
  const digest = (key: 'key' | 'planKey') => {
    const listed = [...allowed].sort().map((action) => `${action} ${restrictions.get(action)?.[key] ?? ''}`);
    return createHash('sha256').update(listed.join('\n')).digest('base64url');
  };
  return {
    key: digest('key'),
    planKey: digest('planKey'),
    user,
    allows: (action) => allowed.has(action),
    restriction: (action) => restrictions.get(action),
  };
}

/** Strapi would remove these actions from `up_permissions`: a rule alone grants them. */
export const isOwnAction = (action: string): boolean => /^api::.+\.(?:findDraft|aggregate|publish)$|^endpoint::|^lectern::/.test(action);

/** The right to list files, which determines the files that a caller may attach. */
export const findFiles = 'plugin::upload.content-api.find';

const restrictable = [
  /^api::.+\.(?:find|findOne|findDraft|create|update|delete|publish)$/,
  /^plugin::users-permissions\.user\.(?:find|findOne|me|count|create|update|destroy)$/,
  /^plugin::upload\.content-api\.(?:find|findOne|findPage|upload|destroy)$/,
];

/** Actions that rules can restrict: those on documents, users and records of files. */
export const isRestrictable = (action: string): boolean => restrictable.some((pattern) => pattern.test(action));

/** Whether an action is about attributes, and not about documents as a whole. */
export const hasFields = (action: string): boolean => !/\.(?:delete|destroy|publish|upload)$/.test(action);

/** The restriction of the first of the actions that is allowed; `otherwise` when none is. */
export function restrictionOfFirst(
  actions: readonly string[],
  rights: Rights,
  otherwise: Restriction | undefined,
): Restriction | undefined {
  const allowed = actions.find((action) => rights.allows(action));
  return allowed === undefined ? otherwise : rights.restriction(allowed);
}
