/** What access needs from Strapi's tables: API tokens, users, roles, permissions, settings. Read only. */

import type { Connection, Database, Row, SqlValue } from '../dialects/dialect.ts';
import { attributeTypes } from '../model/attributes/attribute-types.ts';
import type { ContentType } from '../model/content-model.ts';
import { isUserValue, type UserValues } from '../rights/restrictions.ts';
import type { Grants } from '../rights/rights.ts';
import { roleRulesTable } from '../tables/system-tables.ts';

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
export function createAccessStore(database: Database, tables: ReadonlyMap<string, ReadonlySet<string>>, userType: ContentType | undefined) {
  const { dialect } = database;
  const name = (identifier: string) => identifier.split('.').map(dialect.quote).join('.');
  const datetime = (column: string) => dialect.select(name(column), 'datetime');
  const p1 = dialect.placeholder(1);
  const has = (table: string, column = 'id') => tables.get(table)?.has(column) === true;
  const hasUsers = has('up_users');
  // A user type of the project's own may lack any of these.
  const userColumn = (column: string) => (has('up_users', column) ? name(`u.${column}`) : 'NULL');
  const hasRole = has('up_users_role_lnk', 'role_id');
  const canSignIn = ['provider', 'email', 'username', 'password'].every((column) => has('up_users', column));
  const hasRoles = has('up_roles') && has('up_permissions') && has('up_permissions_role_lnk');
  const query = (text: string, parameters: readonly SqlValue[]): Promise<Row[]> =>
    database.read((connection) => connection.query(text, parameters));

  const tokenByKey = `SELECT ${name('id')}, ${name('type')}, ${datetime('expires_at')}, ${
    has('strapi_api_tokens', 'kind') ? name('kind') : 'NULL'
  } FROM ${name('strapi_api_tokens')} WHERE ${name('access_key')} = ${p1} ORDER BY ${name('id')}`;
  const tokenActions = `SELECT ${name('p.action')} FROM ${name('strapi_api_token_permissions_token_lnk')} ${name('l')} JOIN ${name(
    'strapi_api_token_permissions',
  )} ${name('p')} ON ${name('p.id')} = ${name('l.api_token_permission_id')} WHERE ${name('l.api_token_id')} = ${p1}`;

  const userColumns = [
    userColumn('id'),
    userColumn('blocked'),
    userColumn('confirmed'),
    hasRole ? name('l.role_id') : 'NULL',
    userColumn('password'),
  ].join(', ');
  const roleLink = hasRole ? ` LEFT JOIN ${name('up_users_role_lnk')} ${name('l')} ON ${name('l.user_id')} = ${name('u.id')}` : '';
  const usersWithRole = `FROM ${name('up_users')} ${name('u')}${roleLink}`;
  const userById = `SELECT ${userColumns} ${usersWithRole} WHERE ${name('u.id')} = ${p1}`;
  const userByIdentifier = `SELECT ${userColumns} ${usersWithRole} WHERE ${name('u.provider')} = 'local' AND (${name(
    'u.email',
  )} = ${p1} OR ${name('u.username')} = ${dialect.placeholder(2)}) ORDER BY CASE WHEN ${name('u.email')} = ${dialect.placeholder(3)} THEN 0 ELSE 1 END, ${name('u.id')} LIMIT 1`;

  const permissionsOfRoles = `FROM ${name('up_permissions')} ${name('p')} JOIN ${name('up_permissions_role_lnk')} ${name('l')} ON ${name(
    'l.permission_id',
  )} = ${name('p.id')}`;
  const roleActions = `SELECT ${name('p.action')} ${permissionsOfRoles} WHERE ${name('l.role_id')} = ${p1}`;
  const publicRoles = `SELECT ${name('id')} FROM ${name('up_roles')} WHERE ${name('type')} = 'public' ORDER BY ${name('id')}`;
  // Asked until it is there: the table may come while the server runs, and rules that nobody looks at would open what they were made to close.
  // For the same reason it is a failure when it goes.
  let rulesSeen = has(roleRulesTable);
  const hasRules = `SELECT ${dialect.tableExists(p1)}`;
  const roleRules = `SELECT ${['action', 'fields', 'condition'].map(name).join(', ')} FROM ${name(roleRulesTable)} WHERE ${name('role_id')} = ${p1}`;

  const settingByKey = `SELECT ${name('value')} FROM ${name('strapi_core_store_settings')} WHERE ${name('key')} = ${p1}`;

  const actions = (rows: readonly Row[]) => rows.map(([action]) => String(action));
  const text = (value: string) => dialect.bind(value, 'string');
  async function grantsOf(roleId: number, connection: Connection): Promise<Grants> {
    const granted = actions(await connection.query(roleActions, [roleId]));
    if (!rulesSeen) rulesSeen = isTrue((await connection.query(hasRules, [roleRulesTable]))[0]?.[0]);
    const rules = rulesSeen ? await connection.query(roleRules, [roleId]) : [];
    return {
      actions: granted,
      rules: rules.map(([action, fields, condition]) => ({
        action: String(action),
        fields: fields === null ? null : String(fields),
        condition: condition === null ? null : String(condition),
      })),
    };
  }
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
    /** A local user by e-mail address, in any letter case as long as it was stored in lower case, or by exact user name. The owner of the
     *  address comes first: others may be called so, in other letter case. */
    async userByIdentifier(identifier: string): Promise<User | undefined> {
      const email = text(identifier.toLowerCase());
      const [row] = canSignIn ? await query(userByIdentifier, [email, text(identifier), email]) : [];
      return row && user(row);
    },
    async roleGrants(roleId: number): Promise<Grants> {
      return hasRoles ? database.read((connection) => grantsOf(roleId, connection)) : { actions: [], rules: [] };
    },
    async publicGrants(): Promise<Grants> {
      if (!hasRoles) return { actions: [], rules: [] };
      return database.read(async (connection) => {
        const [role] = await connection.query(publicRoles, []);
        return role === undefined ? { actions: [], rules: [] } : grantsOf(Number(role[0]), connection);
      });
    },
    /** Attributes of a user in the form that filters compare with. Those that are empty, secret or unknown are left out. */
    async userValues(id: number, names: Iterable<string>): Promise<UserValues> {
      const attributes = [...names].flatMap((each) => {
        const attribute = userType?.attributes.get(each);
        return isUserValue(attribute) ? [attribute] : [];
      });
      if (!hasUsers || attributes.length === 0) return new Map();
      const columns = attributes.map(({ column, type }) => dialect.select(name(`u.${column}`), type)).join(', ');
      const [row = []] = await query(`SELECT ${columns} FROM ${name('up_users')} ${name('u')} WHERE ${name('u.id')} = ${p1}`, [id]);
      return new Map(
        attributes.flatMap((attribute, index) => {
          const value = row[index];
          if (value === null || value === undefined) return [];
          const shown: unknown = JSON.parse(attributeTypes[attribute.type].writeJson(value));
          // Every text begins with an empty one, and contains it.
          return shown === null || shown === '' ? [] : [[attribute.name, String(shown)] as const];
        }),
      );
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
