import { createRoles } from '../../accounts/roles.ts';
import { StartError } from '../../errors/start-error.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { describeRestriction } from '../../permissions/describe-permissions.ts';
import { decidesRights, findDeclaration } from '../../permissions/find-declaration.ts';
import { noRules } from '../../permissions/plan-permissions.ts';
import { readStoredState, type StoredRole, storedRoles } from '../../permissions/stored-roles.ts';
import {
  findGrantableType,
  type GrantableType,
  grantableTypesOf,
  isGrantableAction,
  namesOf,
  notForRole,
} from '../../rights/grantable-actions.ts';
import { isOwnAction } from '../../rights/rights.ts';
import { changingRoles, hasRoleRules, isGranted, isRestricted } from '../../rights/role-rights-store.ts';
import { inColumns } from '../../text/align-columns.ts';
import { lecternCommand } from '../../text/lectern-command.ts';
import { didYouMean } from '../../text/nearest.ts';
import type { ProjectOptions } from '../project/load-project.ts';
import { withProject } from '../project/open-project.ts';

/** `lectern role list`. */
export function roleList(options: ProjectOptions): Promise<number> {
  return withProject(options, async ({ config, model, database }) => {
    const users = new Map((await createRoles(database).list()).map((role) => [role.id, role.nb_users]));
    const owned = findDeclaration(config.dir, model)?.declaration.roles;
    const { roles } = await readStoredState(database);
    const lines = roles.map(({ id, type, name, rights }) => [
      type,
      name,
      String(users.get(id) ?? 0),
      String([...rights.values()].filter(isGranted).length),
      owned?.has(type) === true ? 'declared' : '',
    ]);
    process.stdout.write(inColumns([['ROLE', 'NAME', 'USERS', 'RIGHTS', ''], ...lines]));
    return 0;
  });
}

/** `type`: uid, singular or plural name of a content type, or the controller of a plugin. */
type RightArguments = readonly [role: string, type: string, actions: readonly string[], options: RightOptions];

interface RightOptions extends ProjectOptions {
  /** Grants to the named role alone. */
  readonly only?: boolean;
}

/** `lectern role allow <role> <type> <action…>`. Users have the role `authenticated` instead of
 *  `public`: they get the rights of visitors as well, unless `--only` says otherwise. */
export function roleAllow(...args: RightArguments): Promise<number> {
  const [, , , { only = false }] = args;
  const isFollowed = (role: StoredRole, { restrictable }: GrantableType) => role.type === 'public' && restrictable !== undefined && !only;
  return changeRights(args, { needsRules: true, isFollowed }, async ({ role, actions, rights }) => {
    for (const action of actions) {
      const refused = notForRole(action, role.type);
      if (refused !== undefined) throw new StartError([`${role.type} cannot have the right ${action}: it ${refused}.`]);
    }
    const missing = actions.filter((action) => {
      const right = role.rights.get(action);
      return right === undefined || !isGranted(right);
    });
    // A right that is granted again has no restriction, so a leftover rule is removed.
    await rights.revoke(missing.flatMap((action) => role.rights.get(action) ?? []));
    await rights.grant(
      role.id,
      missing.map((action) => ({ action, restriction: undefined })),
    );
    return actions.map((action) => {
      if (missing.includes(action)) return `${role.type} now has the right ${action}.`;
      const rule = role.rights.get(action)?.rule;
      const limit =
        rule !== undefined && (rule.restriction === undefined || isRestricted(rule.restriction))
          ? `, restricted to ${describeRestriction(rule.restriction)}`
          : '';
      return `${role.type} already had the right ${action}${limit}.`;
    });
  });
}

/** `lectern role deny <role> <type> <action…>`. */
export function roleDeny(...args: RightArguments): Promise<number> {
  return changeRights(args, { needsRules: false, isFollowed: () => false }, async ({ role, signedIn, actions, rights }) => {
    const found = actions.flatMap((action) => role.rights.get(action) ?? []);
    await rights.revoke(found);
    const removed = new Set(found.filter(isGranted).map(({ action }) => action));
    const isLeft = (action: string) => role.type === 'public' && signedIn.some(({ rights: own }) => own.has(action));
    return actions.map((action) => {
      const done = removed.has(action) ? `${role.type} no longer has the right ${action}` : `${role.type} did not have the right ${action}`;
      return isLeft(action) ? `${done}; authenticated still has it (role deny authenticated …).` : `${done}.`;
    });
  });
}

