/** Reads what a database says about its indexes. */
import type { LiveIndex } from '../dialects/database.ts';
import type { Index } from '../tables/table.ts';

const ownPrefix = 'lectern_';

export const isOwnIndex = (name: string): boolean => name.startsWith(ownPrefix);

/** The indexes that Lectern added to tables of Strapi's layout. Those of its own tables belong to them. */
export const ownIndexesOf = (indexes: readonly LiveIndex[]): LiveIndex[] =>
  indexes.filter(({ table, name }) => isOwnIndex(name) && !table.startsWith(ownPrefix));

/** Reads `"published_at" IS NOT NULL`, which PostgreSQL writes in parentheses; undefined for any other condition. */
export function conditionOf(where: string | undefined): Index['where'] {
  const [, column, not] = /^\(?["`]?(\w+)["`]?\s+IS\s+(NOT\s+)?NULL\)?$/i.exec(where?.trim() ?? '') ?? [];
  return column === undefined ? undefined : { column, isNull: not === undefined };
}

/** Whether every read that can use `index` can use the live one. Columns that follow make it wider, not worse. */
export function serves(live: LiveIndex, { name, columns, sorted, where, ofTexts }: Index): boolean {
  // Nothing says in which order an index of somebody else has its values, or which parts of them.
  if ((sorted !== undefined || ofTexts === true) && live.name !== name) return false;
  if (ofTexts === true) return live.isValid;
  if (!live.isValid || !columns.every((column, position) => live.columns[position] === column)) return false;
  if (live.where === undefined) return true;
  const condition = conditionOf(live.where);
  return condition !== undefined && condition.column === where?.column && condition.isNull === where.isNull;
}
