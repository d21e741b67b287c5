/** What access needs from Strapi's tables: API tokens, users, roles, permissions, settings. Read only. */

import type { Database, Row, SqlValue } from '../dialects/dialect.ts';

export interface ApiToken {
  readonly id: number;
  readonly type: string;
  /** Milliseconds since the epoch; infinite when it never ends. */
  readonly expiresAt: number;
  /** The permissions of a token of type `custom`. */
  readonly actions: readonly string[];
}

export interface User {
  readonly id: number;
  readonly blocked: boolean;
  readonly confirmed: boolean;
  readonly roleId: number | undefined;
  /** A bcrypt hash. */
  readonly password: string | undefined;
}

type Settings = Readonly<Record<string, unknown>>;

export type AccessStore = ReturnType<typeof createAccessStore>;

/** `tables` are those of the live database: a project without API tokens or from before sessions lacks some, and older ones lack columns. */
export function createAccessStore(database: Database, tables: ReadonlyMap<string, ReadonlySet<string>>) {
  const { dialect } = database;
  const name = (identifier: string) => identifier.split('.').map(dialect.quote).join('.');
  const datetime = (column: string) => dialect.select(name(column), 'datetime');
  const p1 = dialect.placeholder(1);
  const has = (table: string, column = 'id') => tables.get(table)?.has(column) === true;
  const hasUsers = has('up_users') && has('up_users_role_lnk');
  const hasRoles = has('up_roles') && has('up_permissions') && has('up_permissions_role_lnk');
  const query = (text: string, parameters: readonly SqlValue[]): Promise<Row[]> =>
    database.read((connection) => connection.query(text, parameters));

  const tokenByKey = `SELECT ${name('id')}, ${name('type')}, ${datetime('expires_at')}, ${
    has('strapi_api_tokens', 'kind') ? name('kind') : 'NULL'
  } FROM ${name('strapi_api_tokens')} WHERE ${name('access_key')} = ${p1} ORDER BY ${name('id')}`;
  const tokenActions = `SELECT ${name('p.action')} FROM ${name('strapi_api_token_permissions_token_lnk')} ${name('l')} JOIN ${name(
    'strapi_api_token_permissions',
  )} ${name('p')} ON ${name('p.id')} = ${name('l.api_token_permission_id')} WHERE ${name('l.api_token_id')} = ${p1}`;

  const userColumns = ['u.id', 'u.blocked', 'u.confirmed', 'l.role_id', 'u.password'].map(name).join(', ');
  const usersWithRole = `FROM ${name('up_users')} ${name('u')} LEFT JOIN ${name('up_users_role_lnk')} ${name('l')} ON ${name('l.user_id')} = ${name('u.id')}`;
  const userById = `SELECT ${userColumns} ${usersWithRole} WHERE ${name('u.id')} = ${p1}`;
  const userByIdentifier = `SELECT ${userColumns} ${usersWithRole} WHERE ${name('u.provider')} = 'local' AND (${name(
    'u.email',
  )} = ${p1} OR ${name('u.username')} = ${dialect.placeholder(2)}) ORDER BY ${name('u.id')} LIMIT 1`;

  const permissionsOfRoles = `FROM ${name('up_permissions')} ${name('p')} JOIN ${name('up_permissions_role_lnk')} ${name('l')} ON ${name(
    'l.permission_id',
  )} = ${name('p.id')}`;
  const roleActions = `SELECT ${name('p.action')} ${permissionsOfRoles} WHERE ${name('l.role_id')} = ${p1}`;
  const publicActions = `SELECT ${name('p.action')} ${permissionsOfRoles} JOIN ${name('up_roles')} ${name('r')} ON ${name('r.id')} = ${name(
    'l.role_id',
  )} WHERE ${name('r.type')} = 'public'`;

  const settingByKey = `SELECT ${name('value')} FROM ${name('strapi_core_store_settings')} WHERE ${name('key')} = ${p1}`;

  const actions = (rows: readonly Row[]) => rows.map(([action]) => String(action));
  const text = (value: string) => dialect.bind(value, 'string');
  const user = ([id, blocked, confirmed, roleId, password]: Row): User => ({
    id: Number(id),
    blocked: isTrue(blocked),
    confirmed: isTrue(confirmed),
    roleId: roleId === null ? undefined : Number(roleId),
    password: typeof password === 'string' && password !== '' ? password : undefined,
  });

  return {
    /** The token with that hash, or undefined; tokens of the admin panel's own API do not count here. */
    apiToken(accessKey: string): Promise<ApiToken | undefined> {
      if (!has('strapi_api_tokens')) return Promise.resolve(undefined);
      return database.read(async (connection) => {
        const rows = await connection.query(tokenByKey, [accessKey]);
        const row = rows.find(([, , , kind]) => kind === null || kind === 'content-api');
        if (row === undefined) return undefined;
        const [id, type, expiresAt] = row;
        return {
          id: Number(id),
          type: String(type),
          expiresAt: expiresAt === null ? Number.POSITIVE_INFINITY : Number(expiresAt),
          actions: type === 'custom' ? actions(await connection.query(tokenActions, [Number(id)])) : [],
        };
      });
    },
    async user(id: number): Promise<User | undefined> {
      const [row] = hasUsers ? await query(userById, [id]) : [];
      return row && user(row);
    },
    /** A local user by e-mail address, in any letter case as long as it was stored in lower case, or by exact user name. */
    async userByIdentifier(identifier: string): Promise<User | undefined> {
      const [row] = hasUsers ? await query(userByIdentifier, [text(identifier.toLowerCase()), text(identifier)]) : [];
      return row && user(row);
    },
    async roleActions(roleId: number): Promise<string[]> {
      return hasRoles ? actions(await query(roleActions, [roleId])) : [];
    },
    async publicActions(): Promise<string[]> {
      return hasRoles ? actions(await query(publicActions, [])) : [];
    },
    /** A setting of the users-permissions plugin, as its admin page stores it. */
    async settings(key: 'advanced' | 'grant' | 'email'): Promise<Settings> {
      const [row] = has('strapi_core_store_settings') ? await query(settingByKey, [`plugin_users-permissions_${key}`]) : [];
      const value: unknown = row === undefined ? undefined : JSON.parse(String(row[0]));
      return isRecord(value) ? value : {};
    },
  };
}

const isTrue = (value: unknown) => value === true || value === 1;
const isRecord = (value: unknown): value is Settings => typeof value === 'object' && value !== null;
