/** Removes rights to removed types and attributes: new ones could have the same name. */

import type { Database } from '../dialects/database.ts';
import type { ContentModel } from '../model/content-model.ts';
import { partsOf } from '../rights/grantable-actions.ts';
import { isOwnAction } from '../rights/rights.ts';
import { allRules, grantedActions, grantTables, roleLock } from '../rights/role-rights-store.ts';
import { Rows } from '../sql/rows.ts';
import { tableExists } from '../sql/table-exists.ts';
import { roleRulesTable } from '../tables/system-tables.ts';
import { jsonOrUndefined } from '../text/json.ts';
import { lecternCommand } from '../text/lectern-command.ts';

interface StaleRow {
  readonly table: string;
  readonly id: number;
  readonly action: string;
  /** For messages: `api::article.article.find`, with the removed attributes. */
  readonly right: string;
  /** The type or attribute as `lectern migrate --rename` names it. */
  readonly former: readonly string[];
  /** The attributes that remain in a rule. */
  readonly fields?: readonly string[];
}

/** The old names of types and attributes that may have been renamed, from a planned migration. */
export type OfferedNames = () => Promise<ReadonlySet<string>>;

export interface UnknownRights {
  /** Rights to types that no schema file has, and attributes that were removed from rules. */
  readonly removed: readonly string[];
  readonly remaining: readonly string[];
}

/** Finds rights to types and attributes that no schema file has. `remove`: all of them, `rules`
 *  (those in Lectern's own table), or nothing. Rights to what may have been renamed stay. */
export async function settleUnknownRights(
  database: Database,
  model: ContentModel,
  remove: 'all' | 'rules' | 'nothing',
  offered: OfferedNames,
): Promise<UnknownRights> {
  const stale = await staleRows(database, model);
  if (stale.length === 0) return { removed: [], remaining: [] };
  const names = await offered();
  const goes = (row: StaleRow) => (remove === 'all' || (remove === 'rules' && isOurs(row))) && !row.former.some((name) => names.has(name));
  const removed = stale.filter(goes);
  if (removed.length > 0) await removeRows(database, removed);
  const texts = (rows: readonly StaleRow[]) => [...new Set(rows.map(({ right }) => right))].sort();
  return { removed: texts(removed), remaining: texts(stale.filter((row) => !goes(row))) };
}

/** Whether Lectern manages a row by itself. Other rules restrict permissions of Strapi. */
const isOurs = ({ table, action, fields }: StaleRow) => table === roleRulesTable && (fields !== undefined || isOwnAction(action));

async function staleRows(database: Database, model: ContentModel): Promise<StaleRow[]> {
  return database.read(async (connection) => {
    const stale: StaleRow[] = [];
    for (const { table } of grantTables) {
      if (!(await tableExists(connection, table))) continue;
      for (const { id, action } of await grantedActions(connection, table)) {
        const removed = removedType(action, model);
        if (removed !== undefined) stale.push({ table, id, action, right: action, former: [removed] });
      }
    }
    if (!(await tableExists(connection, roleRulesTable))) return stale;
    for (const { id, action, fields } of await allRules(connection)) {
      const row = staleRule(id, action, fields, model);
      if (row !== undefined) stale.push(row);
    }
    return stale;
  });
}

/** The removed type of an action. Types of plugins do not count: some are unknown here. */
function removedType(action: string, model: ContentModel): string | undefined {
  const { typeKey } = partsOf(action);
  return typeKey.startsWith('api::') && !model.contentTypes.has(typeKey) ? typeKey : undefined;
}

function staleRule(id: number, action: string, fields: unknown, model: ContentModel): StaleRow | undefined {
  const row = { table: roleRulesTable, id, action };
  const removed = removedType(action, model);
  if (removed !== undefined) return { ...row, right: action, former: [removed] };
  const { typeKey } = partsOf(action);
  const attributes = model.contentTypes.get(typeKey)?.attributes;
  const names = typeof fields === 'string' ? namesIn(fields) : undefined;
  if (attributes === undefined || names === undefined) return undefined;
  const lost = names.filter((name) => !attributes.has(name));
  if (lost.length === 0) return undefined;
  return {
    ...row,
    right: `${action}, in its "fields" ${lost.join(', ')}`,
    former: lost.map((name) => `${typeKey}.${name}`),
    fields: names.filter((name) => attributes.has(name)),
  };
}

function namesIn(text: string): string[] | undefined {
  const value = jsonOrUndefined(text);
  return Array.isArray(value) ? value.map(String) : undefined;
}

async function removeRows(database: Database, stale: readonly StaleRow[]): Promise<void> {
  await database.write(async (connection) => {
    const rows = new Rows(connection, database.dialect);
    rows.lock([roleLock]);
    for (const { table, links, key } of grantTables) {
      const ids = stale.filter((row) => row.table === table).map(({ id }) => id);
      if (ids.length === 0) continue;
      rows.delete(links, key, ids);
      rows.delete(table, 'id', ids);
    }
    const now = Date.now();
    const rules = stale.filter((row) => row.table === roleRulesTable);
    for (const { id, fields } of rules) {
      // A rule without attributes stays too: without the rule, the right would have no restriction.
      if (fields === undefined) continue;
      rows.update(roleRulesTable, id, [
        { name: 'fields', type: 'text', value: JSON.stringify(fields) },
        { name: 'updated_at', type: 'datetime', value: now },
      ]);
    }
    const removed = rules.filter(({ fields }) => fields === undefined).map(({ id }) => id);
    if (removed.length > 0) rows.delete(roleRulesTable, 'id', removed);
  });
}

/** Lines for the terminal; empty if there are no such rights. */
export function describeUnknownRights({ removed, remaining }: UnknownRights): string {
  const list = (rights: readonly string[]) => rights.map((right) => `  ${right}\n`).join('');
  const removal =
    removed.length === 0
      ? ''
      : `Removed rights to types and attributes that no schema file has; they would apply to a new type or attribute with the same name:\n${list(removed)}`;
  const rest =
    remaining.length === 0
      ? ''
      : `Warning: there are rights to types and attributes that no schema file has. They would apply to a new type or attribute with the same name; a rename changes them, and \`${lecternCommand('migrate plan')}\` lists renames:\n${list(remaining)}`;
  return removal + rest;
}
