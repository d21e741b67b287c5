/** The locales of a project, as its database defines them. */
import type { Database } from '../dialects/dialect.ts';

export interface Locales {
  readonly byDefault: string;
  readonly codes: readonly string[];
  /** Differs whenever the rest does; part of the cache key of a plan. */
  readonly key: string;
}

/** How long the locales are taken as read where the engine cannot tell that data has changed. */
const milliseconds = 1000;

/** Reads the locales once, and again when the data has changed. */
export function createLocales(database: Database): { current(): Locales | Promise<Locales> } {
  let known: { readonly locales: Locales; readonly version: number | null; readonly until: number } | undefined;
  return {
    current() {
      const version = database.version();
      if (known !== undefined && (version === null ? performance.now() < known.until : known.version === version)) return known.locales;
      return database.read(async (connection) => {
        const { quote } = database.dialect;
        const codes = await connection.query(`SELECT ${quote('code')} FROM ${quote('i18n_locale')} ORDER BY ${quote('id')}`, []);
        const setting = await connection.query(
          `SELECT ${quote('value')} FROM ${quote('strapi_core_store_settings')} WHERE ${quote('key')} = 'plugin_i18n_default_locale'`,
          [],
        );
        const locales = makeLocales(
          codes.map(([code]) => String(code)),
          setting[0]?.[0],
        );
        known = { locales, version, until: performance.now() + milliseconds };
        return locales;
      });
    },
  };
}

function makeLocales(codes: readonly string[], setting: unknown): Locales {
  // The setting is JSON text of the code.
  const byDefault = typeof setting === 'string' ? setting.replaceAll('"', '') : (codes[0] ?? 'en');
  return { byDefault, codes, key: [byDefault, ...codes].join(' ') };
}
