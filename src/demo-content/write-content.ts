/** Writes prepared content straight into the tables, in the layout that Strapi 5 would have left behind. */
import type { Database } from '../dialects/dialect.ts';
import { writeDefaultLocale } from '../locales/locales-store.ts';
import type { ContentModel } from '../model/content-model.ts';
import { Rows } from '../sql/rows.ts';
import { accessDocuments, indexExisting } from './access-documents.ts';
import { Attachments } from './attachments.ts';
import type { SeedContent } from './content.ts';
import { insertDocuments } from './insert-documents.ts';
import { RowIndex } from './row-index.ts';
import type { Owner } from './written-row.ts';

/** How many rows get their components at once: enough for long statements, few enough to keep their parts in memory. */
const ownersAtOnce = 1000;

/** Adds `content` to a database that `prepareDatabase` made ready, in one transaction. Keys, relations and attributes that do not exist are
 *  thrown, with the path. Content is not validated further. */
export async function writeContent(database: Database, model: ContentModel, content: SeedContent): Promise<void> {
  const defaultLocale = content.locales[0]?.code ?? 'en';
  await database.write(async (connection) => {
    const rows = new Rows(connection, database.dialect);
    const index = new RowIndex(model, defaultLocale);
    await indexExisting(model, connection, index);

    // All rows are written first, since relations go in every direction.
    const owners: Owner[] = [];
    for (const documents of [...accessDocuments(content, index), ...content.types]) {
      owners.push(...(await insertDocuments(documents, model, defaultLocale, rows.inserts, index)));
    }
    const attachments = new Attachments(model, rows, index);
    for (let start = 0; start < owners.length; start += ownersAtOnce) {
      await attachments.write(owners.slice(start, start + ownersAtOnce));
      await rows.inserts.flush();
    }

    await writeDefaultLocale(connection, defaultLocale);
  });
}
