import { parseRoleBody } from '../../../accounts/role-body.ts';
import { createRoles } from '../../../accounts/roles.ts';
import type { Policies } from '../../../config/config.ts';
import type { Database } from '../../../dialects/database.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { ContentModel } from '../../../model/content-model.ts';
import { permissionTree } from '../../../rights/permission-tree.ts';
import { type Endpoint, type EndpointResponse, jsonResponse } from '../../send-response.ts';
import { rowIdParameter } from '../row-id.ts';

const done: EndpointResponse = jsonResponse({ ok: true });

/** `rightsChanged` makes the next request read the rights of roles again. */
export function roleEndpoints(database: Database, model: ContentModel, { enforceSchemaRules }: Policies, rightsChanged: () => void) {
  const stored = createRoles(database);

  const roles: Endpoint = async () => jsonResponse({ roles: await stored.list() });

  const role: Endpoint = async ({ request }) => {
    const id = rowIdParameter(request, 'id');
    const found = id === undefined ? undefined : await stored.one(id);
    if (found === undefined) throw ApiError.of('role.not-found');
    const { actions, ...columns } = found;
    return jsonResponse({ role: { ...columns, permissions: permissionTree(model, actions) } });
  };

  const permissions: Endpoint = () => jsonResponse({ permissions: permissionTree(model, []) });

  const createRole: Endpoint = async ({ request }) => {
    await stored.create(parseRoleBody(request.body, enforceSchemaRules));
    return done;
  };

  const updateRole: Endpoint = async ({ request }) => {
    const body = parseRoleBody(request.body, enforceSchemaRules);
    const id = rowIdParameter(request, 'id');
    if (id === undefined) throw ApiError.of('role.not-found');
    await stored.update(id, body);
    rightsChanged();
    return done;
  };

  const deleteRole: Endpoint = async ({ request }) => {
    const id = rowIdParameter(request, 'id');
    if (id === undefined) throw ApiError.of('role.not-found');
    await stored.remove(id);
    rightsChanged();
    return done;
  };

  return { roles, role, permissions, createRole, updateRole, deleteRole };
}
