/** What roles may do, as rows: Strapi's permissions, and Lectern's rules for what those cannot say. Always part of a transaction of the caller's,
 *  who holds `roleLock`. */

import type { Database, Row, SqlValue } from '../dialects/dialect.ts';
import { hasTable } from '../sql/table-exists.ts';
import type { Column } from '../sql/inserts.ts';
import { type Cell, Rows } from '../sql/rows.ts';
import { roleRulesTable } from '../tables/system-tables.ts';
import { newDocumentId } from '../text/document-id.ts';
import { isObject, type JsonObject } from '../text/json.ts';
import { isOwnAction } from './rights.ts';

/** What a right is limited to. Without `fields` it is all attributes, without `where` all documents. */
export interface StoredRestriction {
  readonly fields?: readonly string[];
  /** In the language of `filters`; texts may be `$user.<attribute>`. */
  readonly where?: JsonObject;
}

export interface StoredRight {
  readonly action: string;
  /** Row ids of Strapi's permissions; more than one where something has granted it twice. */
  readonly permissions: readonly number[];
  readonly rule: StoredRule | undefined;
}

export interface StoredRule {
  readonly id: number;
  /** Undefined when its JSON cannot be read; it then allows nothing. */
  readonly limit: StoredRestriction | undefined;
}

/** The rights of a role by their action, rules that have nothing to limit included. */
export type StoredRights = ReadonlyMap<string, StoredRight>;

/** What everybody who changes roles or their rights waits for. */
export const roleLock = 'users-permissions roles';

export const isGranted = ({ action, permissions, rule }: StoredRight): boolean =>
  permissions.length > 0 || (rule !== undefined && isOwnAction(action));

export const isRestricted = (limit: StoredRestriction | undefined): boolean =>
  limit !== undefined && (limit.fields !== undefined || limit.where !== undefined);

/** A database that Strapi made has no table of rules until `lectern migrate apply`. */
export const hasRoleRules = (database: Database): Promise<boolean> => hasTable(database, roleRulesTable);

const times = (...names: string[]): Column[] => names.map((name) => ({ name, type: 'datetime' }));
const permissionColumns: readonly Column[] = [
  { name: 'document_id', type: 'string' },
  { name: 'action', type: 'string' },
  ...times('created_at', 'updated_at', 'published_at'),
];
const permissionLinkColumns: readonly Column[] = [
  { name: 'permission_id', type: 'reference' },
  { name: 'role_id', type: 'reference' },
  { name: 'permission_ord', type: 'order' },
];
const ruleColumns: readonly Column[] = [
  { name: 'role_id', type: 'reference' },
  { name: 'action', type: 'string' },
  { name: 'fields', type: 'text' },
  { name: 'condition', type: 'text' },
  ...times('created_at', 'updated_at'),
];

