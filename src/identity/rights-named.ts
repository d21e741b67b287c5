/** The rights that a name stands for, where no request comes with them: webhooks, commands. */
import type { Database } from '../dialects/database.ts';
import { type Rights, rightsByTokenType, rightsOfRole } from '../rights/rights.ts';
import { roleIdsOfType } from '../rights/role-store.ts';
import type { AccessStore } from './access-store.ts';

/** `name`: the type of API tokens, or of a role. Undefined if there is none. */
export const rightsNamed =
  (store: Pick<AccessStore, 'roleGrants'>, database: Database) =>
  async (name: string): Promise<Rights | undefined> => {
    const ofTokens = rightsByTokenType.get(name);
    if (ofTokens !== undefined) return ofTokens;
    const [id] = await database.read((connection) => roleIdsOfType(connection, name));
    // Conditions that name attributes of the user match nothing.
    return id === undefined ? undefined : rightsOfRole(await store.roleGrants(id), new Map());
  };
