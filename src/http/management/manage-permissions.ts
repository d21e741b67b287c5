/** The document of all rights: the current one, the changes of another one, and applying them. */
import { ApiError } from '../../errors/api-error.ts';
import { applyPermissions } from '../../permissions/apply-permissions.ts';
import type { Declaration } from '../../permissions/declaration.ts';
import { planAsJson } from '../../permissions/describe-permissions.ts';
import { exportPermissions, exportProblems } from '../../permissions/export-permissions.ts';
import { planPermissions } from '../../permissions/plan-permissions.ts';
import { readStoredState } from '../../permissions/stored-roles.ts';
import { grantableTypesOf } from '../../rights/grantable-actions.ts';
import type { Accounts } from '../endpoints/accounts/accounts.ts';
import type { Endpoint } from '../send-response.ts';
import { declarationOf, declaredInProject, refusal, throwProblems } from './manage-documents.ts';
import { type ManagementRoute, sendData } from './management-route.ts';

interface SourcedDeclaration {
  readonly source: string;
  readonly declaration: Declaration;
}

export function permissionEndpoints({ config, model, database, usersChanged }: Accounts): readonly ManagementRoute[] {
  const grantableTypes = grantableTypesOf(model);

  /** The document of the request, or the project's own when the request has none. */
  function sourcedDeclaration(body: unknown): SourcedDeclaration {
    if (body !== undefined) return { source: 'data', declaration: declarationOf(body, model, (problem) => `data.${problem}`) };
    const found = declaredInProject(config.dir, model);
    if (found === undefined) throw refusal(['The project declares no rights: send a document, as {"data": {"roles": {…}}}']);
    return found;
  }

  const exported: Endpoint = async () => {
    const { roles } = await readStoredState(database);
    throwProblems(exportProblems(roles));
    return sendData(exportPermissions(roles, grantableTypes));
  };

  const plan: Endpoint = async ({ request }) => {
    const { source, declaration } = sourcedDeclaration(request.body);
    const planned = planPermissions(declaration, await readStoredState(database), grantableTypes);
    throwProblems(planned.problems);
    return sendData(planAsJson(planned, source));
  };

  const apply: Endpoint = async ({ request }) => {
    const { source, declaration } = sourcedDeclaration(request.body);
    const own = source === 'data' ? declaredInProject(config.dir, model) : undefined;
    // The next start would undo the change.
    if (own !== undefined) throw ApiError.of('management.declared', { what: 'The rights', source: own.source });
    const applied = await applyPermissions(database, declaration, grantableTypes);
    throwProblems(applied.problems);
    usersChanged();
    return sendData(planAsJson(applied, source));
  };

  return [
    ['GET', '/permissions', exported],
    ['POST', '/permissions/plan', plan],
    ['POST', '/permissions/apply', apply],
  ];
}
