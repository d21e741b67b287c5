/** Finds the value of each setting. The first source that has one wins: the command line, the environment, `.env`, `lectern.config.json`, the
 *  `config/` of a Strapi project, the default. */
import { availableParallelism } from 'node:os';
import { isObject, type JsonObject } from '../text/json.ts';
import type { Environment } from './environment.ts';
import type { Profile } from './profile.ts';
import type { DefaultsDependOn } from './setting.ts';
import { mapSettings, type PlacedSetting, type SettingValues } from './settings.ts';
import { openStrapiConfig, type StrapiPosition } from './strapi-config.ts';
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
  /** Settings that were taken from a Strapi project: `strictParams true (config/api.ts: rest.strictParams)`. */
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

export function readSettings(given: SettingSources): SettingsRead {
  const sources = new Map<string, string>();
  const [followed, errors, warnings]: [string[], string[], string[]] = [[], [], []];
  const strapiFindings: StrapiConfigFinding[] = [];
  const strapi = strapiReader(given, warnings, strapiFindings);
  let facts: DefaultsDependOn = {
    profile: given.detectedProfile,
    cores: availableParallelism(),
    production: given.environment.get('NODE_ENV')?.text === 'production',
  };
  const values = mapSettings((placed) => {
    const value = read(placed);
    // The profile comes first in the table, because the defaults of other settings depend on it.
    if (placed.path === 'profile') facts = { ...facts, profile: value as Profile };
    return value;
  });
  return { values, sources, followed, strapiFindings, errors, warnings };

  function read({ path, setting, variables }: PlacedSetting): unknown {
    const followsProject = given.detectedProfile === 'strapi' && facts.profile === 'strapi' && path !== 'profile';
    const found = findOwn({ path, setting, variables }, given) ?? (followsProject ? strapi({ path, setting, variables }) : undefined);
    if (found === undefined) return setting.fallback(facts);
    if (setting.strapi !== undefined && followsProject)
      followed.push(`${path.slice(path.indexOf('.') + 1)} ${found.value} (${found.source})`);
    sources.set(path, found.source);
    const reading = found.fromText ? setting.fromText(String(found.value)) : setting.fromJson(found.value);
    if (reading.ok) return reading.value;
    const shown = setting.sensitive ? 'set to something else' : JSON.stringify(found.value);
    errors.push(`${found.source} is ${shown}, but must be ${reading.expected}`);
    return setting.fallback(facts);
  }
}

function findOwn({ path, setting, variables }: PlacedSetting, { overrides, environment, file }: SettingSources): Found | undefined {
  const override = overrides[path];
  if (override !== undefined) return { source: `--${path}`, value: override, fromText: false };
  for (const name of variables) {
    const variable = environment.get(name);
    if (variable !== undefined) return { source: `${name}${variable.origin}`, value: variable.text, fromText: true };
  }
  if (setting.secret) return undefined;
  const [section = '', name] = path.split('.');
  const holder = name === undefined ? file : file[section];
  const key = name ?? section;
  return isObject(holder) && Object.hasOwn(holder, key)
    ? { source: `${configFileName}: ${path}`, value: holder[key], fromText: false }
    : undefined;
}

/** Reads settings from a Strapi project's own configuration, if `package.json` depends on Strapi. */
function strapiReader({ dir, environment }: SettingSources, warnings: string[], findings: StrapiConfigFinding[]) {
  let config: ReturnType<typeof openStrapiConfig> | undefined;
  return ({ path, setting: { strapi, fromJson } }: PlacedSetting): Found | undefined => {
    if (strapi === undefined) return undefined;
    config ??= openStrapiConfig(dir, environment);
    const found = config(strapi);
    if (found.kind === 'value' && fromJson(found.value).ok) {
      findings.push({ ...found.at, outcome: 'honoured', setting: path, value: JSON.stringify(found.value) });
      return { source: sourceOf(found.at), value: found.value, fromText: false };
    }
    if (found.kind !== 'nothing') {
      const note = `Lectern uses Strapi's default, ${String(strapi.fallback)}`;
      warnings.push(`${sourceOf(found.at)} is not a plain value; ${note}`);
      findings.push({ ...found.at, outcome: 'computed', setting: path, note });
    }
    return { source: "Strapi's default", value: strapi.fallback, fromText: false };
  };
}

const sourceOf = ({ file, path }: StrapiPosition) => `${file}: ${path}`;
