import type { FastifyRequest } from 'fastify';
import { parseRoleBody } from '../../../accounts/role-body.ts';
import { createRoles } from '../../../accounts/roles.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { permissionTree } from '../../../rights/permission-tree.ts';
import { type Endpoint, type EndpointResponse, jsonResponse } from '../../send-response.ts';
import { rowIdParameter } from '../rows.ts';
import type { Accounts } from './accounts.ts';

function idOf(request: FastifyRequest): number {
  const id = rowIdParameter(request, 'id');
  if (id === undefined) throw ApiError.of('role.not-found');
  return id;
}

const done: EndpointResponse = jsonResponse({ ok: true });

export function roleEndpoints({ config, database, model, usersChanged }: Accounts) {
  const { enforceSchemaRules } = config.policies;
  const stored = createRoles(database);

  const roles: Endpoint = async () => jsonResponse({ roles: await stored.list() });

  const role: Endpoint = async ({ request }) => {
    const found = await stored.one(idOf(request));
    if (found === undefined) throw ApiError.of('role.not-found');
    const { actions, ...columns } = found;
    return jsonResponse({ role: { ...columns, permissions: permissionTree(model, actions) } });
  };

  const permissions: Endpoint = () => jsonResponse({ permissions: permissionTree(model, []) });

  const createRole: Endpoint = async ({ request, actor }) => {
    await stored.create(parseRoleBody(request.body, enforceSchemaRules), actor.rights);
    return done;
  };

  const updateRole: Endpoint = async ({ request, actor }) => {
    const body = parseRoleBody(request.body, enforceSchemaRules);
    await stored.update(idOf(request), body, actor.rights);
    usersChanged();
    return done;
  };

  const deleteRole: Endpoint = async ({ request, actor }) => {
    await stored.remove(idOf(request), actor.rights);
    usersChanged();
    return done;
  };

  return { roles, role, permissions, createRole, updateRole, deleteRole };
}
