/** The roles that make administrators, as a transaction reads them. */
import type { Connection } from '../dialects/database.ts';
import { run } from '../sql/run.ts';
import { type Sql, sql } from '../sql/sql.ts';
import { tableExists } from '../sql/table-exists.ts';
import { roleRulesTable } from '../tables/system-tables.ts';
import { managementAccess, openRoles } from './rights.ts';

/** Whether one of the roles makes its users administrators. `roles` is SQL of ids. Texts are
 *  compared here: some engines would take `Public` for `public`. */
export async function areForAdministrators(connection: Connection, roles: Sql): Promise<boolean> {
  const hasRules = await tableExists(connection, roleRulesTable);
  const found = await run(connection, hasRules ? sql`${granted(roles)} UNION ALL ${ruled(roles)}` : granted(roles));
  return found.some(([type, action]) => action === managementAccess && !openRoles.has(String(type ?? '')));
}

const granted = (roles: Sql): Sql =>
  sql`SELECT r.type, p.action FROM up_roles r JOIN up_permissions_role_lnk l ON l.role_id = r.id JOIN up_permissions p ON p.id = l.permission_id WHERE r.id IN (${roles}) AND p.action = ${managementAccess}`;
const ruled = (roles: Sql): Sql =>
  sql`SELECT r.type, c.action FROM up_roles r JOIN ${sql.id(roleRulesTable)} c ON c.role_id = r.id WHERE r.id IN (${roles}) AND c.action = ${managementAccess}`;

/** For `areForAdministrators`. */
export const idsOfType = (type: string): Sql => sql`SELECT id FROM up_roles WHERE type = ${type}`;
