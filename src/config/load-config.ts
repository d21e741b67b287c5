/** Reads the configuration once, at the start, and reports everything that is wrong with it at once. */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { isObject } from '../text/json.ts';
import { nearest } from '../text/nearest.ts';
import type { Config } from './config.ts';
import { type Environment, readEnvironment } from './environment.ts';
import { detectProfile } from './profile.ts';
import { readProjectFile } from './project-file.ts';
import { clientSecretVariable, type Providers } from './providers.ts';
import type { Facts, Setting } from './setting.ts';
import { placedSettings, settings, type Values, variablesOf } from './settings.ts';
import { openStrapiConfig } from './strapi-config.ts';
import { unknownKeys } from './unknown-keys.ts';

export const configFileName = 'lectern.config.json';
const prefix = 'LECTERN_';

export interface ConfigInput {
  /** The project folder, absolute or relative to the working directory. */
  readonly dir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** From the command line; they win over everything. */
  readonly overrides: { readonly port?: number | undefined; readonly host?: string | undefined };
}

export type LoadedConfig =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly errors: readonly string[] };

/** The command line wins over the environment, that over `.env`, that over `lectern.config.json`, that over the default. */
export function loadConfig(input: ConfigInput): LoadedConfig {
  const dir = resolve(input.dir);
  const errors: string[] = [];
  const environment = readEnvironment(dir, input.environment);
  const file = readProjectFile(dir, configFileName);
  if (!file.ok) errors.push(file.problem);
  const keys = file.ok ? file.object : {};
  errors.push(...unknownKeys(keys).map((problem) => `${configFileName}: ${problem}`));

  const packageFile = readProjectFile(dir, 'package.json');
  const detected = detectProfile(packageFile.ok ? packageFile.object : {});
  let facts: Facts = {
    profile: detected.profile,
    cores: availableParallelism(),
    production: environment.get('NODE_ENV')?.text === 'production',
  };

  /** Where the value of a key was found. */
  const sources = new Map<string, string>();
  const overrides: Readonly<Record<string, unknown>> = input.overrides;
  const warnings: string[] = [];
  const followed: string[] = [];
  let followsProject = false;
  let strapiConfig: ReturnType<typeof openStrapiConfig> | undefined;

  function read<T>(path: string, setting: Setting<T>): T {
    const found = find(path, setting) ?? findInProject(setting);
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

  /** A project whose `package.json` depends on Strapi has the settings that Strapi would have there. */
  function findInProject<T>({ strapi, fromJson }: Setting<T>): Found | undefined {
    if (strapi === undefined || !followsProject) return undefined;
    const byDefault = { source: "Strapi's default", value: strapi.fallback, fromText: false };
    strapiConfig ??= openStrapiConfig(dir, environment);
    const said = strapiConfig(strapi);
    if (said.kind === 'value' && fromJson(said.value).ok) return { source: said.source, value: said.value, fromText: false };
    if (said.kind !== 'nothing')
      warnings.push(`${said.source} is not a plain value; Lectern uses Strapi's default, ${String(strapi.fallback)}`);
    return byDefault;
  }

  function find(path: string, setting: Pick<Setting<unknown>, 'secret' | 'strapiVariable'>): Found | undefined {
    const override = overrides[path];
    if (override !== undefined) return { source: `--${path}`, value: override, fromText: false };
    for (const name of variablesOf(path, setting)) {
      const variable = environment.get(name);
      if (variable !== undefined) return { source: `${name}${variable.origin}`, value: variable.text, fromText: true };
    }
    if (setting.secret) return undefined;
    const [section = '', name] = path.split('.');
    const holder = name === undefined ? keys : keys[section];
    const key = name ?? section;
    return isObject(holder) && Object.hasOwn(holder, key)
      ? { source: `${configFileName}: ${path}`, value: holder[key], fromText: false }
      : undefined;
  }

  function readGroup<Group extends Readonly<Record<string, Setting<unknown>>>>(section: string, group: Group): Values<Group> {
    return Object.fromEntries(Object.entries(group).map(([name, setting]) => [name, read(`${section}.${name}`, setting)])) as Values<Group>;
  }

  const profile = read('profile', settings.profile);
  facts = { ...facts, profile };
  followsProject = detected.profile === 'strapi' && profile === 'strapi';
  const profileSource = sources.get('profile');
  if (profileSource === undefined && !packageFile.ok) errors.push(packageFile.problem);

  const api = readGroup('api', settings.api);
  const database = readGroup('database', settings.database);
  const auth = readGroup('auth', settings.auth);
  const migrate = read('migrate', settings.migrate);
  const applyPermissions = read('applyPermissions', settings.applyPermissions);
  const upload = readGroup('upload', settings.upload);
  const publicDir = resolve(dir, read('publicDir', settings.publicDir));
  const config: Config = {
    dir,
    host: read('host', settings.host),
    shutdownTime: read('shutdownTime', settings.shutdownTime),
    port: read('port', settings.port),
    url: read('url', settings.url),
    profile,
    projectSettings: followed,
    strapiProject: detected.profile === 'strapi',
    profileReason: profileSource === undefined ? detected.reason : `set by ${profileSource}`,
    policies: readGroup('policies', settings.policies),
    // A smaller maximum alone is enough: the default follows it. Only two given values can contradict each other.
    api: { ...api, defaultLimit: sources.has('api.defaultLimit') ? api.defaultLimit : Math.min(api.defaultLimit, api.maxLimit) },
    routes: read('routes', settings.routes),
    limits: readGroup('limits', settings.limits),
    database: {
      ...database,
      filename: resolve(dir, database.filename),
      sslCa: pemOrPath(dir, database.sslCa),
      sslCert: pemOrPath(dir, database.sslCert),
      sslKey: pemOrPath(dir, database.sslKey),
      unusedServer: sources.has('database.client') ? undefined : serverSettings.map((name) => sources.get(name)).find(Boolean),
      poolMin: sources.has('database.poolMin') ? database.poolMin : Math.min(database.poolMin, database.poolMax),
    },
    migrate,
    applyPermissions: sources.has('applyPermissions') ? applyPermissions : migrate,
    secrets: readGroup('secrets', settings.secrets),
    auth: { ...auth, providers: withSecrets(auth.providers, environment) },
    mail: readGroup('mail', settings.mail),
    trustProxy: read('trustProxy', settings.trustProxy),
    rateLimit: readGroup('rateLimit', settings.rateLimit),
    cors: readGroup('cors', settings.cors),
    upload: {
      ...upload,
      workDir: upload.workDir === undefined ? join(publicDir, 'uploads', '.incoming') : resolve(dir, upload.workDir),
      cacheDir: resolve(dir, upload.cacheDir),
    },
    s3: readGroup('s3', settings.s3),
    publicDir,
    customFields: read('customFields', settings.customFields),
    log: readGroup('log', settings.log),
  };
  const named = (path: string) => sources.get(path) ?? path;
  errors.push(...contradictions(config, named));
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, config, warnings: [...warnings, ...warningsOf(config, environment, sources)] };
}

