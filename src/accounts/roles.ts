/** The roles of the users-permissions plugin, as its Content API answers them: whole rows, whatever the query says. */
import type { Database, Row, SqlValue } from '../dialects/dialect.ts';
import { ApiError } from '../errors/api-error.ts';
import { changingRoles, hasRoleRules, isGranted, roleRights } from '../rights/role-rights.ts';
import type { Column } from '../sql/inserts.ts';
import { type Cell, Rows } from '../sql/rows.ts';
import { hasTable } from '../sql/table-exists.ts';
import { newDocumentId } from '../text/document-id.ts';
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

/** What nobody may have twice: the first is what callers without credentials may do, the second what a new user gets. */
const reserved: ReadonlySet<string> = new Set(['public', 'authenticated']);

const roleColumns: readonly Column[] = [
  { name: 'document_id', type: 'string' },
  { name: 'name', type: 'string' },
  { name: 'description', type: 'string' },
  { name: 'type', type: 'string' },
  ...times(),
];
function times(): Column[] {
  return ['created_at', 'updated_at', 'published_at'].map((name) => ({ name, type: 'datetime' }));
}

/** Undefined when the project's own user type has no role. */
const userRoles = 'up_users_role_lnk';

export function createRoles(database: Database) {
  const { dialect } = database;
  const q = (identifier: string) => identifier.split('.').map(dialect.quote).join('.');
  const p1 = dialect.placeholder(1);
  const columns = [
    ...['r.id', 'r.document_id', 'r.name', 'r.description', 'r.type'].map(q),
    ...['r.created_at', 'r.updated_at', 'r.published_at'].map((column) => dialect.select(q(column), 'datetime')),
  ].join(', ');
  const users = `(SELECT count(*) FROM ${q(userRoles)} ${q('l')} WHERE ${q('l.role_id')} = ${q('r.id')})`;
  const all = (counted: boolean) => `SELECT ${columns}, ${counted ? users : '0'} FROM ${q('up_roles')} ${q('r')} ORDER BY ${q('r.id')}`;
  const one = `SELECT ${columns} FROM ${q('up_roles')} ${q('r')} WHERE ${q('r.id')} = ${p1}`;

  return {
    async list(): Promise<RoleWithUsers[]> {
      const text = all(await hasTable(database, userRoles));
      const rows = await database.read((connection) => connection.query(text, []));
      return rows.map((row) => ({ ...role(row), nb_users: Number(row[8]) }));
    },
    async one(id: number): Promise<RoleWithActions | undefined> {
      const hasRules = await hasRoleRules(database);
      return database.read(async (connection) => {
        const [row] = await connection.query(one, [id]);
        if (row === undefined) return undefined;
        const rights = await roleRights(new Rows(connection, dialect), hasRules).ofRole(id);
        return { ...role(row), actions: [...rights.values()].filter(isGranted).map(({ action }) => action) };
      });
    },
    create({ name = null, description = null, type = '', actions = [] }: RoleBody): Promise<void> {
      return changingRoles(database, async (rows, rights) => {
        if (reserved.has(type) && (await idsOfType(type, rows)).length > 0) throw ApiError.of('role.reserved', { type });
        const now = Date.now();
        const values: SqlValue[] = [newDocumentId(), name, description, type, now, now, now];
        const [id = 0] = await rows.inserts.returningIds('up_roles', roleColumns, [values]);
        await rights.grant(id, unrestricted(actions));
      });
    },
    /** The type stays: it is what a role is known by. */
    update(id: number, { name, description, actions }: RoleBody): Promise<void> {
      return changingRoles(database, async (rows, rights) => {
        await requireRole(id, rows);
        const now = Date.now();
        const cells: Cell[] = [{ name: 'updated_at', type: 'datetime', value: now }];
        if (name !== undefined) cells.push({ name: 'name', type: 'string', value: name });
        if (description !== undefined) cells.push({ name: 'description', type: 'string', value: description });
        await rows.update('up_roles', id, cells);
        if (actions === undefined) return;
        const stored = await rights.ofRole(id);
        const wanted = new Set(actions);
        // What stays keeps its rule: this body cannot say one.
        await rights.revoke([...stored.values()].filter((right) => !wanted.has(right.action) || !isGranted(right)));
        const kept = (action: string) => {
          const right = stored.get(action);
          return right !== undefined && isGranted(right);
        };
        await rights.grant(id, unrestricted(actions.filter((action) => !kept(action))));
      });
    },
    /** Its users become visitors: they have the rights of the public, and not those of somebody else. */
    async remove(id: number): Promise<void> {
      const hasUsers = await hasTable(database, userRoles);
      return changingRoles(database, async (rows, rights) => {
        const [publicId] = await idsOfType('public', rows);
        if (publicId === id) throw ApiError.of('role.public');
        await requireRole(id, rows);
        await rights.revoke([...(await rights.ofRole(id)).values()]);
        if (hasUsers) {
          if (publicId !== undefined) await moveUsers(id, publicId, rows);
          await rows.delete(userRoles, 'role_id', [id]);
        }
        await rows.delete('up_roles', 'id', [id]);
      });
    },
  };

  async function idsOfType(type: string, rows: Rows): Promise<number[]> {
    const values: SqlValue[] = [];
    const found = await rows.query(
      `SELECT id FROM ${q('up_roles')} WHERE ${q('type')} = ${rows.bound(type, 'string', values)} ORDER BY id`,
      values,
    );
    return found.map(([id]) => Number(id));
  }

  async function requireRole(id: number, rows: Rows): Promise<void> {
    if ((await rows.query(`SELECT 1 FROM ${q('up_roles')} WHERE id = ${p1}`, [id])).length === 0) {
      throw ApiError.of('role.not-found');
    }
  }

  async function moveUsers(from: number, to: number, rows: Rows): Promise<void> {
    const [row] = await rows.query(`SELECT max(${q('user_ord')}) FROM ${q(userRoles)} WHERE ${q('role_id')} = ${p1}`, [to]);
    const links = await rows.query(`SELECT id FROM ${q(userRoles)} WHERE ${q('role_id')} = ${p1} ORDER BY ${q('user_ord')}, id`, [from]);
    const last = Number(row?.[0] ?? 0);
    for (const [index, [id]] of links.entries()) {
      await rows.update(userRoles, Number(id), [
        { name: 'role_id', type: 'reference', value: to },
        { name: 'user_ord', type: 'order', value: last + index + 1 },
      ]);
    }
  }
}

const unrestricted = (actions: readonly string[]) => actions.map((action) => ({ action, limit: undefined }));

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
