/** Reads the configuration once at the start, and reports all its problems together. */

import { join, resolve } from 'node:path';
import type { Config } from './config.ts';
import { contradictions, warningsOf } from './config-problems.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { detectProfile } from './profile.ts';
import { readProjectFile } from './project-file.ts';
import { clientSecretVariable, type Providers } from './providers.ts';
import { configFileName, readSettings, type SettingsRead } from './read-settings.ts';
import { describeRemoved } from './removed-settings.ts';
import { unknownKeys } from './unknown-keys.ts';
import { withVariables } from './webhooks.ts';

export interface ConfigInput {
  /** The project folder, absolute or relative to the current folder. */
  readonly dir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Options of the command line, which override all other sources. */
  readonly overrides: {
    readonly port?: number | undefined;
    readonly host?: string | undefined;
    readonly workers?: number | 'auto' | undefined;
  };
}

export type LoadedConfig =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly errors: readonly string[] };

export function loadConfig(input: ConfigInput): LoadedConfig {
  const dir = resolve(input.dir);
  const environment = readEnvironment(dir, input.environment);
  const file = readProjectFile(dir, configFileName);
  const keys = file.ok ? file.object : {};
  const packageFile = readProjectFile(dir, 'package.json');
  const detected = detectProfile(packageFile.ok ? packageFile.object : {});
  const read = readSettings({ dir, environment, file: keys, overrides: { ...input.overrides }, detectedProfile: detected.profile });

  const webhookProblems: string[] = [];
  const profileSource = read.sources.get('profile');
  const config: Config = {
    ...derived(dir, read, environment),
    webhooks: withVariables(read.values.webhooks, (name) => environment.get(name)?.text, webhookProblems),
    dir,
    profileReason: profileSource === undefined ? detected.reason : `set by ${profileSource}`,
    projectSettings: read.followed,
    strapiFindings: read.strapiFindings,
    strapiProject: detected.profile === 'strapi',
  };
  const errors = [
    ...(file.ok ? [] : [file.problem]),
    ...unknownKeys(keys).map((problem) => `${configFileName}: ${problem}`),
    ...(packageFile.ok || profileSource !== undefined ? [] : [packageFile.problem]),
    ...read.errors,
    ...webhookProblems,
    ...contradictions(config, (path) => read.sources.get(path) ?? path),
  ];
  if (errors.length > 0) return { ok: false, errors };
  return {
    ok: true,
    config,
    warnings: [...read.warnings, ...describeRemoved(environment, keys), ...warningsOf(config, environment, read.sources)],
  };
}

/** The settings with absolute paths, and with the defaults that depend on other settings. */
function derived(dir: string, { values, sources, fromStrapi }: SettingsRead, environment: Environment) {
  const { api, auth, cors, database, migrate, upload } = values;
  /** The source of a value that is set for Lectern itself. */
  const own = (path: string) => (fromStrapi.has(path) ? undefined : sources.get(path));
  const publicDir = resolve(dir, values.publicDir);
  return {
    ...values,
    publicDir,
    // If only a smaller maximum is set, the default is lowered to it. Only two set values can
    // contradict each other.
    api: { ...api, defaultLimit: own('api.defaultLimit') === undefined ? smaller(api.defaultLimit, api.maxLimit) : api.defaultLimit },
    // A Strapi project may allow both; any origin together with credentials would let every site
    // read what its visitors may read.
    cors: { ...cors, credentials: cors.credentials && !(fromStrapi.has('cors.credentials') && cors.origins.includes('*')) },
    database: {
      ...database,
      filename: resolve(dir, database.filename),
      sslCa: pemOrPath(dir, database.sslCa),
      sslCert: pemOrPath(dir, database.sslCert),
      sslKey: pemOrPath(dir, database.sslKey),
      unusedServer:
        database.client !== 'sqlite' || own('database.client') !== undefined ? undefined : serverSettings.map(own).find(Boolean),
      poolMin: own('database.poolMin') !== undefined ? database.poolMin : Math.min(database.poolMin, database.poolMax),
    },
    applyPermissions: sources.has('applyPermissions') ? values.applyPermissions : migrate,
    auth: { ...auth, providers: withSecrets(auth.providers, environment) },
    upload: {
      ...upload,
      workDir: upload.workDir === undefined ? join(publicDir, 'uploads', '.incoming') : resolve(dir, upload.workDir),
      cacheDir: resolve(dir, upload.cacheDir),
    },
    indexes: { recordFile: resolve(dir, values.indexes.recordFile) },
  };
}

const smaller = (one: number | 'none', other: number | 'none'): number | 'none' =>
  one === 'none' || other === 'none' ? one : Math.min(one, other);

/** Settings that only a database server uses. */
const serverSettings = ['database.url', 'database.host', 'database.name'];

/** In a variable, line breaks are often written as the two characters `\n`. */
const pemOrPath = (dir: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : text.includes('-----BEGIN') ? text.replaceAll('\\n', '\n') : resolve(dir, text);

/** Each provider has a variable of its own for its secret. */
function withSecrets(providers: Providers, environment: Environment): Config['auth']['providers'] {
  const secret = (name: string) => environment.get(clientSecretVariable(name))?.text;
  return Object.fromEntries(Object.entries(providers).map(([name, provider]) => [name, { ...provider, clientSecret: secret(name) }]));
}
