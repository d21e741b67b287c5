/** The rights of roles as rows: Strapi's permissions, and Lectern's rules for what permissions
 *  cannot express. Runs inside a transaction with the lock `roleLock`. */

import type { Connection, Database } from '../dialects/database.ts';
import type { Row } from '../dialects/dialect.ts';
import { writeRetried } from '../dialects/retry-conflicts.ts';
import type { TypedColumn } from '../sql/inserts.ts';
import { type Cell, Rows } from '../sql/rows.ts';
import { run } from '../sql/run.ts';
import { sql } from '../sql/sql.ts';
import { hasTable } from '../sql/table-exists.ts';
import { roleRulesTable } from '../tables/system-tables.ts';
import { isObject, type JsonObject, jsonOrUndefined } from '../text/json.ts';
import { isOwnAction } from './rights.ts';

/** Without `fields` the right is to all attributes, without `where` to all documents. */
export interface StoredRestriction {
  readonly fields?: readonly string[];
  /** In the language of `filters`; texts may be `$user.<attribute>`. */
  readonly where?: JsonObject;
}

export interface StoredRight {
  readonly action: string;
  /** Row ids of Strapi's permissions; more than one when the right was granted twice. */
  readonly permissions: readonly number[];
  readonly rule: StoredRule | undefined;
}

export interface StoredRule {
  readonly id: number;
  /** Undefined when its JSON cannot be read; it then allows nothing. */
  readonly restriction: StoredRestriction | undefined;
}

/** The rights of a role by action, including rules without a restriction. */
export type StoredRights = ReadonlyMap<string, StoredRight>;

/** The lock on changes of roles and their rights. */
export const roleLock = 'users-permissions roles';

export const isGranted = ({ action, permissions, rule }: StoredRight): boolean =>
  permissions.length > 0 || (rule !== undefined && isOwnAction(action));

export const isRestricted = (restriction: StoredRestriction | undefined): boolean =>
  restriction !== undefined && (restriction.fields !== undefined || restriction.where !== undefined);

/** A database that Strapi made has no table of rules until `lectern migrate apply`. */
export const hasRoleRules = (database: Database): Promise<boolean> => hasTable(database, roleRulesTable);

const permissionLinkColumns: readonly TypedColumn[] = [
  { name: 'permission_id', type: 'reference' },
  { name: 'role_id', type: 'reference' },
  { name: 'permission_ord', type: 'order' },
];
const ruleColumns: readonly TypedColumn[] = [
  { name: 'role_id', type: 'reference' },
  { name: 'action', type: 'string' },
  { name: 'fields', type: 'text' },
  { name: 'condition', type: 'text' },
  { name: 'created_at', type: 'datetime' },
  { name: 'updated_at', type: 'datetime' },
];

const ruleRows = sql.id(roleRulesTable);

/** `hasRules`: whether there is a table for rules. Otherwise our actions are permissions. */
export function roleRights(rows: Rows, hasRules: boolean) {
  async function ofRole(roleId: number): Promise<StoredRights> {
    const rights = new Map<string, StoredRight>();
    const granted = sql`up_permissions p JOIN up_permissions_role_lnk l ON l.permission_id = p.id`;
    const permissions = await rows.run(
      sql`SELECT p.id, p.action FROM ${granted} WHERE l.role_id = ${roleId} ORDER BY l.permission_ord, p.id`,
    );
    for (const [id, name] of permissions) {
      const action = String(name);
      rights.set(action, { action, permissions: [...(rights.get(action)?.permissions ?? []), Number(id)], rule: undefined });
    }
    if (!hasRules) return rights;
    const rules = await rows.run(
      sql`SELECT id, action, fields, ${sql.id('condition')} FROM ${ruleRows} WHERE role_id = ${roleId} ORDER BY id`,
    );
    for (const row of rules) {
      const action = String(row[1]);
      rights.set(action, {
        action,
        permissions: rights.get(action)?.permissions ?? [],
        rule: { id: Number(row[0]), restriction: restrictionOf(row) },
      });
    }
    return rights;
  }

  async function grant(
    roleId: number,
    wanted: readonly { readonly action: string; readonly restriction: StoredRestriction | undefined }[],
  ): Promise<void> {
    if (wanted.length === 0) return;
    const now = Date.now();
    const byPermission = wanted.filter(({ action }) => !(hasRules && isOwnAction(action)));
    if (byPermission.length > 0) {
      const ids = await rows.insertDocuments(
        'up_permissions',
        byPermission.map(({ action }) => [{ name: 'action', type: 'string', value: action }]),
      );
      const last = await lastPlace(roleId);
      for (const [index, id] of ids.entries())
        rows.inserts.later('up_permissions_role_lnk', permissionLinkColumns, [id, roleId, last + index + 1]);
    }
    for (const { action, restriction } of wanted) {
      if (isRestricted(restriction) || (hasRules && isOwnAction(action))) addRule(roleId, action, restriction, now);
    }
    rows.inserts.flush();
  }

  async function lastPlace(roleId: number): Promise<number> {
    const [row] = await rows.run(sql`SELECT max(permission_ord) FROM up_permissions_role_lnk WHERE role_id = ${roleId}`);
    return Number(row?.[0] ?? 0);
  }

  function addRule(roleId: number, action: string, restriction: StoredRestriction | undefined, now: number): void {
    if (!hasRules) throw new Error(`a rule for ${action} needs the table ${roleRulesTable}`);
    rows.inserts.later(roleRulesTable, ruleColumns, [roleId, action, ...textsOf(restriction), now, now]);
  }

  return {
    ofRole,
    grant,
    /** Deletes permissions and their rules, which would restrict rights that are granted later. */
    async revoke(rights: readonly StoredRight[]): Promise<void> {
      const permissions = rights.flatMap((right) => right.permissions);
      const rules = rights.flatMap(({ rule }) => (rule === undefined ? [] : [rule.id]));
      if (permissions.length > 0) {
        rows.delete('up_permissions_role_lnk', 'permission_id', permissions);
        rows.delete('up_permissions', 'id', permissions);
      }
      if (rules.length > 0) rows.delete(roleRulesTable, 'id', rules);
    },
    /** Changes the restriction of an existing right. */
    async restrict(roleId: number, { action, permissions, rule }: StoredRight, restriction: StoredRestriction | undefined): Promise<void> {
      const now = Date.now();
      if (rule === undefined) addRule(roleId, action, restriction, now);
      else if (!isRestricted(restriction) && permissions.length > 0) rows.delete(roleRulesTable, 'id', [rule.id]);
      else {
        const [fields = null, condition = null] = textsOf(restriction);
        const cells: Cell[] = [
          { name: 'fields', type: 'text', value: fields },
          { name: 'condition', type: 'text', value: condition },
          { name: 'updated_at', type: 'datetime', value: now },
        ];
        rows.update(roleRulesTable, rule.id, cells);
      }
      rows.inserts.flush();
    },
  };
}

