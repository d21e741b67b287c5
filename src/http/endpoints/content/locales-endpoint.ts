/** The locales of the project, with the default one marked. */
import type { Database } from '../../../dialects/database.ts';
import { readLocales } from '../../../locales/locales-store.ts';
import { isoDate } from '../../../text/iso-date.ts';
import { type Endpoint, jsonResponse } from '../../send-response.ts';

export function localesEndpoint(database: Database): Endpoint {
  return async () => {
    const { byDefault, rows } = await database.readAtOnce(readLocales);
    return jsonResponse(
      rows.map(({ createdAt, updatedAt, publishedAt, ...row }) => ({
        ...row,
        createdAt: isoDate(createdAt),
        updatedAt: isoDate(updatedAt),
        publishedAt: isoDate(publishedAt),
        isDefault: row.code === byDefault,
      })),
    );
  };
}
