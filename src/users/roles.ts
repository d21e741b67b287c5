/** The roles of the users-permissions plugin, as its Content API answers them: whole rows, whatever the query says. */
import type { Database, Row } from '../dialects/dialect.ts';

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

export function createRoles(database: Database) {
  const { dialect } = database;
  const q = (identifier: string) => identifier.split('.').map(dialect.quote).join('.');
  const p1 = dialect.placeholder(1);
  const columns = [
    ...['r.id', 'r.document_id', 'r.name', 'r.description', 'r.type'].map(q),
    ...['r.created_at', 'r.updated_at', 'r.published_at'].map((column) => dialect.select(q(column), 'datetime')),
  ].join(', ');
  const users = `(SELECT count(*) FROM ${q('up_users_role_lnk')} ${q('l')} WHERE ${q('l.role_id')} = ${q('r.id')})`;
  const all = `SELECT ${columns}, ${users} FROM ${q('up_roles')} ${q('r')} ORDER BY ${q('r.id')}`;
  const one = `SELECT ${columns} FROM ${q('up_roles')} ${q('r')} WHERE ${q('r.id')} = ${p1}`;
  const actionsOf = `SELECT ${q('p.action')} FROM ${q('up_permissions')} ${q('p')} JOIN ${q('up_permissions_role_lnk')} ${q('l')} ON ${q(
    'l.permission_id',
  )} = ${q('p.id')} WHERE ${q('l.role_id')} = ${p1} ORDER BY ${q('p.id')}`;

  return {
    async list(): Promise<RoleWithUsers[]> {
      const rows = await database.read((connection) => connection.query(all, []));
      return rows.map((row) => ({ ...role(row), nb_users: Number(row[8]) }));
    },
    one(id: number): Promise<RoleWithActions | undefined> {
      return database.read(async (connection) => {
        const [row] = await connection.query(one, [id]);
        if (row === undefined) return undefined;
        const actions = await connection.query(actionsOf, [id]);
        return { ...role(row), actions: actions.map(([action]) => String(action)) };
      });
    },
  };
}

function role([id, documentId, name, description, type, createdAt, updatedAt, publishedAt]: Row): Role {
  return {
    id: Number(id),
    documentId,
    name,
    description,
    type,
    createdAt: isoDate(createdAt),
    updatedAt: isoDate(updatedAt),
    publishedAt: isoDate(publishedAt),
  };
}

const isoDate = (milliseconds: unknown) => (milliseconds === null ? null : new Date(Number(milliseconds)).toISOString());
