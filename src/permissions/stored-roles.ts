import type { Database } from '../dialects/database.ts';
import { hasRoleRules, roleRights, type StoredRights } from '../rights/role-rights-store.ts';
import { roleRows } from '../rights/role-store.ts';
import { Rows } from '../sql/rows.ts';

export interface StoredRole {
  readonly id: number;
  /** Identifies the role, but is not unique in Strapi. */
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly rights: StoredRights;
}

/** The roles of the database with their rights, oldest first. `rows` is a transaction. */
export async function storedRoles(rows: Rows, rights: ReturnType<typeof roleRights>): Promise<readonly StoredRole[]> {
  const roles: StoredRole[] = [];
  for (const { id, type, name, description } of await roleRows(rows.connection)) {
    roles.push({
      id,
      type: String(type ?? ''),
      name: String(name ?? ''),
      description: String(description ?? ''),
      rights: await rights.ofRole(id),
    });
  }
  return roles;
}

/** The roles and rights in the database, which a plan compares with the declaration. */
export interface StoredState {
  readonly roles: readonly StoredRole[];
  /** Whether there is a table for rules. */
  readonly hasRules: boolean;
}

export async function readStoredState(database: Database): Promise<StoredState> {
  const hasRules = await hasRoleRules(database);
  const roles = await database.read((connection) => {
    const rows = new Rows(connection, database.dialect);
    return storedRoles(rows, roleRights(rows, hasRules));
  });
  return { roles, hasRules };
}
