/** Reads API tokens, users, roles, permissions and settings from Strapi's tables. Each look-up is
 *  one statement: on PostgreSQL a round trip, which every commit makes necessary. */

import { type ConfiguredSettings, withConfigured } from '../config/stored-settings.ts';
import type { Connection, Database } from '../dialects/database.ts';
import { jsonOf } from '../model/attributes/attribute-types.ts';
import { passwordRounds, usualRounds } from '../model/attributes/password-rounds.ts';
import type { ContentType } from '../model/content-model.ts';
import { isUserValue, type UserValues } from '../rights/restrictions.ts';
import { type Grants, managementAccess, openRoles } from '../rights/rights.ts';
import { read } from '../sql/run.ts';
import { type Sql, sql } from '../sql/sql.ts';
import { isTable } from '../sql/table-exists.ts';
import { readSetting } from '../tables/settings-store.ts';
import { roleRulesTable, settingsTable } from '../tables/system-tables.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { createUserRows, type User } from './user-rows-store.ts';

export interface ApiToken {
  readonly id: number;
  readonly type: string;
  /** Milliseconds since the epoch; infinite for a token that never expires. */
  readonly expiresAt: number;
  /** The permissions of a token of type `custom` or `full-access`; of the latter, only
   *  `lectern::mcp.write` counts. */
  readonly actions: readonly string[];
}

export interface Profile {
  readonly user: { readonly id: number; readonly documentId: string; readonly username: string | null; readonly email: string | null };
  readonly role: ProfileRole | undefined;
}

interface ProfileRole {
  readonly id: number;
  readonly name: string;
  readonly type: string;
}

export type AccessStore = ReturnType<typeof createAccessStore>;

/** `tables` are those of the live database: some projects and earlier versions lack some. */
export function createAccessStore(
  database: Database,
  tables: ReadonlyMap<string, ReadonlySet<string>>,
  { userType, configured }: { readonly userType: ContentType | undefined; readonly configured: ConfiguredSettings },
) {
  const has = (table: string, column = 'id') => tables.get(table)?.has(column) === true;
  const hasUsers = has('up_users');
  const hasRoles = has('up_roles') && has('up_permissions') && has('up_permissions_role_lnk');

  const kind = has('strapi_api_tokens', 'kind') ? sql`t.kind` : sql`NULL`;
  const tokenColumns = sql`t.id, t.type, ${sql.read(sql`t.expires_at`, 'datetime')}, ${kind}, p.action`;
  const tokens = sql.fixed(sql`SELECT ${tokenColumns} FROM strapi_api_tokens t ${actionsOfTokens}`);
  const users = createUserRows(tables);
  // Asked until it is there: the table may come while the server runs, and rules that nobody reads
  // would open what they were made to close. So it is a failure when it disappears.
  let rulesSeen = has(roleRulesTable);

  /** `role` is SQL of a role's id. */
  async function grantsOf(role: Sql): Promise<Grants> {
    if (!hasRoles) return { actions: [], rules: [] };
    const rules = rulesSeen
      ? sql`SELECT 'rule', action, fields, ${sql.id('condition')} FROM ${sql.id(roleRulesTable)} WHERE role_id = ${role}`
      : sql`SELECT 'rules exist', NULL, NULL, NULL WHERE ${isTable(roleRulesTable)}`;
    const found = await read(database, sql`${grantsOfRole} = ${role} UNION ALL ${rules} UNION ALL ${typeOfRole} = ${role}`);
    if (found.some(([part]) => part === 'rules exist')) {
      rulesSeen = true;
      return grantsOf(role);
    }
    const type = String(found.find(([part]) => part === 'type')?.[1] ?? '');
    // Whoever wrote it into the database: commands and the file of rights refuse it.
    const isVoid = (action: unknown) => action === managementAccess && openRoles.has(type);
    return {
      actions: found.flatMap(([part, action]) => (part === 'action' && !isVoid(action) ? [String(action)] : [])),
      rules: found.flatMap(([part, action, fields, condition]) =>
        part === 'rule' && !isVoid(action)
          ? [{ action: String(action), fields: textOrNull(fields), condition: textOrNull(condition) }]
          : [],
      ),
    };
  }

  async function settings(key: 'advanced' | 'grant' | 'email'): Promise<JsonObject> {
    const name = `plugin_users-permissions_${key}` as const;
    const value = has(settingsTable) ? await database.readAtOnce((connection) => readSetting(connection, name)) : undefined;
    if (name !== 'plugin_users-permissions_grant') return withConfigured(value, name, configured);
    return isObject(value) ? value : {};
  }

  return {
    /** The number of bcrypt rounds of new hashes. */
    passwordRounds: roundsOf(userType),
    /** The token with that hash, or undefined; tokens of the admin panel's own API are ignored. */
    async apiToken(accessKey: string): Promise<ApiToken | undefined> {
      if (!has('strapi_api_tokens')) return undefined;
      return tokenIn(await read(database, sql`${tokens} WHERE t.access_key = ${accessKey} ORDER BY t.id`));
    },
    async apiTokenById(id: number): Promise<ApiToken | undefined> {
      return has('strapi_api_tokens') ? tokenIn(await read(database, sql`${tokens} WHERE t.id = ${id}`)) : undefined;
    },
    user: (id: number): Promise<User | undefined> => database.readAtOnce((connection) => users.byId(connection, id)),
    /** The same as part of a transaction. */
    userIn: (connection: Connection, id: number): Promise<User | undefined> => users.byId(connection, id),
    /** A local user by e-mail, in any letter case if stored in lower case, or by exact user name.
     *  The owner of the e-mail comes first: a user name may look like another user's e-mail. */
    async userByIdentifier(identifier: string): Promise<User | undefined> {
      if (!users.canSignIn) return undefined;
      const email = identifier.toLowerCase();
      const isEmail = sql.equals(sql`u.email`, sql.value(email, 'email'), 'email', 'names');
      const isName = sql.equals(sql`u.username`, sql.value(identifier, 'string'), 'string', 'names');
      const known = sql`u.provider = 'local' AND (${isEmail} OR ${isName})`;
      const ownerFirst = sql`CASE WHEN ${isEmail} THEN 0 ELSE 1 END, u.id`;
      return database.readAtOnce((connection) => users.first(connection, sql`WHERE ${known} ORDER BY ${ownerFirst} LIMIT 1`));
    },
    roleGrants: (roleId: number): Promise<Grants> => grantsOf(sql`${roleId}`),
    publicGrants: (): Promise<Grants> => grantsOf(publicRole),
    /** Attributes of a user as filters compare them, without empty, secret and unknown ones. */
    async userValues(id: number, names: Iterable<string>): Promise<UserValues> {
      const attributes = [...names].flatMap((each) => {
        const attribute = userType?.attributes.get(each);
        return isUserValue(attribute) ? [attribute] : [];
      });
      if (!hasUsers || attributes.length === 0) return new Map();
      const columns = sql.join(attributes.map(({ column, type }) => sql.read(sql.id('u', column), type)));
      const [row = []] = await read(database, sql`SELECT ${columns} FROM up_users u WHERE u.id = ${id}`);
      return new Map(
        attributes.flatMap((attribute, index) => {
          const value = row[index];
          if (value === null || value === undefined) return [];
          const shown: unknown = JSON.parse(jsonOf(value, attribute.type));
          // Every text begins with the empty text, and contains it.
          return shown === null || shown === '' ? [] : [[attribute.name, String(shown)] as const];
        }),
      );
    },
    /** A user with the role, as `GET /api/_me` says; undefined for one who is gone. */
    async profile(userId: number): Promise<Profile | undefined> {
      if (!hasUsers) return undefined;
      const own = ['document_id', 'username', 'email'].map((name) => (has('up_users', name) ? sql.id('u', name) : sql`NULL`));
      const hasRole = hasRoles && has('up_users_role_lnk', 'role_id');
      const ofRole = hasRole ? sql`r.id, r.name, r.type` : sql`NULL, NULL, NULL`;
      const roles = hasRole ? sql`LEFT JOIN up_users_role_lnk l ON l.user_id = u.id LEFT JOIN up_roles r ON r.id = l.role_id` : sql.empty;
      const [row] = await read(database, sql`SELECT ${sql.join([...own, ofRole])} FROM up_users u ${roles} WHERE u.id = ${userId}`);
      if (row === undefined) return undefined;
      const [documentId, username, email, ...role] = row;
      return {
        user: { id: userId, documentId: String(documentId), username: textOrNull(username), email: textOrNull(email) },
        role: roleIn(role),
      };
    },
    async publicRole(): Promise<ProfileRole | undefined> {
      if (!hasRoles) return undefined;
      const [row = []] = await read(database, sql`SELECT id, name, type FROM up_roles WHERE id = ${publicRole}`);
      return roleIn(row);
    },
    /** Whether the user has to confirm the e-mail before signing in. */
    async isUnconfirmed({ confirmed }: Pick<User, 'confirmed'>): Promise<boolean> {
      return !confirmed && (await settings('advanced')).email_confirmation === true;
    },
    /** The type of the role that newly registered users get. */
    async defaultRoleType(): Promise<string> {
      const { default_role } = await settings('advanced');
      return typeof default_role === 'string' ? default_role : 'authenticated';
    },
    /** A setting of users-permissions, as its admin page stores it, or as configured. */
    settings,
  };
}

