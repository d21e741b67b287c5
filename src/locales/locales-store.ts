/** The rows of locales, and which of them is the default one. */
import type { Connection } from '../dialects/dialect.ts';
import { run } from '../sql/run.ts';
import { sql } from '../sql/sql.ts';
import { readSetting, writeSetting } from '../tables/settings-store.ts';

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

const defaultKey = 'plugin_i18n_default_locale';
const times = ['created_at', 'updated_at', 'published_at'].map((name) => sql.read(sql.id(name), 'datetime'));

/** All locales, by their row ids. Without its setting, the first one is the default. */
export async function readLocales(connection: Connection): Promise<{ readonly byDefault: string; readonly rows: readonly LocaleRow[] }> {
  const columns = sql.join([sql`id, document_id, name, code`, ...times]);
  const found = await run(connection, sql`SELECT ${columns} FROM i18n_locale ORDER BY id`);
  const rows = found.map(
    ([id, documentId, name, code, createdAt, updatedAt, publishedAt]): LocaleRow => ({
      id: Number(id),
      documentId,
      name,
      code: String(code),
      createdAt,
      updatedAt,
      publishedAt,
    }),
  );
  const setting = await readSetting(connection, defaultKey);
  return { byDefault: typeof setting === 'string' ? setting : (rows[0]?.code ?? 'en'), rows };
}

/** The default locale is a setting, not a column of the locale. */
export const writeDefaultLocale = (connection: Connection, code: string): Promise<void> => writeSetting(connection, defaultKey, code);
