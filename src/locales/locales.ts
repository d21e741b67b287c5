/** The locales of a project, as its database defines them. */
import type { AskVersion, Database, DataVersion } from '../dialects/database.ts';
import { localeTables, readLocales } from './locales-store.ts';

export interface Locales {
  readonly byDefault: string;
  readonly codes: readonly string[];
  /** Differs whenever the rest does; part of the cache key of a plan. */
  readonly key: string;
}

export interface LocalesSource {
  /** `version`: that of the data when the request arrived; asked for if undefined. */
  current(version?: DataVersion): Locales | Promise<Locales>;
}

/** Milliseconds for which the locales are cached where the version of the data is unknown. */
const milliseconds = 1000;

/** Reads the locales once, and again when their tables have changed. */
export function createLocales(database: Database, askVersion: AskVersion): LocalesSource {
  let known: { readonly locales: Locales; readonly version: string | undefined; readonly until: number } | undefined;

  let pending: { readonly version: string | undefined; readonly locales: Promise<Locales> } | undefined;

  function cached(asked: DataVersion | undefined): Locales | undefined {
    const version = asked?.of(localeTables);
    const isCurrent = version === undefined ? performance.now() < (known?.until ?? 0) : known?.version === version;
    return isCurrent ? known?.locales : undefined;
  }

  function at(asked: DataVersion | undefined): Locales | Promise<Locales> {
    const found = cached(asked);
    if (found !== undefined) return found;
    const version = asked?.of(localeTables);
    if (version !== undefined && pending?.version === version) return pending.locales;
    const reading = read(version).finally(() => {
      if (pending?.locales === reading) pending = undefined;
    });
    pending = { version, locales: reading };
    return reading;
  }

  function read(version: string | undefined): Promise<Locales> {
    return database.readAtOnce(async (connection) => {
      const { byDefault, rows } = await readLocales(connection);
      const codes = rows.map(({ code }) => code);
      const locales = { byDefault, codes, key: [byDefault, ...codes].join(' ') };
      known = { locales, version, until: performance.now() + milliseconds };
      return locales;
    });
  }

  return {
    current(version) {
      const pending = version ?? askVersion();
      return pending instanceof Promise ? pending.then(at) : at(pending);
    },
  };
}
