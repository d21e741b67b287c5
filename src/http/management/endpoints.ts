import type { ContentModel } from '../../model/content-model.ts';
import type { Accounts } from '../endpoints/accounts.ts';
import { answerData } from './answer-data.ts';
import { describeTypes } from './describe-types.ts';
import { permissionEndpoints } from './permissions.ts';
import { managedRoles } from './roles.ts';
import type { ManagementRoute } from './route.ts';
import { managedTokens } from './tokens.ts';
import { managedUsers } from './users.ts';

export interface ManagementParts {
  readonly model: ContentModel;
  readonly accounts: Accounts;
}

export function managementEndpoints({ model, accounts }: ManagementParts): readonly ManagementRoute[] {
  const types = answerData(describeTypes(model));
  return [
    ['GET', '/types', () => types],
    ...managedRoles(accounts),
    ...permissionEndpoints(accounts),
    ...managedUsers(accounts),
    ...managedTokens(accounts),
  ];
}
