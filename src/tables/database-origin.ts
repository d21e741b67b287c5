import type { LiveTable } from '../dialects/database.ts';
import type { ContentModel } from '../model/content-model.ts';
import { physicalSchema } from './physical-schema.ts';
import { settingsTable, strapiSchemaTable, transferTable } from './system-tables.ts';

/** The program that created a database, which decides what a start may change in it. A `foreign`
 *  one has tables with our names that neither Strapi nor Lectern created. */
export type DatabaseOrigin = 'nobody' | 'strapi' | 'lectern' | 'foreign';

/** Decides from its tables which program created a database. Ignores other tables, as other
 *  programs may use the same database. */
export function originOf(liveTables: readonly LiveTable[], model: ContentModel): DatabaseOrigin {
  const names = new Set(liveTables.map((table) => table.name));
  if (names.has(strapiSchemaTable)) return 'strapi';
  if (names.has(settingsTable)) return 'lectern';
  return clashingTables(liveTables, model).length > 0 ? 'foreign' : 'nobody';
}

/** The tables of a model whose names already exist in the database. */
export function clashingTables(liveTables: readonly LiveTable[], model: ContentModel): string[] {
  const wanted = new Set(physicalSchema(model).map((table) => table.name));
  return liveTables.map((table) => table.name).filter((name) => wanted.has(name));
}

/** Why a database must not be used: a transfer cannot be continued after others' writes. */
export const unfinishedTransfer = `A transfer into this database is not finished: it has the table ${transferTable}. Wait for \`lectern transfer\` if it is running. Otherwise run the same command again, which continues, or with --restart, which drops all tables and begins again. If the database has been used since, drop that table alone.`;

export const hasUnfinishedTransfer = (live: readonly Pick<LiveTable, 'name'>[]): boolean => live.some(({ name }) => name === transferTable);
