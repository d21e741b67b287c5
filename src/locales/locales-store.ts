/** The rows of locales, and which of them is the default one. */
import type { Connection } from '../dialects/database.ts';
import { run } from '../sql/run.ts';
import { sql } from '../sql/sql.ts';
import { settingOf, writeSetting } from '../tables/settings-store.ts';
import { settingsTable } from '../tables/system-tables.ts';
import { newDocumentId } from '../text/document-id.ts';

export interface LocaleRow {
  readonly id: number;
  readonly documentId: unknown;
  readonly name: unknown;
  readonly code: string;
  /** Milliseconds since the epoch, or null. */
  readonly createdAt: unknown;
  readonly updatedAt: unknown;
  readonly publishedAt: unknown;
}

/** The tables that `readLocales` reads. */
export const localeTables: readonly string[] = ['i18n_locale', settingsTable];

const defaultKey = 'plugin_i18n_default_locale';
const times = ['created_at', 'updated_at', 'published_at'].map((name) => sql.read(sql.id('l', name), 'datetime'));
const columns = sql.join([sql`s.value, l.id, l.document_id, l.name, l.code`, ...times]);
// One row without a locale if there is none: the setting is in each row.
const setting = sql`(SELECT 1) AS one LEFT JOIN ${sql.id(settingsTable)} AS s ON s.key = ${defaultKey}`;
const locales = sql`SELECT ${columns} FROM ${setting} LEFT JOIN i18n_locale AS l ON 1 = 1 ORDER BY l.id, s.id`;

/** All locales by row id, in one statement. Without its setting, the first one is the default. */
export async function readLocales(connection: Connection): Promise<{ readonly byDefault: string; readonly rows: readonly LocaleRow[] }> {
  const rows = new Map<number, LocaleRow>();
  const found = await run(connection, locales);
  for (const [, id, documentId, name, code, createdAt, updatedAt, publishedAt] of found) {
    // A setting that has two rows repeats the locales.
    if (id === null || rows.has(Number(id))) continue;
    rows.set(Number(id), { id: Number(id), documentId, name, code: String(code), createdAt, updatedAt, publishedAt });
  }
  const [first] = rows.values();
  const byDefault = settingOf(found[0]?.[0]);
  return { byDefault: typeof byDefault === 'string' ? byDefault : (first?.code ?? 'en'), rows: [...rows.values()] };
}

/** Adds a locale, with a row like those of Strapi's panel. */
export async function insertLocale(
  connection: Connection,
  { code, name }: { readonly code: string; readonly name: string },
): Promise<void> {
  const now = sql.stored(Date.now(), 'datetime');
  const values = sql`${newDocumentId()}, ${name}, ${code}, ${now}, ${now}, ${now}`;
  await run(connection, sql`INSERT INTO i18n_locale (document_id, name, code, created_at, updated_at, published_at) VALUES (${values})`);
}

/** The default locale is a setting, not a column of the locale. */
export const writeDefaultLocale = (connection: Connection, code: string): Promise<void> => writeSetting(connection, defaultKey, code);
