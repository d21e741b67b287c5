/** Writes prepared content directly into the tables, in Strapi 5's layout. */
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

/** The number of rows whose components are written together: enough for long statements, few enough to hold the components in memory. */
const ownersAtOnce = 1000;

/** Adds `content` to a database that `prepareDatabase` made ready, in one transaction. Throws an error with the path for keys, relations and
 *  attributes that do not exist. Content is not validated further. */
export async function writeContent(database: Database, model: ContentModel, content: SeedContent): Promise<void> {
  const defaultLocale = content.locales[0]?.code ?? 'en';
  await database.write(async (connection) => {
    const rows = new Rows(connection, database.dialect);
    const index = new RowIndex(model, defaultLocale);
    await indexExisting(model, connection, index);

    // All rows are written before any relation, because relations may refer to later rows.
    const owners: Owner[] = [];
    for (const documents of [...accessDocuments(content, index), ...content.types]) {
      owners.push(...(await insertDocuments(documents, { model, defaultLocale, inserts: rows.inserts, index })));
    }
    const attachments = new Attachments(model, rows, index);
    for (let start = 0; start < owners.length; start += ownersAtOnce) {
      await attachments.write(owners.slice(start, start + ownersAtOnce));
      rows.inserts.flush();
    }

    await writeDefaultLocale(connection, defaultLocale);
  });
}
