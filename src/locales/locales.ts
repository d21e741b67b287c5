/** The locales of a project, as its database defines them. */
import type { Database } from '../dialects/dialect.ts';
import { readLocales } from './locales-store.ts';

export interface Locales {
  readonly byDefault: string;
  readonly codes: readonly string[];
  /** Differs whenever the rest does; part of the cache key of a plan. */
  readonly key: string;
}

/** Milliseconds for which the locales are cached where the engine cannot report that data has changed. */
const milliseconds = 1000;

/** Reads the locales once, and again when the data has changed. */
export function createLocales(database: Database): { current(): Locales | Promise<Locales> } {
  let known: { readonly locales: Locales; readonly version: number | null; readonly until: number } | undefined;
  return {
    current() {
      const version = database.version();
      if (known !== undefined && (version === null ? performance.now() < known.until : known.version === version)) return known.locales;
      return database.read(async (connection) => {
        const { byDefault, rows } = await readLocales(connection);
        const codes = rows.map(({ code }) => code);
        const locales = { byDefault, codes, key: [byDefault, ...codes].join(' ') };
        known = { locales, version, until: performance.now() + milliseconds };
        return locales;
      });
    },
  };
}
