import type { LiveTable } from '../dialects/dialect.ts';
import type { ContentModel } from '../model/content-model.ts';
import { physicalSchema } from './physical-schema.ts';
import { settingsTable, strapiSchemaTable } from './system-tables.ts';

/** Who made a database, which decides what may be done to it without being asked. `foreign` has tables with our names that neither
 *  Strapi nor Lectern made. */
export type DatabaseOrigin = 'nobody' | 'strapi' | 'lectern' | 'foreign';

/** Says who made a database, by its tables. Tables that no schema names do not matter: a database may be shared. */
export function originOf(liveTables: readonly LiveTable[], model: ContentModel): DatabaseOrigin {
  const names = new Set(liveTables.map((table) => table.name));
  if (names.has(strapiSchemaTable)) return 'strapi';
  if (names.has(settingsTable)) return 'lectern';
  return clashingTables(liveTables, model).length > 0 ? 'foreign' : 'nobody';
}

/** Names that a model needs and that are taken. */
export function clashingTables(liveTables: readonly LiveTable[], model: ContentModel): string[] {
  const wanted = new Set(physicalSchema(model).map((table) => table.name));
  return liveTables.map((table) => table.name).filter((name) => wanted.has(name));
}
