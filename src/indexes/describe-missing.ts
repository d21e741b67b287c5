import type { Database } from '../dialects/database.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { DatabaseOrigin } from '../tables/database-origin.ts';
import { proposalsOfModel } from './proposals.ts';

/** A line for the start, or empty. A database that Lectern created has its indexes; Lectern adds
 *  none to a database of Strapi unless a person runs the command. */
export async function describeMissingIndexes(database: Database, model: ContentModel, origin: DatabaseOrigin): Promise<string> {
  if (origin !== 'strapi') return '';
  const count = proposalsOfModel(model, { tables: await database.tables(), indexes: await database.indexes() }, database.dialect).length;
  if (count === 0) return '';
  const indexes = count === 1 ? '1 index' : `${count} indexes`;
  return `\`lectern indexes apply\` would add ${indexes} to the database, for look-ups by unique values, sorted lists and relations in their order; \`lectern indexes advise\` prints them.\n`;
}
