/** Rights to what is gone. Left where they are, they would come to life when a type or attribute of the same name appears. */

import type { Database } from '../dialects/dialect.ts';
import type { ContentModel } from '../model/content-model.ts';
import { partsOf } from '../rights/grantable-actions.ts';
import { isOwnAction } from '../rights/rights.ts';
import { allRules, grantedActions, grantTables, roleLock } from '../rights/role-rights-store.ts';
import { Rows } from '../sql/rows.ts';
import { roleRulesTable } from '../tables/system-tables.ts';

interface StaleRow {
  readonly table: string;
  readonly id: number;
  readonly action: string;
  /** For people: `api::article.article.find`, with the attributes that are gone. */
  readonly right: string;
  /** The type or attribute as `lectern migrate --rename` calls it. */
  readonly former: readonly string[];
  /** Of a rule that other attributes are left of. */
  readonly fields?: readonly string[];
}

/** The old names of types and attributes that may have been renamed. Finding them means planning a migration, so they are asked for only when needed. */
export type OfferedNames = () => Promise<ReadonlySet<string>>;

export interface UnknownRights {
  /** Rights to types that no schema file has, and attributes that are gone from rules. */
  readonly removed: readonly string[];
  readonly kept: readonly string[];
}

/** Looks for rights to types and attributes that no schema file has. `remove`: `all` takes them away; `rules` those of Lectern's own table alone,
 *  where Strapi looks after the others itself; `nothing` only looks. What may have been renamed is kept: the rename takes its rights along. */
export async function settleUnknownRights(
  database: Database,
  model: ContentModel,
  remove: 'all' | 'rules' | 'nothing',
  offered: OfferedNames,
): Promise<UnknownRights> {
  const stale = await staleRows(database, model);
  if (stale.length === 0) return { removed: [], kept: [] };
  const names = await offered();
  const goes = (row: StaleRow) => (remove === 'all' || (remove === 'rules' && isOurs(row))) && !row.former.some((name) => names.has(name));
  const gone = stale.filter(goes);
  if (gone.length > 0) await removeRows(database, gone);
  const texts = (rows: readonly StaleRow[]) => [...new Set(rows.map(({ right }) => right))].sort();
  return { removed: texts(gone), kept: texts(stale.filter((row) => !goes(row))) };
}

/** What limits a permission that Strapi looks after has to stay as long as that permission may. */
const isOurs = ({ table, action, fields }: StaleRow) => table === roleRulesTable && (fields !== undefined || isOwnAction(action));

async function staleRows(database: Database, model: ContentModel): Promise<StaleRow[]> {
  const tables = new Set((await database.tables()).map(({ name }) => name));
  return database.read(async (connection) => {
    const stale: StaleRow[] = [];
    for (const { table } of grantTables.filter((each) => tables.has(each.table))) {
      for (const { id, action } of await grantedActions(connection, table)) {
        const gone = removedType(action, model);
        if (gone !== undefined) stale.push({ table, id, action, right: action, former: [gone] });
      }
    }
    if (!tables.has(roleRulesTable)) return stale;
    for (const { id, action, fields } of await allRules(connection)) {
      const row = staleRule(id, action, fields, model);
      if (row !== undefined) stale.push(row);
    }
    return stale;
  });
}

/** Only content types of projects go; what a plugin has is the plugin's to know. */
function removedType(action: string, model: ContentModel): string | undefined {
  const { subject } = partsOf(action);
  return subject.startsWith('api::') && !model.contentTypes.has(subject) ? subject : undefined;
}

function staleRule(id: number, action: string, fields: unknown, model: ContentModel): StaleRow | undefined {
  const row = { table: roleRulesTable, id, action };
  const gone = removedType(action, model);
  if (gone !== undefined) return { ...row, right: action, former: [gone] };
  const { subject } = partsOf(action);
  const attributes = model.contentTypes.get(subject)?.attributes;
  const names = typeof fields === 'string' ? namesIn(fields) : undefined;
  if (attributes === undefined || names === undefined) return undefined;
  const lost = names.filter((name) => !attributes.has(name));
  if (lost.length === 0) return undefined;
  return {
    ...row,
    right: `${action}, in its "fields" ${lost.join(', ')}`,
    former: lost.map((name) => `${subject}.${name}`),
    fields: names.filter((name) => attributes.has(name)),
  };
}

function namesIn(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.map(String) : undefined;
  } catch {
    return undefined;
  }
}

async function removeRows(database: Database, stale: readonly StaleRow[]): Promise<void> {
  await database.write(async (connection) => {
    const rows = new Rows(connection, database.dialect);
    await rows.lock([roleLock]);
    for (const { table, links, key } of grantTables) {
      const ids = stale.filter((row) => row.table === table).map(({ id }) => id);
      if (ids.length === 0) continue;
      await rows.delete(links, key, ids);
      await rows.delete(table, 'id', ids);
    }
    const now = Date.now();
    const rules = stale.filter((row) => row.table === roleRulesTable);
    for (const { id, fields } of rules) {
      // A rule stays also when no attribute is left: without it the right would have no limit.
      if (fields === undefined) continue;
      await rows.update(roleRulesTable, id, [
        { name: 'fields', type: 'text', value: JSON.stringify(fields) },
        { name: 'updated_at', type: 'datetime', value: now },
      ]);
    }
    const gone = rules.filter(({ fields }) => fields === undefined).map(({ id }) => id);
    if (gone.length > 0) await rows.delete(roleRulesTable, 'id', gone);
  });
}

/** For whoever starts the server or migrates; empty when there is nothing to say. */
export function describeUnknownRights({ removed, kept }: UnknownRights): string {
  const list = (rights: readonly string[]) => rights.map((right) => `  ${right}\n`).join('');
  const removal =
    removed.length === 0
      ? ''
      : `Took away rights to what no schema file has any more; they would come to life with another type or attribute of that name:\n${list(removed)}`;
  const rest =
    kept.length === 0
      ? ''
      : `Warning: there are rights to what no schema file has. They come to life with a type or attribute of that name; a rename takes them along, and \`lectern migrate plan\` tells of renames:\n${list(kept)}`;
  return removal + rest;
}