/** Settings that are only for a database server. */
const serverSettings = ['database.url', 'database.host', 'database.name'];

/** In a variable, line breaks are often written as two characters. */
const pemOrPath = (dir: string, text: string | undefined): string | undefined =>
  text === undefined ? undefined : text.includes('-----BEGIN') ? text.replaceAll('\\n', '\n') : resolve(dir, text);

/** Each provider has a variable of its own for its secret. */
function withSecrets(providers: Providers, environment: Environment): Config['auth']['providers'] {
  const secret = (name: string) => environment.get(clientSecretVariable(name))?.text;
  return Object.fromEntries(Object.entries(providers).map(([name, provider]) => [name, { ...provider, clientSecret: secret(name) }]));
}

interface Found {
  readonly source: string;
  readonly value: unknown;
  readonly fromText: boolean;
}

/** Values that are each right, but not together. */
function contradictions(config: Config, named: (path: string) => string): readonly string[] {
  const { api, auth, database, cors } = config;
  const found: string[] = [];
  if (api.defaultLimit > api.maxLimit)
    found.push(
      `${named('api.defaultLimit')} is ${api.defaultLimit}, but must not be greater than ${named('api.maxLimit')}, which is ${api.maxLimit}`,
    );
  if (database.poolMin > database.poolMax)
    found.push(
      `${named('database.poolMin')} is ${database.poolMin}, but must not be greater than ${named('database.poolMax')}, which is ${database.poolMax}`,
    );
  if (cors.credentials && cors.origins.includes('*'))
    found.push(`${named('cors.credentials')} is true, but must be false unless cors.origins names the origins instead of "*"`);
  if (Object.keys(auth.providers).length > 0) {
    if (config.url === undefined)
      found.push(
        `${named('auth.providers')} needs ${named('url')} (PUBLIC_URL): providers send users back to an address that begins with it`,
      );
    if (config.secrets.jwtSecret === undefined)
      found.push(`${named('auth.providers')} needs JWT_SECRET, which tokens of users are signed with`);
  }
  if (config.upload.provider === 's3') {
    if (config.s3.bucket === undefined) found.push(`${named('upload.provider')} is s3, which needs ${named('s3.bucket')} (AWS_BUCKET)`);
    if (config.s3.private && config.secrets.uploadKey === undefined)
      found.push(`${named('s3.private')} needs LECTERN_UPLOAD_KEY, which addresses of files are signed with`);
    if ((config.secrets.s3AccessKeyId === undefined) !== (config.secrets.s3SecretAccessKey === undefined))
      found.push('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together, or neither of them');
  }
  return found;
}

function warningsOf(config: Config, environment: Environment, sources: ReadonlyMap<string, string>): readonly string[] {
  const warnings: string[] = [];
  if (config.secrets.jwtSecret === undefined) warnings.push('JWT_SECRET is not set: users cannot sign in and their tokens are refused');
  if (config.secrets.apiTokenSalt === undefined) warnings.push('API_TOKEN_SALT is not set: API tokens are refused');
  const { unusedServer, ssl } = config.database;
  if (unusedServer !== undefined)
    warnings.push(`${unusedServer} is set, but DATABASE_CLIENT is not: SQLite is used. Set DATABASE_CLIENT=postgres to use that server`);
  const unusedTls = ['database.sslCa', 'database.sslCert', 'database.sslKey'].map((name) => sources.get(name)).find(Boolean);
  if (unusedTls !== undefined && !ssl)
    warnings.push(`${unusedTls} is set, but DATABASE_SSL is not: the database is reached without TLS. Set DATABASE_SSL=true`);
  const known = [
    ...placedSettings.flatMap((placed) => placed.variables),
    ...Object.keys(config.auth.providers).map((name) => clientSecretVariable(name)),
  ];
  for (const name of environment.keys()) {
    if (!name.startsWith(prefix) || known.includes(name)) continue;
    // Only likely slips: platforms and test runners put variables of their own behind our prefix.
    const meant = nearest(
      name.slice(prefix.length),
      known.filter((variable) => variable.startsWith(prefix)).map((variable) => variable.slice(prefix.length)),
    );
    if (meant !== undefined) warnings.push(`${name} is an unknown variable; did you mean ${prefix}${meant}?`);
  }
  return warnings;
}