function tokenIn(rows: readonly (readonly unknown[])[]): ApiToken | undefined {
  const first = rows.find(([, , , kind]) => kind === null || kind === 'content-api');
  if (first === undefined) return undefined;
  const [id, type, expiresAt] = first;
  return {
    id: Number(id),
    type: String(type),
    expiresAt: expiresAt === null ? Number.POSITIVE_INFINITY : Number(expiresAt),
    actions: rows.flatMap(([of, , , , action]) => (of === id && action !== null ? [String(action)] : [])),
  };
}

function roleIn([id, name, type]: readonly unknown[]): ProfileRole | undefined {
  return id === null || id === undefined ? undefined : { id: Number(id), name: String(name), type: String(type) };
}

const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));

/** The role of callers without a token: the oldest one of that type. */
const publicRole = sql`(SELECT id FROM up_roles WHERE type = 'public' ORDER BY id LIMIT 1)`;
const grantsOfRole = sql`SELECT 'action', p.action, NULL, NULL FROM up_permissions p JOIN up_permissions_role_lnk l ON l.permission_id = p.id WHERE l.role_id`;
const typeOfRole = sql`SELECT 'type', type, NULL, NULL FROM up_roles WHERE id`;
const actionsOfTokens = sql`LEFT JOIN strapi_api_token_permissions_token_lnk l ON l.api_token_id = t.id AND t.type IN ('custom', 'full-access') LEFT JOIN strapi_api_token_permissions p ON p.id = l.api_token_permission_id`;

function roundsOf(userType: ContentType | undefined): number {
  const attribute = userType?.attributes.get('password');
  return attribute?.kind === 'scalar' ? passwordRounds(attribute.options) : usualRounds;
}
