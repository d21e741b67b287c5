/** Rows of users as identification and sessions need them. */
import type { Connection } from '../dialects/database.ts';
import type { Row } from '../dialects/dialect.ts';
import { isTrue } from '../sql/is-true.ts';
import { run } from '../sql/run.ts';
import { type Sql, sql } from '../sql/sql.ts';

export interface User {
  readonly id: number;
  readonly blocked: boolean;
  readonly confirmed: boolean;
  readonly roleId: number | undefined;
  /** A bcrypt hash. */
  readonly password: string | undefined;
}

/** `tables` are those of the live database: the project's own user type may lack any column. */
export function createUserRows(tables: ReadonlyMap<string, ReadonlySet<string>>) {
  const has = (table: string, column: string) => tables.get(table)?.has(column) === true;
  const column = (name: string) => (has('up_users', name) ? sql.id('u', name) : sql`NULL`);
  const hasUsers = has('up_users', 'id');
  const hasRole = has('up_users_role_lnk', 'role_id');
  const columns = sql.join([
    column('id'),
    column('blocked'),
    column('confirmed'),
    hasRole ? sql`l.role_id` : sql`NULL`,
    column('password'),
  ]);
  const roleLink = hasRole ? sql` LEFT JOIN up_users_role_lnk l ON l.user_id = u.id` : sql.empty;
  const users = sql.fixed(sql`SELECT ${columns} FROM up_users u${roleLink}`);

  /** `rest` is what follows FROM; the alias of `up_users` is `u`. */
  async function first(connection: Connection, rest: Sql): Promise<User | undefined> {
    if (!hasUsers) return undefined;
    const [row] = await run(connection, sql`${users} ${rest}`);
    return row && user(row);
  }

  const byId = (connection: Connection, id: number) => first(connection, sql`WHERE u.id = ${id}`);

  return {
    canSignIn: ['provider', 'email', 'username', 'password'].every((name) => has('up_users', name)),
    first,
    byId,
  };
}

const user = ([id, blocked, confirmed, roleId, password]: Row): User => ({
  id: Number(id),
  blocked: isTrue(blocked),
  confirmed: isTrue(confirmed),
  roleId: roleId === null ? undefined : Number(roleId),
  password: typeof password === 'string' && password !== '' ? password : undefined,
});
