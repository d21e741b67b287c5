/** Roles with their rights, in the form of `permissions.json`. */

import { createRoles } from '../../accounts/roles.ts';
import { ApiError } from '../../errors/api-error.ts';
import { applyPermissions } from '../../permissions/apply-permissions.ts';
import { exportRole } from '../../permissions/export-permissions.ts';
import { readStoredState, type StoredRole } from '../../permissions/stored-roles.ts';
import { grantableTypesOf } from '../../rights/grantable-actions.ts';
import { isObject, type JsonObject } from '../../text/json.ts';
import { snakeCase } from '../../text/snake-case.ts';
import type { Accounts } from '../endpoints/accounts/accounts.ts';
import { rowIdParameter } from '../endpoints/rows.ts';
import type { Endpoint, EndpointCall } from '../send-response.ts';
import { declarationOf, declaredInProject, throwProblems } from './manage-documents.ts';
import { type ManagementRoute, sendData } from './management-route.ts';

export function managedRoles({ config, model, database, usersChanged }: Accounts): readonly ManagementRoute[] {
  const stored = createRoles(database);
  const grantableTypes = grantableTypesOf(model);

  async function shown(only?: (role: StoredRole) => boolean) {
    const declared = declaredInProject(config.dir, model)?.declaration.roles;
    const users = new Map((await stored.list()).map((role) => [role.id, role.nb_users]));
    const { roles } = await readStoredState(database);
    return roles.filter(only ?? (() => true)).map((role) => ({
      id: role.id,
      type: role.type,
      users: users.get(role.id) ?? 0,
      declared: declared?.has(role.type) === true,
      ...exportRole(role, grantableTypes),
    }));
  }

  async function one(call: EndpointCall) {
    const id = rowIdParameter(call.request, 'id');
    const [role] = await shown((each) => each.id === id);
    if (role === undefined) throw ApiError.of('role.not-found');
    return role;
  }

  /** Refuses a change that the next start would undo. */
  async function changeable(call: EndpointCall) {
    const role = await one(call);
    if (role.declared) throw declaredElsewhere(role.type);
    return role;
  }

  function declaredElsewhere(type: string): ApiError {
    const source = declaredInProject(config.dir, model)?.source ?? '';
    return ApiError.of('management.declared', { what: `The role ${type}`, source });
  }

  async function write(type: string, body: JsonObject): Promise<void> {
    const { type: _, ...role } = body;
    const declaration = declarationOf({ roles: { [type]: { rights: {}, ...role } } }, model, (problem) =>
      problem.replace(`roles.${type}`, 'data').replace(`roles["${type}"]`, 'data'),
    );
    throwProblems((await applyPermissions(database, declaration, grantableTypes)).problems);
  }

  const create: Endpoint = async ({ request }) => {
    const body = bodyOf(request.body);
    if (body.type !== undefined && typeof body.type !== 'string') throwProblems(['data.type: has to be text']);
    const name = typeof body.name === 'string' ? body.name : '';
    if (name === '') throwProblems(['data.name: is required, and has to be text']);
    const type = typeof body.type === 'string' && body.type !== '' ? body.type : snakeCase(name.toLowerCase());
    if ((await shown((role) => role.type === type)).length > 0) throw ApiError.of('management.role-taken', { type });
    if (declaredInProject(config.dir, model)?.declaration.roles.has(type) === true) throw declaredElsewhere(type);
    await write(type, body);
    usersChanged();
    return sendData((await shown((role) => role.type === type))[0], 201);
  };

  const update: Endpoint = async (call) => {
    const role = await changeable(call);
    const body = bodyOf(call.request.body);
    if (body.type !== undefined && body.type !== role.type) throwProblems(['data.type: the type of a role cannot change']);
    if (body.rights !== undefined) await write(role.type, body);
    else {
      const { type: _, ...rest } = body;
      const declaration = declarationOf({ roles: { [role.type]: { ...rest, rights: {} } } }, model, (problem) => problem);
      const { name, description } = declaration.roles.get(role.type) ?? {};
      await stored.update(
        role.id,
        { ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) },
        call.actor.rights,
      );
    }
    usersChanged();
    return sendData(await one(call));
  };

  const remove: Endpoint = async (call) => {
    const { id } = await changeable(call);
    await stored.remove(id, call.actor.rights);
    usersChanged();
    return { status: 204, body: null };
  };

  return [
    ['GET', '/roles', async () => sendData(await shown())],
    ['POST', '/roles', create],
    ['GET', '/roles/:id', async (call) => sendData(await one(call))],
    ['PUT', '/roles/:id', update],
    ['DELETE', '/roles/:id', remove],
  ];
}

function bodyOf(body: unknown): JsonObject {
  if (!isObject(body)) throw ApiError.of('body.no-data');
  return body;
}
