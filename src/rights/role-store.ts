/** The rows of roles. */
import type { Connection } from '../dialects/database.ts';
import type { Row } from '../dialects/dialect.ts';
import type { Rows } from '../sql/rows.ts';
import { run, send } from '../sql/run.ts';
import { sql } from '../sql/sql.ts';

export interface RoleRow {
  readonly id: number;
  readonly documentId: unknown;
  readonly name: unknown;
  readonly description: unknown;
  /** The identifier of the role; not unique in Strapi. */
  readonly type: unknown;
  /** Milliseconds since the epoch, or null. */
  readonly createdAt: unknown;
  readonly updatedAt: unknown;
  readonly publishedAt: unknown;
}

/** Joins users with their roles. A project whose own user type has no role lacks it. */
export const usersOfRoles = 'up_users_role_lnk';

const times = ['created_at', 'updated_at', 'published_at'].map((name) => sql.read(sql.id(name), 'datetime'));
const roles = sql`SELECT ${sql.join([sql`id, document_id, name, description, type`, ...times])} FROM up_roles`;

/** Oldest first. */
export async function roleRows(connection: Connection): Promise<RoleRow[]> {
  return (await run(connection, sql`${roles} ORDER BY id`)).map(roleRow);
}

export async function roleRowById(connection: Connection, id: number): Promise<RoleRow | undefined> {
  const [row] = await run(connection, sql`${roles} WHERE id = ${id}`);
  return row && roleRow(row);
}

/** Oldest first. */
export async function roleIdsOfType(connection: Connection, type: string): Promise<number[]> {
  const rows = await run(connection, sql`SELECT id FROM up_roles WHERE type = ${type} ORDER BY id`);
  return rows.map(([id]) => Number(id));
}

/** Adds a role, as Strapi's panel does. Returns its row id. */
export async function addRole(
  rows: Rows,
  { name, description, type }: { readonly name: string | null; readonly description: string | null; readonly type: string },
): Promise<number> {
  const texts = Object.entries({ name, description, type });
  const [id] = await rows.insertDocuments('up_roles', [texts.map(([column, value]) => ({ name: column, type: 'string', value }))]);
  if (id === undefined) throw new Error('a role that was just written has no id');
  return id;
}

/** Role id → number of users; roles without users are not in it. */
export async function userCounts(connection: Connection): Promise<ReadonlyMap<number, number>> {
  const rows = await run(connection, sql`SELECT role_id, count(*) FROM ${sql.id(usersOfRoles)} GROUP BY role_id`);
  return new Map(rows.map(([id, count]) => [Number(id), Number(count)]));
}

/** Moves the users of a role behind another's, in one statement: there may be a million. */
export async function moveUsers(connection: Connection, from: number, to: number): Promise<void> {
  const links = sql.id(usersOfRoles);
  const [row] = await run(connection, sql`SELECT max(user_ord) FROM ${links} WHERE role_id = ${to}`);
  const last = sql.value(Number(row?.[0] ?? 0), 'order');
  const moved = sql`SELECT id, row_number() OVER (ORDER BY user_ord, id) AS number FROM ${links} WHERE role_id = ${from}`;
  const number = sql`SELECT moved.number FROM (${moved}) AS moved WHERE moved.id = ${links}.id`;
  send(connection, sql`UPDATE ${links} SET user_ord = ${last} + (${number}), role_id = ${to} WHERE role_id = ${from}`);
}

const roleRow = ([id, documentId, name, description, type, createdAt, updatedAt, publishedAt]: Row): RoleRow => ({
  id: Number(id),
  documentId,
  name,
  description,
  type,
  createdAt,
  updatedAt,
  publishedAt,
});
