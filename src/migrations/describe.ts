/** Missing tables and columns in words. */
import type { ContentModel } from '../model/content-model.ts';
import type { DatabaseMaker } from './maker.ts';
import type { MigrationPlan } from './plan.ts';
import type { Column, Table } from './table.ts';

/** Tables of Strapi's admin panel: nothing that is served depends on them. */
const adminOnly = new Set(['admin::permission', 'admin::role', 'admin::session']);
/** Columns that earlier versions of Strapi 5 did not have, and that are read only where they are there. */
const newerColumns = new Set(['strapi_api_tokens.kind', 'strapi_api_tokens.encrypted_key']);

function isNeeded(table: Table, column?: Column): boolean {
  const { uid, attribute } = table.origin;
  if (uid === 'system') return table.name === 'strapi_core_store_settings';
  if (adminOnly.has(uid)) return false;
  // Of the relations between tables of the admin panel, only the permissions of API tokens are read.
  if (attribute !== undefined && uid.startsWith('admin::') && uid !== 'admin::api-token-permission') return false;
  return column === undefined || !newerColumns.has(`${table.name}.${column.name}`);
}

/** One message for each table or column that serving needs and the database lacks. */
export function describeMissing(plan: MigrationPlan, model: ContentModel, maker: DatabaseMaker): string[] {
  const sourceOf = (table: Table): string => {
    const { uid } = table.origin;
    const source = (model.contentTypes.get(uid) ?? model.components.get(uid))?.source;
    return source === undefined || source === 'built in' ? '' : ` (${source})`;
  };
  const holder = (table: Table, attribute?: string): string => {
    const { uid } = table.origin;
    if (uid === 'system') return 'settings';
    const name = attribute ?? table.origin.attribute;
    return `${name === undefined ? uid : `the attribute "${name}" of ${uid}`}${sourceOf(table)}`;
  };
  const remedy = `${maker === 'strapi' ? 'Start Strapi once with these schemas, or run' : 'Run'} \`lectern migrate apply\` to add it.`;
  return [
    ...plan.missingTables
      .filter((table) => isNeeded(table))
      .map((table) => `The database has no table "${table.name}" for ${holder(table)}. ${remedy}`),
    ...plan.missingColumns
      .filter(({ table, column }) => isNeeded(table, column))
      .map(
        ({ table, column }) => `The table "${table.name}" has no column "${column.name}" for ${holder(table, column.attribute)}. ${remedy}`,
      ),
  ];
}