const textsOf = (restriction: StoredRestriction | undefined): (string | null)[] =>
  [restriction?.fields, restriction?.where].map((value) => (value === undefined ? null : JSON.stringify(value)));

function restrictionOf([, , fieldsText, conditionText]: Row): StoredRestriction | undefined {
  const fields = parsed(fieldsText);
  const where = parsed(conditionText);
  const fieldsFit = fields === null || (Array.isArray(fields) && fields.every((each) => typeof each === 'string'));
  if (!fieldsFit || !(where === null || isObject(where))) return undefined;
  return { ...(fields === null ? {} : { fields }), ...(where === null ? {} : { where }) };
}

const parsed = (text: unknown): unknown => (text === null ? null : jsonOrUndefined(String(text)));

/** Tables that grant rights by name, with their links. Databases may lack those of API tokens. */
export const grantTables = [
  { table: 'up_permissions', links: 'up_permissions_role_lnk', key: 'permission_id' },
  { table: 'strapi_api_token_permissions', links: 'strapi_api_token_permissions_token_lnk', key: 'api_token_permission_id' },
] as const;

export interface GrantedAction {
  readonly id: number;
  readonly action: string;
}

export async function grantedActions(connection: Connection, table: (typeof grantTables)[number]['table']): Promise<GrantedAction[]> {
  const rows = await run(connection, sql`SELECT id, action FROM ${sql.id(table)} ORDER BY id`);
  return rows.map(([id, action]) => ({ id: Number(id), action: String(action) }));
}

/** A rule as its row has it: `fields` and `condition` are JSON texts, or null. */
export interface RuleRow extends GrantedAction {
  readonly fields: unknown;
  readonly condition: unknown;
  /** The type of its role; undefined when there is no such role. */
  readonly role: string | undefined;
}

export async function allRules(connection: Connection): Promise<RuleRow[]> {
  const columns = sql`c.id, c.action, c.fields, c.condition, r.type`;
  const rows = await run(connection, sql`SELECT ${columns} FROM ${ruleRows} c LEFT JOIN up_roles r ON r.id = c.role_id ORDER BY c.id`);
  return rows.map(([id, action, fields, condition, role]) => ({
    id: Number(id),
    action: String(action),
    fields,
    condition,
    role: typeof role === 'string' ? role : undefined,
  }));
}

/** Runs `work` in a transaction that holds `roleLock`. */
export async function changingRoles<T>(
  database: Database,
  work: (rows: Rows, rights: ReturnType<typeof roleRights>) => Promise<T>,
): Promise<T> {
  const hasRules = await hasRoleRules(database);
  return writeRetried(database, async (connection) => {
    const rows = new Rows(connection, database.dialect);
    rows.lock([roleLock]);
    const result = await work(rows, roleRights(rows, hasRules));
    rows.inserts.flush();
    return result;
  });
}
