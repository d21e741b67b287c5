/** The roles of users-permissions, as its Content API returns them: always complete rows. */
import type { Database } from '../dialects/database.ts';
import { ApiError } from '../errors/api-error.ts';
import { areForAdministrators, idsOfType } from '../rights/administrators-store.ts';
import { isInTree } from '../rights/permission-tree.ts';
import { managementAccess, type Rights } from '../rights/rights.ts';
import { changingRoles, hasRoleRules, isGranted, roleRights } from '../rights/role-rights-store.ts';
import { addRole, moveUsers, type RoleRow, roleIdsOfType, roleRowById, roleRows, userCounts, usersOfRoles } from '../rights/role-store.ts';
import { type Cell, Rows } from '../sql/rows.ts';
import { type Sql, sql } from '../sql/sql.ts';
import { hasTable } from '../sql/table-exists.ts';
import { isoDate } from '../text/iso-date.ts';
import type { RoleBody } from './role-body.ts';

export interface Role {
  readonly id: number;
  readonly documentId: unknown;
  readonly name: unknown;
  readonly description: unknown;
  readonly type: unknown;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly publishedAt: string | null;
}
export type RoleWithUsers = Role & { readonly nb_users: number };
export type RoleWithActions = Role & { readonly actions: readonly string[] };

/** Types that stay unique: the role of callers without credentials, and the role of new users. */
const reserved: ReadonlySet<string> = new Set(['public', 'authenticated']);

export function createRoles(database: Database) {
  const { dialect } = database;
  return {
    async list(): Promise<RoleWithUsers[]> {
      const hasUsers = await hasTable(database, usersOfRoles);
      return database.read(async (connection) => {
        const counts = hasUsers ? await userCounts(connection) : undefined;
        return (await roleRows(connection)).map((row) => ({ ...role(row), nb_users: counts?.get(row.id) ?? 0 }));
      });
    },
    async one(id: number): Promise<RoleWithActions | undefined> {
      const hasRules = await hasRoleRules(database);
      return database.read(async (connection) => {
        const row = await roleRowById(connection, id);
        if (row === undefined) return undefined;
        const rights = await roleRights(new Rows(connection, dialect), hasRules).ofRole(id);
        return { ...role(row), actions: [...rights.values()].filter(isGranted).map(({ action }) => action) };
      });
    },
    create({ name = null, description = null, type = '', actions = [] }: RoleBody, caller: Rights): Promise<void> {
      return changingRoles(database, async (rows, rights) => {
        if (reserved.has(type) && (await roleIdsOfType(rows.connection, type)).length > 0) throw ApiError.of('role.reserved', { type });
        // A start and commands refuse to choose between two.
        await refuseForAdministrators(idsOfType(type), rows, caller);
        await rights.grant(await addRole(rows, { name, description, type }), unrestricted(actions));
      });
    },
    /** The type does not change: it identifies the role. */
    update(id: number, { name, description, actions }: RoleBody, caller: Rights): Promise<void> {
      return changingRoles(database, async (rows, rights) => {
        await requireRole(id, rows);
        await refuseForAdministrators(sql.value(id, 'id'), rows, caller);
        const now = Date.now();
        const cells: Cell[] = [{ name: 'updated_at', type: 'datetime', value: now }];
        if (name !== undefined) cells.push({ name: 'name', type: 'string', value: name });
        if (description !== undefined) cells.push({ name: 'description', type: 'string', value: description });
        rows.update('up_roles', id, cells);
        if (actions === undefined) return;
        const stored = await rights.ofRole(id);
        const wanted = new Set(actions);
        // A right that stays keeps its rule: this body cannot express rules, nor Lectern's own rights.
        const stays = (action: string) => wanted.has(action) || !isInTree(action);
        await rights.revoke([...stored.values()].filter((right) => !stays(right.action) || !isGranted(right)));
        const isGrantedAlready = (action: string) => {
          const right = stored.get(action);
          return right !== undefined && isGranted(right);
        };
        await rights.grant(id, unrestricted(actions.filter((action) => !isGrantedAlready(action))));
      });
    },
    /** Its users get the rights of the public, and not those of another role. */
    async remove(id: number, caller: Rights): Promise<void> {
      const hasUsers = await hasTable(database, usersOfRoles);
      return changingRoles(database, async (rows, rights) => {
        const [publicId] = await roleIdsOfType(rows.connection, 'public');
        if (publicId === id) throw ApiError.of('role.public');
        await requireRole(id, rows);
        await refuseForAdministrators(sql.value(id, 'id'), rows, caller);
        await rights.revoke([...(await rights.ofRole(id)).values()]);
        if (hasUsers) {
          if (publicId !== undefined) await moveUsers(rows.connection, id, publicId);
          rows.delete(usersOfRoles, 'role_id', [id]);
        }
        rows.delete('up_roles', 'id', [id]);
      });
    },
  };

  async function requireRole(id: number, { connection }: Rows): Promise<void> {
    if ((await roleRowById(connection, id)) === undefined) throw ApiError.of('role.not-found');
  }

  /** Without this role there may be nobody left who manages the server. */
  async function refuseForAdministrators(ids: Sql, { connection }: Rows, caller: Rights): Promise<void> {
    if (caller.allows(managementAccess)) return;
    if (await areForAdministrators(connection, ids)) throw ApiError.of('role.administrators');
  }
}

const unrestricted = (actions: readonly string[]) => actions.map((action) => ({ action, restriction: undefined }));

const role = ({ createdAt, updatedAt, publishedAt, ...row }: RoleRow): Role => ({
  ...row,
  createdAt: isoDate(createdAt),
  updatedAt: isoDate(updatedAt),
  publishedAt: isoDate(publishedAt),
});
