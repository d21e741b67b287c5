import type { Database } from '../../dialects/dialect.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { ContentModel } from '../../model/content-model.ts';
import { permissionTree } from '../../users/permission-tree.ts';
import { createRoles } from '../../users/roles.ts';
import { answerJson, type Endpoint, parameter } from '../answered.ts';

export function roleEndpoints(database: Database, model: ContentModel) {
  const stored = createRoles(database);

  const roles: Endpoint = async () => answerJson({ roles: await stored.list() });

  const role: Endpoint = async ({ request }) => {
    const id = parameter(request, 'id');
    const found = /^\d{1,9}$/.test(id) ? await stored.one(Number(id)) : undefined;
    if (found === undefined) throw ApiError.of('role.not-found', undefined);
    const { actions, ...columns } = found;
    return answerJson({ role: { ...columns, permissions: permissionTree(model, actions) } });
  };

  const permissions: Endpoint = () => answerJson({ permissions: permissionTree(model, []) });

  return { roles, role, permissions };
}