/** `hasRules`: whether there is a table for rules. Without it actions of Lectern's own are permissions like the others. */
export function roleRights(rows: Rows, hasRules: boolean) {
  const { dialect } = rows;
  const q = (identifier: string) => identifier.split('.').map(dialect.quote).join('.');
  const table = q(roleRulesTable);

  async function ofRole(roleId: number): Promise<StoredRights> {
    const rights = new Map<string, StoredRight>();
    const p1 = dialect.placeholder(1);
    const permissions = await rows.query(
      `SELECT ${q('p.id')}, ${q('p.action')} FROM ${q('up_permissions')} ${q('p')} JOIN ${q('up_permissions_role_lnk')} ${q('l')} ON ${q(
        'l.permission_id',
      )} = ${q('p.id')} WHERE ${q('l.role_id')} = ${p1} ORDER BY ${q('l.permission_ord')}, ${q('p.id')}`,
      [roleId],
    );
    for (const [id, name] of permissions) {
      const action = String(name);
      rights.set(action, { action, permissions: [...(rights.get(action)?.permissions ?? []), Number(id)], rule: undefined });
    }
    if (!hasRules) return rights;
    const rules = await rows.query(
      `SELECT id, ${['action', 'fields', 'condition'].map(q).join(', ')} FROM ${table} WHERE ${q('role_id')} = ${p1} ORDER BY id`,
      [roleId],
    );
    for (const row of rules) {
      const action = String(row[1]);
      rights.set(action, { action, permissions: rights.get(action)?.permissions ?? [], rule: { id: Number(row[0]), limit: limitOf(row) } });
    }
    return rights;
  }

  async function grant(
    roleId: number,
    wanted: readonly { readonly action: string; readonly limit: StoredRestriction | undefined }[],
  ): Promise<void> {
    if (wanted.length === 0) return;
    const now = Date.now();
    const byPermission = wanted.filter(({ action }) => !(hasRules && isOwnAction(action)));
    if (byPermission.length > 0) {
      const values = byPermission.map(({ action }): SqlValue[] => [newDocumentId(), action, now, now, now]);
      const ids = await rows.inserts.returningIds('up_permissions', permissionColumns, values);
      const last = await lastPlace(roleId);
      for (const [index, id] of ids.entries())
        rows.inserts.later('up_permissions_role_lnk', permissionLinkColumns, [id, roleId, last + index + 1]);
    }
    for (const { action, limit } of wanted) {
      if (isRestricted(limit) || (hasRules && isOwnAction(action))) addRule(roleId, action, limit, now);
    }
    await rows.inserts.flush();
  }

  async function lastPlace(roleId: number): Promise<number> {
    const [row] = await rows.query(
      `SELECT max(${q('permission_ord')}) FROM ${q('up_permissions_role_lnk')} WHERE ${q('role_id')} = ${dialect.placeholder(1)}`,
      [roleId],
    );
    return Number(row?.[0] ?? 0);
  }

  function addRule(roleId: number, action: string, limit: StoredRestriction | undefined, now: number): void {
    if (!hasRules) throw new Error(`a rule for ${action} needs the table ${roleRulesTable}`);
    rows.inserts.later(roleRulesTable, ruleColumns, [roleId, action, ...textsOf(limit), now, now]);
  }

  return {
    ofRole,
    grant,
    /** Takes the permission and its rule; a rule alone is one that must not limit a right that comes later. */
    async revoke(rights: readonly StoredRight[]): Promise<void> {
      const permissions = rights.flatMap((right) => right.permissions);
      const rules = rights.flatMap(({ rule }) => (rule === undefined ? [] : [rule.id]));
      if (permissions.length > 0) {
        await rows.delete('up_permissions_role_lnk', 'permission_id', permissions);
        await rows.delete('up_permissions', 'id', permissions);
      }
      if (rules.length > 0) await rows.delete(roleRulesTable, 'id', rules);
    },
    /** Of a right that there is. */
    async limit(roleId: number, { action, permissions, rule }: StoredRight, limit: StoredRestriction | undefined): Promise<void> {
      const now = Date.now();
      if (rule === undefined) addRule(roleId, action, limit, now);
      else if (!isRestricted(limit) && permissions.length > 0) await rows.delete(roleRulesTable, 'id', [rule.id]);
      else {
        const [fields = null, condition = null] = textsOf(limit);
        const cells: Cell[] = [
          { name: 'fields', type: 'text', value: fields },
          { name: 'condition', type: 'text', value: condition },
          { name: 'updated_at', type: 'datetime', value: now },
        ];
        await rows.update(roleRulesTable, rule.id, cells);
      }
      await rows.inserts.flush();
    },
  };
}

const textsOf = (limit: StoredRestriction | undefined): (string | null)[] =>
  [limit?.fields, limit?.where].map((value) => (value === undefined ? null : JSON.stringify(value)));

function limitOf([, , fieldsText, conditionText]: Row): StoredRestriction | undefined {
  const fields = parsed(fieldsText);
  const where = parsed(conditionText);
  const fieldsFit = fields === null || (Array.isArray(fields) && fields.every((each) => typeof each === 'string'));
  if (!fieldsFit || !(where === null || isObject(where))) return undefined;
  return { ...(fields === null ? {} : { fields }), ...(where === null ? {} : { where }) };
}

function parsed(text: unknown): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

/** Runs `work` as a transaction of its own, after everybody else who changes roles. */
export async function changingRoles<T>(
  database: Database,
  work: (rows: Rows, rights: ReturnType<typeof roleRights>) => Promise<T>,
): Promise<T> {
  const hasRules = await hasRoleRules(database);
  return database.write(async (connection) => {
    const rows = new Rows(connection, database.dialect);
    await rows.lock([roleLock]);
    const result = await work(rows, roleRights(rows, hasRules));
    await rows.inserts.flush();
    return result;
  });
}
