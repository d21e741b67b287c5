/** The locales of the project, with the default one marked. */
import type { Database } from '../../../dialects/dialect.ts';
import { type Endpoint, jsonResponse } from '../../send-response.ts';

export function localesEndpoint(database: Database, tables: ReadonlyMap<string, ReadonlySet<string>>): Endpoint {
  const { dialect } = database;
  const q = dialect.quote;
  const columns = [
    ...['id', 'document_id', 'name', 'code'].map(q),
    ...['created_at', 'updated_at', 'published_at'].map((column) => dialect.select(q(column), 'datetime')),
  ].join(', ');
  const all = `SELECT ${columns} FROM ${q('i18n_locale')} ORDER BY ${q('id')}`;
  const defaultLocale = `SELECT ${q('value')} FROM ${q('strapi_core_store_settings')} WHERE ${q('key')} = 'plugin_i18n_default_locale'`;

  return () =>
    database.read(async (connection) => {
      if (!tables.has('i18n_locale')) return jsonResponse([]);
      const rows = await connection.query(all, []);
      const [setting] = tables.has('strapi_core_store_settings') ? await connection.query(defaultLocale, []) : [];
      const defaultCode: unknown = setting === undefined ? 'en' : JSON.parse(String(setting[0]));
      return jsonResponse(
        rows.map(([id, documentId, name, code, createdAt, updatedAt, publishedAt]) => ({
          id: Number(id),
          documentId,
          name,
          code,
          createdAt: isoDate(createdAt),
          updatedAt: isoDate(updatedAt),
          publishedAt: isoDate(publishedAt),
          isDefault: code === defaultCode,
        })),
      );
    });
}

const isoDate = (milliseconds: unknown) => (milliseconds === null ? null : new Date(Number(milliseconds)).toISOString());