interface RightChange {
  readonly role: StoredRole;
  /** The roles of the type `authenticated`. */
  readonly signedIn: readonly StoredRole[];
  readonly actions: readonly string[];
  readonly rights: Parameters<Parameters<typeof changingRoles>[1]>[1];
}

interface ChangeKind {
  /** Whether the change of Lectern's own actions needs its own table. */
  readonly needsRules: boolean;
  /** Whether the role `authenticated` gets the same change. */
  readonly isFollowed: (role: StoredRole, grantable: GrantableType) => boolean;
}

function changeRights(
  [roleName, typeName, names, options]: RightArguments,
  { needsRules, isFollowed }: ChangeKind,
  change: (change: RightChange) => Promise<string[]>,
): Promise<number> {
  return withProject(options, async ({ config, model, database }) => {
    const { grantable, actions } = findActions(typeName, names, model);
    if (needsRules && actions.some(isOwnAction) && !(await hasRoleRules(database))) throw new StartError([noRules]);
    const lines = await changingRoles(database, async (rows, rights) => {
      const stored = await storedRoles(rows, rights);
      const role = findRole(roleName, stored);
      refuseDeclared(config.dir, model, role, grantable);
      const signedIn = stored.filter(({ type }) => type === 'authenticated');
      const followers = isFollowed(role, grantable) ? signedIn : [];
      for (const each of followers) refuseDeclared(config.dir, model, each, grantable, ', or leave that role out with --only');
      const done: string[] = [];
      for (const each of [role, ...followers]) done.push(...(await change({ role: each, signedIn, actions, rights })));
      return followers.length === 0
        ? done
        : [...done, 'Users who have signed in have the role authenticated and not public; --only leaves it out.'];
    });
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    return 0;
  });
}

function findActions(typeName: string, names: readonly string[], model: ContentModel) {
  const grantableTypes = grantableTypesOf(model);
  const [grantable, ...others] = findGrantableType(typeName, grantableTypes);
  if (grantable === undefined) {
    throw new StartError([`There is no content type or controller ${typeName}.${didYouMean(typeName, namesOf(grantableTypes))}`]);
  }
  if (others.length > 0) {
    throw new StartError([`Several types are called ${typeName}: ${[grantable, ...others].map(({ key }) => key).join(', ')}.`]);
  }
  const actions = [...new Set(names)].map((name) => `${grantable.key}.${name}`);
  const unknown = names.filter((name) => !isGrantableAction(`${grantable.key}.${name}`, grantableTypes));
  if (unknown.length > 0) {
    throw new StartError(
      unknown.map(
        (name) =>
          `${name} is not an action of ${grantable.key}; there are ${grantable.actions.join(', ')}.${didYouMean(name, grantable.actions)}`,
      ),
    );
  }
  return { grantable, actions };
}

export function findRole<Role extends { readonly type: string; readonly name: string }>(text: string, roles: readonly Role[]): Role {
  const byType = roles.filter(({ type }) => type === text);
  const found = byType.length > 0 ? byType : roles.filter(({ name }) => name === text);
  const [role, ...others] = found;
  if (role !== undefined && others.length === 0) return role;
  const types = roles.map(({ type }) => type);
  throw new StartError([
    role === undefined
      ? `There is no role ${text}; there are ${types.join(', ')}.${didYouMean(text, types)}`
      : `${found.length} roles are called ${text}; remove the others first.`,
  ]);
}

/** Refuses a change that the next start would undo. */
function refuseDeclared(dir: string, model: ContentModel, { type }: StoredRole, grantable: GrantableType, otherwise = ''): void {
  const found = findDeclaration(dir, model);
  if (found === undefined || !decidesRights(found, type, grantable)) return;
  throw new StartError([
    `${found.source} declares the rights of ${type} to ${grantable.key}: change it there, then run \`${lecternCommand('permissions apply')}\`${otherwise}.`,
  ]);
}
