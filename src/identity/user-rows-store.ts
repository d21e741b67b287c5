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

  /** A transaction that writes sessions of a user begins with this lock: otherwise a change of the
   *  user would miss the session that another transaction begins meanwhile. */
  async function lock(connection: Connection, id: number): Promise<void> {
    if (hasUsers) await run(connection, sql`SELECT id FROM up_users WHERE id = ${id}${sql.rowLock}`);
  }

  return {
    canSignIn: ['provider', 'email', 'username', 'password'].every((name) => has('up_users', name)),
    first,
    byId,
    lock,
    /** Returns the user; no other transaction can change it until this one ends. */
    async locked(connection: Connection, id: number): Promise<User | undefined> {
      // A second statement: PostgreSQL locks no rows of an outer join, and roles are read once the
      // lock is there.
      await lock(connection, id);
      return byId(connection, id);
    },
  };
}

const user = ([id, blocked, confirmed, roleId, password]: Row): User => ({
  id: Number(id),
  blocked: isTrue(blocked),
  confirmed: isTrue(confirmed),
  roleId: roleId === null ? undefined : Number(roleId),
  password: typeof password === 'string' && password !== '' ? password : undefined,
});
