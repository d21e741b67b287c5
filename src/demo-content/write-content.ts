/** Writes prepared content directly into the tables, in Strapi 5's layout. */
import { setImmediate } from 'node:timers/promises';
import type { Connection, Database } from '../dialects/database.ts';
import { readLocales, writeDefaultLocale } from '../locales/locales-store.ts';
import type { ContentModel } from '../model/content-model.ts';
import { Rows } from '../sql/rows.ts';
import { accessDocuments, indexExisting, localeType } from './access-documents.ts';
import { Attachments } from './attachments.ts';
import type { SeedContent } from './content.ts';
import { insertDocuments } from './insert-documents.ts';
import { grantedRights } from './present-content-store.ts';
import { type Owner, RowIndex } from './row-index.ts';

/** Rows whose components are written together. More make longer statements, but take memory. */
const ownersAtOnce = 1000;

export interface WriteOptions {
  /** Called in the transaction before anything is written. What it throws refuses the content. */
  readonly before?: (connection: Connection) => Promise<void>;
  /** Called when everything is written, before the commit. */
  readonly last?: () => Promise<void>;
  /** The default locale of the database stays the default one, whatever the content says. */
  readonly keepDefaultLocale?: boolean;
  /** When it aborts before the commit, everything is rolled back and its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Called now and then: rows written so far, and how many have relations and components. */
  readonly progress?: (rows: number, complete: number) => void;
}

/** Adds `content` to a database that `prepareDatabase` prepared, in one transaction. Throws a
 *  `ContentError` for types, locales, keys, relations and attributes that do not exist, for values
 *  of another type, and for keys that are used twice. Does not validate content further. */
export async function writeContent(
  database: Database,
  model: ContentModel,
  content: SeedContent,
  { before, last, keepDefaultLocale = false, signal, progress }: WriteOptions = {},
): Promise<void> {
  // SQLite's statements do not wait for anything: without this pause no signal would arrive.
  const goOn = async () => {
    await setImmediate();
    signal?.throwIfAborted();
  };
  await database.write(async (connection) => {
    await goOn();
    await before?.(connection);
    const present = await localesOf(model, connection);
    const [first] = content.locales ?? [];
    const defaultLocale = keepDefaultLocale || first === undefined ? present.byDefault : first.code;
    const locales = new Set([...present.rows, ...(content.locales ?? [])].map(({ code }) => code));
    const rows = new Rows(connection, database.dialect);
    const index = new RowIndex(model, defaultLocale);
    await indexExisting(model, connection, index);

    // All rows are written before any relation, because relations may refer to later rows.
    const owners: Owner[] = [];
    const granted = await grantedRights(connection, model);
    for (const documents of [...accessDocuments(content, index, granted), ...content.types]) {
      owners.push(...(await insertDocuments(documents, { model, defaultLocale, locales, inserts: rows.inserts, index, goOn })));
      progress?.(owners.length, 0);
    }
    const attachments = new Attachments(model, rows, index);
    for (let start = 0; start < owners.length; start += ownersAtOnce) {
      await attachments.write(owners.slice(start, start + ownersAtOnce));
      rows.inserts.flush();
      progress?.(owners.length, Math.min(start + ownersAtOnce, owners.length));
      await goOn();
    }

    if (content.locales !== undefined && !keepDefaultLocale) await writeDefaultLocale(connection, defaultLocale);
    await last?.();
  });
}

const localesOf = (model: ContentModel, connection: Connection) =>
  model.contentTypes.has(localeType) ? readLocales(connection) : { byDefault: 'en', rows: [] };
