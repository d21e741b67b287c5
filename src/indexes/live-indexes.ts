/** Reads what a database says about its indexes. */
import type { LiveIndex } from '../dialects/database.ts';
import { searchPrefix } from '../dialects/search/index-parts.ts';
import type { Index } from '../tables/table.ts';

const ownPrefix = 'lectern_';

export const isOwnIndex = (name: string): boolean => name.startsWith(ownPrefix);

/** The indexes that Lectern added to tables of Strapi's layout, without those of its own tables, and
 *  without those that full-text indexes need (`search/search-store.ts`). */
export const ownIndexesOf = (indexes: readonly LiveIndex[]): LiveIndex[] =>
  indexes.filter(({ table, name }) => isOwnIndex(name) && !name.startsWith(searchPrefix) && !table.startsWith(ownPrefix));

/** Reads `"published_at" IS NOT NULL`, also with PostgreSQL's parentheses; undefined for others. */
export function conditionOf(where: string | undefined): Index['where'] {
  const [, column, not] = /^\(?["`]?(\w+)["`]?\s+IS\s+(NOT\s+)?NULL\)?$/i.exec(where?.trim() ?? '') ?? [];
  return column === undefined ? undefined : { column, isNull: not === undefined };
}

/** Whether the live index can replace `index` in every read. Further columns only make it wider. */
export function serves(live: LiveIndex, { name, columns, sorted, where, ofTexts }: Index): boolean {
  // Nothing says in which order an index of somebody else has its values, or which parts of them.
  if ((sorted !== undefined || ofTexts === true) && live.name !== name) return false;
  if (ofTexts === true) return live.isValid;
  if (!live.isValid || !columns.every((column, position) => live.columns[position] === column)) return false;
  if (live.where === undefined) return true;
  const condition = conditionOf(live.where);
  return condition !== undefined && condition.column === where?.column && condition.isNull === where.isNull;
}
