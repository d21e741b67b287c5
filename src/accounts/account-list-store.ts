/** Users with their roles, as commands and the management API list them. */
import type { Database } from '../dialects/database.ts';
import type { Row } from '../dialects/dialect.ts';
import { read } from '../sql/run.ts';
import { sql } from '../sql/sql.ts';
import { type AccountRow, accountColumns, accountRow } from './account-row.ts';

export interface ListedAccount extends AccountRow {
  readonly role: { readonly id: number; readonly type: string } | null;
}

/** Oldest first. A user type of the project's own may lack anything but the id of its documents. */
export async function accountList(database: Database): Promise<readonly ListedAccount[]> {
  const tables = new Map((await database.tables()).map(({ name, columns }) => [name, columns]));
  const ofUsers = accountColumns.map((column) => (tables.get('up_users')?.has(column) ? sql.id('u', column) : sql`NULL`));
  const hasRole = tables.get('up_users_role_lnk')?.has('role_id') === true;
  const ofRoles = hasRole ? sql`r.id, r.type` : sql`NULL, NULL`;
  const roles = hasRole ? sql` LEFT JOIN up_users_role_lnk l ON l.user_id = u.id LEFT JOIN up_roles r ON r.id = l.role_id` : sql.empty;
  const rows = await read(database, sql`SELECT ${sql.join([...ofUsers, ofRoles])} FROM up_users u${roles} ORDER BY u.id`);
  return rows.map(listedAccount);
}

function listedAccount(row: Row): ListedAccount {
  const [roleId, roleType] = row.slice(accountColumns.length);
  return { ...accountRow(row), role: roleId === null ? null : { id: Number(roleId), type: String(roleType ?? '') } };
}
