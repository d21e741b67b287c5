/** Finds the value of each setting. The first source that has one wins: the command line, the
 *  environment, `.env`, `lectern.config.json`, the `config/` of a Strapi project, the default. */
import { availableParallelism } from 'node:os';
import { isObject, type JsonObject } from '../text/json.ts';
import type { Environment } from './environment.ts';
import type { Profile } from './profile.ts';
import { isSameValue, type OwnValue, StrapiSettingsReader } from './read-strapi-settings.ts';
import { type DefaultsDependOn, type Setting, shownValue } from './setting.ts';
import { mapSettings, type PlacedSetting, type SettingValues } from './settings.ts';
import { strapiSettings } from './strapi-settings.ts';
import type { StrapiConfigFinding } from './strapi-settings-report.ts';

export const configFileName = 'lectern.config.json';

export interface SettingSources {
  /** Absolute path of the project folder. */
  readonly dir: string;
  readonly environment: Environment;
  /** The parsed `lectern.config.json`. */
  readonly file: JsonObject;
  /** Options of the command line, by path. */
  readonly overrides: Readonly<Record<string, unknown>>;
  /** The profile according to `package.json`. */
  readonly detectedProfile: Profile;
}

export interface SettingsRead {
  readonly values: SettingValues;
  /** The source of each value by path: `PORT in .env`. Defaults have no entry. */
  readonly sources: ReadonlyMap<string, string>;
  /** The paths of settings with a value of a Strapi project, or Strapi's default. */
  readonly fromStrapi: ReadonlySet<string>;
  /** Those of them that are not Lectern's own default as well:
   *  `api.strictParams true (config/api.ts: rest.strictParams)`. */
  readonly followed: readonly string[];
  readonly strapiFindings: readonly StrapiConfigFinding[];
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

interface Found {
  readonly source: string;
  readonly value: unknown;
  readonly fromText: boolean;
}

export function readSettings(settingSources: SettingSources): SettingsRead {
  const sources = new Map<string, string>();
  const fromStrapi = new Set<string>();
  const [followed, errors]: [string[], string[]] = [[], []];
  let strapi: StrapiSettingsReader | undefined;
  let facts: DefaultsDependOn = {
    profile: settingSources.detectedProfile,
    cores: availableParallelism(),
    production: settingSources.environment.get('NODE_ENV')?.text === 'production',
  };
  const values = mapSettings((placed) => {
    const value = read(placed);
    // The profile comes first in the table, because the defaults of other settings depend on it.
    if (placed.path === 'profile') {
      facts = { ...facts, profile: value as Profile };
      // Only a project that depends on Strapi has a `config/` of Strapi's.
      if (settingSources.detectedProfile === 'strapi' && value === 'strapi')
        strapi = new StrapiSettingsReader(settingSources.dir, settingSources.environment);
    }
    return value;
  });
  const report = strapi?.finish() ?? { findings: [], warnings: [], errors: [] };
  return {
    values,
    sources,
    fromStrapi,
    followed,
    strapiFindings: report.findings,
    errors: [...errors, ...report.errors],
    warnings: report.warnings,
  };

  function read(placed: PlacedSetting): unknown {
    const { path, setting } = placed;
    const fallback = setting.fallback(facts);
    const own = findOwn(placed, settingSources);
    const value = own === undefined ? fallback : readValue(own, setting);
    const project = strapi?.find(placed, own === undefined ? undefined : ownValue(own, value));
    if (own === undefined && project === undefined) return fallback;
    const source = own?.source ?? project?.source ?? '';
    const isDifferent = strapi !== undefined && Object.hasOwn(strapiSettings, path) && strapiSettings[path]?.fallback !== undefined;
    const used = project === undefined ? value : readValue({ ...project, fromText: false }, setting);
    sources.set(path, source);
    if (project !== undefined) fromStrapi.add(path);
    if (isDifferent || (project !== undefined && !isSameValue(used, fallback, settingSources.dir)))
      followed.push(`${path}${setting.sensitive ? '' : ` ${shortText(used)}`} (${source})`);
    return used;
  }

  function readValue({ fromText, value, source }: Found, setting: Setting<unknown>): unknown {
    const reading = fromText ? setting.fromText(String(value)) : setting.fromJson(value);
    if (reading.ok) return reading.value;
    errors.push(`${source} is ${shownValue(value, setting)}, but must be ${reading.expected}`);
    return setting.fallback(facts);
  }
}

/** `lectern doctor` prints long lists, such as those of media types, in full. */
function shortText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= maxShown ? text : `${text.slice(0, maxShown - 1)}…`;
}
const maxShown = 80;

const ownValue = ({ source, fromText }: Found, value: unknown): OwnValue => ({
  source,
  value,
  isStrapiVariable: fromText && !source.startsWith('LECTERN_'),
});

function findOwn({ path, setting, variables }: PlacedSetting, { overrides, environment, file }: SettingSources): Found | undefined {
  const override = overrides[path];
  if (override !== undefined) return { source: `--${path}`, value: override, fromText: false };
  for (const name of variables) {
    const variable = environment.get(name);
    if (variable !== undefined) return { source: `${name}${variable.origin}`, value: variable.text, fromText: true };
  }
  if (setting.secret) return undefined;
  const place = placeInFile(file, path);
  return place === undefined ? undefined : { source: `${configFileName}: ${path}`, value: place.holder[place.key], fromText: false };
}

/** The object of the file that has the key of a setting, and the key's name in it. Undefined if
 *  the file lacks the setting. */
export function placeInFile(file: JsonObject, path: string): { readonly holder: JsonObject; readonly key: string } | undefined {
  const [section = '', name] = path.split('.');
  const holder = name === undefined ? file : file[section];
  const key = name ?? section;
  return isObject(holder) && Object.hasOwn(holder, key) ? { holder, key } : undefined;
}
