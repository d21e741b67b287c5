/** The roles of the users-permissions plugin, as its Content API answers them: whole rows, whatever the query says. */
import type { Connection, Database, Row, SqlValue } from '../dialects/dialect.ts';
import { ApiError } from '../errors/api-error.ts';
import { newDocumentId } from '../storage/document-id.ts';
import type { Column } from '../storage/inserts.ts';
import { type Cell, Rows } from '../storage/rows.ts';
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
const lock = 'users-permissions roles';

const roleColumns: readonly Column[] = [
  { name: 'document_id', type: 'string' },
  { name: 'name', type: 'string' },
  { name: 'description', type: 'string' },
  { name: 'type', type: 'string' },
  ...times(),
];
const permissionColumns: readonly Column[] = [{ name: 'document_id', type: 'string' }, { name: 'action', type: 'string' }, ...times()];
const permissionLinkColumns: readonly Column[] = [
  { name: 'permission_id', type: 'reference' },
  { name: 'role_id', type: 'reference' },
  { name: 'permission_ord', type: 'order' },
];

function times(): Column[] {
  return ['created_at', 'updated_at', 'published_at'].map((name) => ({ name, type: 'datetime' }));
}

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
    create({ name = null, description = null, type = '', actions = [] }: RoleBody): Promise<void> {
      return writing(async (rows) => {
        if (reserved.has(type) && (await idsOfType(type, rows)).length > 0) throw ApiError.of('role.reserved', { type });
        const now = Date.now();
        const values: SqlValue[] = [newDocumentId(), name, description, type, now, now, now];
        const [id = 0] = await rows.inserts.returningIds('up_roles', roleColumns, [values]);
        await grant(actions, id, 0, now, rows);
      });
    },
    /** The type stays: it is what a role is known by. */
    update(id: number, { name, description, actions }: RoleBody): Promise<void> {
      return writing(async (rows) => {
        await requireRole(id, rows);
        const now = Date.now();
        const cells: Cell[] = [{ name: 'updated_at', type: 'datetime', value: now }];
        if (name !== undefined) cells.push({ name: 'name', type: 'string', value: name });
        if (description !== undefined) cells.push({ name: 'description', type: 'string', value: description });
        await rows.update('up_roles', id, cells);
        if (actions === undefined) return;
        const granted = await permissionsOf(id, rows);
        const wanted = new Set(actions);
        const gone = granted.filter(([, action]) => !wanted.has(String(action)));
        await removePermissions(gone, rows);
        const kept = new Set(granted.map(([, action]) => String(action)));
        const last = Math.max(0, ...granted.map(([, , order]) => Number(order)));
        await grant(
          [...wanted].filter((action) => !kept.has(action)),
          id,
          last,
          now,
          rows,
        );
      });
    },
    /** Its users become visitors: they have the rights of the public, and not those of somebody else. */
    remove(id: number): Promise<void> {
      return writing(async (rows) => {
        const [publicId] = await idsOfType('public', rows);
        if (publicId === id) throw ApiError.of('role.public', undefined);
        await requireRole(id, rows);
        await removePermissions(await permissionsOf(id, rows), rows);
        if (publicId !== undefined) await moveUsers(id, publicId, rows);
        await rows.delete('up_users_role_lnk', 'role_id', [id]);
        await rows.delete('up_roles', 'id', [id]);
      });
    },
  };

  function writing(work: (rows: Rows) => Promise<void>): Promise<void> {
    return database.write(async (connection: Connection) => {
      const rows = new Rows(connection, dialect);
      await rows.lock([lock]);
      await work(rows);
      await rows.inserts.flush();
    });
  }

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
      throw ApiError.of('role.not-found', undefined);
    }
  }

  /** Of each: row id, action, place among those of the role. */
  function permissionsOf(id: number, rows: Rows): Promise<readonly Row[]> {
    return rows.query(
      `SELECT ${q('p.id')}, ${q('p.action')}, ${q('l.permission_ord')} FROM ${q('up_permissions')} ${q('p')} JOIN ${q(
        'up_permissions_role_lnk',
      )} ${q('l')} ON ${q('l.permission_id')} = ${q('p.id')} WHERE ${q('l.role_id')} = ${p1} ORDER BY ${q('l.permission_ord')}, ${q('p.id')}`,
      [id],
    );
  }

  async function removePermissions(permissions: readonly Row[], rows: Rows): Promise<void> {
    const ids = permissions.map(([id]) => Number(id));
    if (ids.length === 0) return;
    await rows.delete('up_permissions_role_lnk', 'permission_id', ids);
    await rows.delete('up_permissions', 'id', ids);
  }

  async function grant(actions: readonly string[], roleId: number, last: number, now: number, rows: Rows): Promise<void> {
    if (actions.length === 0) return;
    const values = actions.map((action): SqlValue[] => [newDocumentId(), action, now, now, now]);
    const ids = await rows.inserts.returningIds('up_permissions', permissionColumns, values);
    for (const [index, id] of ids.entries()) {
      rows.inserts.later('up_permissions_role_lnk', permissionLinkColumns, [id, roleId, last + index + 1]);
    }
  }

  async function moveUsers(from: number, to: number, rows: Rows): Promise<void> {
    const [row] = await rows.query(`SELECT max(${q('user_ord')}) FROM ${q('up_users_role_lnk')} WHERE ${q('role_id')} = ${p1}`, [to]);
    const links = await rows.query(`SELECT id FROM ${q('up_users_role_lnk')} WHERE ${q('role_id')} = ${p1} ORDER BY ${q('user_ord')}, id`, [
      from,
    ]);
    const last = Number(row?.[0] ?? 0);
    for (const [index, [id]] of links.entries()) {
      await rows.update('up_users_role_lnk', Number(id), [
        { name: 'role_id', type: 'reference', value: to },
        { name: 'user_ord', type: 'order', value: last + index + 1 },
      ]);
    }
  }
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
