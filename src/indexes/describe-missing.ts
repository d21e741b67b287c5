import type { Database } from '../dialects/dialect.ts';
import type { ContentModel } from '../model/content-model.ts';
import type { DatabaseOrigin } from '../tables/database-origin.ts';
import { proposalsOfModel } from './proposals.ts';

/** A line for the start, or empty. A database that Lectern made has its indexes; to one that Strapi made nothing is added unasked. */
export async function describeMissingIndexes(database: Database, model: ContentModel, maker: DatabaseOrigin): Promise<string> {
  if (maker !== 'strapi') return '';
  const count = proposalsOfModel(model, { tables: await database.tables(), indexes: await database.indexes() }).length;
  if (count === 0) return '';
  const indexes = count === 1 ? '1 index' : `${count} indexes`;
  return `\`lectern indexes apply\` would add ${indexes} to the database, for look-ups by unique values, lists and relations in their order; \`lectern indexes advise\` prints them.\n`;
}
