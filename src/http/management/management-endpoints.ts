import type { ContentModel } from '../../model/content-model.ts';
import type { Accounts } from '../endpoints/accounts/accounts.ts';
import { describeTypes } from './describe-types.ts';
import { permissionEndpoints } from './manage-permissions.ts';
import { managedRoles } from './manage-roles.ts';
import { managedTokens } from './manage-tokens.ts';
import { managedUsers } from './manage-users.ts';
import type { ManagementRoute } from './management-route.ts';
import { sendData } from './send-data.ts';

export interface ManagementParts {
  readonly model: ContentModel;
  readonly accounts: Accounts;
}

export function managementEndpoints({ model, accounts }: ManagementParts): readonly ManagementRoute[] {
  const types = sendData(describeTypes(model));
  return [
    ['GET', '/types', () => types],
    ...managedRoles(accounts),
    ...permissionEndpoints(accounts),
    ...managedUsers(accounts),
    ...managedTokens(accounts),
  ];
}
