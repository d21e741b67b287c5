/** Every setting there is. This table drives the reading of file and environment, the names of the variables, the check for unknown keys and
 *  the tables of `docs/configuration.md`. A key's path in the file is its place here. */
import { isIP } from 'node:net';
import type { DialectName } from '../dialects/dialect.ts';
import type { ScalarType } from '../model/content-model.ts';
import type { Profile } from './config.ts';
import { type Providers, providersShape, readProviders } from './providers.ts';
import {
  boolean,
  choice,
  dictionary,
  json,
  list,
  optionalText,
  optionalWholeNumber,
  policy,
  type Setting,
  text,
  wholeNumber,
} from './setting.ts';

const profiles: Readonly<Record<string, Profile>> = { specification: 'specification', strapi: 'strapi' };
/** Strapi's template has used several names for the same engines. */
const clients: Readonly<Record<string, DialectName>> = {
  sqlite: 'sqlite',
  'better-sqlite3': 'sqlite',
  postgres: 'postgres',
  postgresql: 'postgres',
};
const notYet = 'MySQL and MariaDB are not yet supported by this version';

const baseTypes = Object.keys({
  string: true,
  text: true,
  richtext: true,
  blocks: true,
  email: true,
  password: true,
  uid: true,
  enumeration: true,
  integer: true,
  biginteger: true,
  float: true,
  decimal: true,
  boolean: true,
  date: true,
  time: true,
  datetime: true,
  timestamp: true,
  json: true,
} satisfies Record<ScalarType, true>);

const origin = {
  shape: 'origins such as https://example.org or http://localhost:3000 (no path, no slash at the end), or *',
  holds: (value: string) => value === '*' || (URL.canParse(value) && new URL(value).origin === value.toLowerCase()),
};

const postgresUrl = {
  shape: 'a URL like postgres://user:password@host:5432/name',
  holds: (value: string) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value),
};

const httpUrl = {
  shape: 'a URL like https://api.example.org, without a slash at the end',
  holds: (value: string) => /^https?:\/\//.test(value) && !value.endsWith('/') && URL.canParse(value),
};

const redisUrl = {
  shape: 'a URL like redis://user:password@host:6379/0, or rediss:// for TLS',
  holds: (value: string) => /^rediss?:\/\//.test(value) && URL.canParse(value),
};

/** Whole networks by the names that the proxy library has for them. */
const networks: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

const proxy = {
  shape: 'addresses such as 10.0.0.7, networks such as 10.0.0.0/8 or fd00::/8, or loopback, linklocal, uniquelocal',
  holds: (value: string) => networks.has(value) || isNetwork(value),
};

/** A network of everybody would let every caller choose its address. */
function isNetwork(value: string): boolean {
  const [address = '', length, ...more] = value.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || more.length > 0) return false;
  return length === undefined || (/^[1-9]\d{0,2}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128));
}

const million = 1_000_000;

export const settings = {
  profile: choice<Profile>(profiles, (facts) => facts.profile, {
    description: 'In which rules the server follows Strapi where Strapi and the specification differ; see `policies`',
    fallbackText: '`"strapi"` where `package.json` depends on `@strapi/strapi`, otherwise `"specification"`',
  }),
  host: text('0.0.0.0', { description: 'Address to listen on', strapiVariable: 'HOST' }),
  port: wholeNumber(1337, { from: 0, to: 65535 }, { description: 'Port to listen on; 0 takes any free one', strapiVariable: 'PORT' }),
  url: optionalText(
    {
      description: 'Where callers reach the server: the links in mails begin with it, and providers send users back there',
      strapiVariable: 'PUBLIC_URL',
      fallbackText: '`http://`, `host` and `port`',
    },
    httpUrl,
  ),
  trustProxy: list(
    [],
    {
      description:
        'Proxies in front of the server: `X-Forwarded-For` and `X-Forwarded-Proto` count when they come from one of these, and from nobody else',
    },
    proxy,
  ),
  migrate: choice<'auto' | 'never'>({ auto: 'auto', never: 'never' }, 'auto', {
    description: 'Whether the start may create what is missing in a database that Lectern set up. It never changes or drops anything',
  }),
  applyPermissions: choice<'auto' | 'never'>({ auto: 'auto', never: 'never' }, 'auto', {
    description:
      'Whether the start brings rights to what `permissions.json` says, and takes away rights to types that are gone. `never`: it tells the difference',
    fallbackText: '`"never"` where `migrate` is, otherwise `"auto"`',
  }),
  publicDir: text('public', { description: 'Folder whose `uploads/` is served, relative to the project' }),
  customFields: dictionary(baseTypes, {
    description: 'Base types of custom fields that are not built in, e.g. `{"plugin::rating.stars": "integer"}`',
  }),
  api: {
    defaultLimit: wholeNumber(25, { from: 1, to: 100_000 }, { description: 'Entries of a page when the request does not say' }),
    maxLimit: wholeNumber(100, { from: 1, to: 100_000 }, { description: 'Most entries of a page; asking for more gives this many' }),
    withCount: boolean(true, { description: 'Whether lists count all their entries when the request does not say' }),
    strictParams: boolean(true, { description: 'Refuse unknown parameters with 400 instead of ignoring them' }),
    strictRelations: boolean(true, { description: 'Refuse writes that link to documents that do not exist' }),
  },
  policies: {
    partialPut: policy(false, true, {
      description: 'PUT changes only the attributes that the body names, instead of asking for all of them',
    }),
    populateWithPagination: policy(false, true, { description: '`populate` and `pagination` may stand in one request' }),
    localeInBody: policy(true, false, { description: 'POST honours `locale` in the body' }),
    refuseUndefinedLocale: policy(true, false, { description: 'A locale that is not defined is a 400 instead of matching nothing' }),
    draftsNeedRight: policy(true, false, { description: 'Reading drafts needs the right `findDraft`' }),
    caseSensitiveLike: policy(true, false, {
      description: '`$contains`, `$notContains`, `$startsWith` and `$endsWith` tell letter case apart on every engine',
    }),
    refusePrototypeNames: policy(true, false, {
      description: 'Keys like `constructor` and `__proto__` in a query are a 400 like any unknown key, instead of being ignored',
    }),
    enforceSchemaRules: policy(true, false, {
      description: 'Writes enforce the rules of the schema that Strapi does not enforce over REST',
    }),
    syncDrafts: policy(true, false, {
      description:
        'Publishing a locale brings what is not localized to the drafts of the other locales as well, not only to what they have published',
    }),
    endSessionsAtOnce: policy(true, false, {
      description: 'Logout, block, delete, password and role changes end the sessions concerned at the next request',
    }),
    rateLimitPerEmail: policy(false, true, {
      description: 'Endpoints that take an e-mail address count their attempts for each address apart, instead of all of a caller together',
    }),
    resetCodesExpire: policy(true, false, {
      description:
        'The code of a mail about a forgotten password is good for an hour, instead of until it is used; one that Strapi made is not good',
    }),
    hideAccounts: policy(true, false, {
      description: 'Asking for a confirmation mail is answered alike whether the address is known, confirmed or blocked',
    }),
  },
  limits: {
    queryBytes: wholeNumber(65_536, { from: 256, to: 16 * million }, { description: 'Bytes of the query string' }),
    parameters: wholeNumber(1000, { from: 1, to: million }, { description: 'Parameters in the query string, or in a form' }),
    depth: wholeNumber(20, { from: 1, to: 200 }, { description: 'Brackets of one parameter name: `a[b][c]` has 2' }),
    listValues: wholeNumber(100, { from: 1, to: million }, { description: 'Values of one list, as in `$in`' }),
    populatedPaths: wholeNumber(
      200,
      { from: 1, to: 10_000 },
      { description: 'Populated paths of one request, components of dynamic zones included' },
    ),
    populateDepth: wholeNumber(20, { from: 1, to: 200 }, { description: 'Levels of population' }),
    patternBytes: wholeNumber(
      16_000,
      { from: 1, to: 16_000 },
      { description: 'Bytes of one value of a text operator (`$contains`, …) or of `_q`' },
    ),
    rows: wholeNumber(
      100_000,
      { from: 100, to: 100 * million },
      { description: 'Rows that one request may read, populated ones included' },
    ),
    conditions: wholeNumber(200, { from: 1, to: 10_000 }, { description: 'Conditions in all filters of one request' }),
    hops: wholeNumber(
      24,
      { from: 1, to: 1000 },
      { description: "Relations, components and media that one request's filters and sort pass through, all mentions together" },
    ),
    sortTerms: wholeNumber(20, { from: 1, to: 1000 }, { description: 'Sort terms of one list' }),
    bodyBytes: wholeNumber(
      1_048_576,
      { from: 1024, to: 268_435_456 },
      { description: 'Bytes of the body of a request, and of what a compressed one holds' },
    ),
    bodyDepth: wholeNumber(
      100,
      { from: 4, to: 1000 },
      { description: 'Objects and lists inside of each other in the body of a request: `{"data":{}}` has 2' },
    ),
    responseBytes: wholeNumber(33_554_432, { from: 1024, to: 1_073_741_824 }, { description: 'Bytes of one answer' }),
    statementTime: wholeNumber(
      10_000,
      { from: 1, to: 3_600_000 },
      { description: 'Milliseconds that the statements of one request may take' },
    ),
    queue: wholeNumber(
      1000,
      { from: 0, to: million },
      { description: 'Requests that may wait for the database before further ones get 503' },
    ),
  },
  database: {
    client: choice<DialectName>(clients, 'sqlite', {
      description: 'Database engine',
      strapiVariable: 'DATABASE_CLIENT',
      refused: { mysql: notYet, mysql2: notYet, mariadb: notYet },
    }),
    filename: text('.tmp/data.db', {
      description: 'SQLite: the database file, relative to the project',
      strapiVariable: 'DATABASE_FILENAME',
    }),
    url: optionalText(
      {
        description: 'PostgreSQL: the whole connection as a URL, instead of the single settings',
        strapiVariable: 'DATABASE_URL',
        sensitive: true,
      },
      postgresUrl,
    ),
    host: optionalText({
      description: 'PostgreSQL: host name, or the folder of its socket',
      strapiVariable: 'DATABASE_HOST',
      fallbackText: '`PGHOST`, else `localhost`',
    }),
    port: optionalWholeNumber(
      { from: 1, to: 65535 },
      { description: 'PostgreSQL: port', strapiVariable: 'DATABASE_PORT', fallbackText: '`PGPORT`, else `5432`' },
    ),
    name: optionalText({
      description: 'PostgreSQL: name of the database',
      strapiVariable: 'DATABASE_NAME',
      fallbackText: '`PGDATABASE`, else the name of the user',
    }),
    username: optionalText({
      description: 'PostgreSQL: user',
      strapiVariable: 'DATABASE_USERNAME',
      fallbackText: '`PGUSER`, else the name of the user who runs the process',
    }),
    password: optionalText({
      description: 'PostgreSQL: password',
      strapiVariable: 'DATABASE_PASSWORD',
      secret: true,
      fallbackText: '`PGPASSWORD`, else none',
    }),
    schema: optionalText({
      description: 'PostgreSQL: schema',
      strapiVariable: 'DATABASE_SCHEMA',
      fallbackText: "the connection's, usually `public`",
    }),
    ssl: boolean(false, { description: 'PostgreSQL: connect with TLS', strapiVariable: 'DATABASE_SSL' }),
    poolMin: wholeNumber(
      2,
      { from: 0, to: 1000 },
      { description: 'PostgreSQL: connections that are kept open', strapiVariable: 'DATABASE_POOL_MIN' },
    ),
    poolMax: wholeNumber(10, { from: 1, to: 1000 }, { description: 'PostgreSQL: most connections', strapiVariable: 'DATABASE_POOL_MAX' }),
    durable: boolean(true, {
      description:
        'SQLite: an answered write outlives a power cut. Without it, it outlives the end of the process, and writing alone is faster',
    }),
    readers: wholeNumber(
      (facts) => Math.max(1, Math.min(4, facts.cores)),
      { from: 1, to: 64 },
      { description: 'SQLite: threads that read', fallbackText: 'the number of processor cores, at most `4`' },
    ),
  },
  auth: {
    jwtManagement: choice<'refresh' | 'legacy-support'>({ refresh: 'refresh', 'legacy-support': 'legacy-support' }, 'refresh', {
      description: 'Short access tokens with refresh tokens, or one long-lived token as in earlier versions of Strapi',
    }),
    httpOnly: boolean(true, { description: 'Keep the refresh token in an `HttpOnly` cookie' }),
    providers: json<Providers>(
      providersShape,
      readProviders,
      {},
      {
        description:
          'Who else users may sign in with; needs `url` and `JWT_SECRET` ([access.md](access.md#signing-in-with-another-provider))',
      },
    ),
  },
  mail: {
    host: optionalText({ description: 'SMTP server that sends mails (forgotten passwords, confirmations)', strapiVariable: 'SMTP_HOST' }),
    port: wholeNumber(587, { from: 1, to: 65535 }, { description: 'Port of the SMTP server', strapiVariable: 'SMTP_PORT' }),
    secure: boolean(false, {
      description: 'TLS from the first byte, as on port 465. Otherwise STARTTLS, which is required as soon as there is a password',
      strapiVariable: 'SMTP_SECURE',
    }),
    username: optionalText({ description: 'User at the SMTP server', strapiVariable: 'SMTP_USERNAME' }),
    password: optionalText({ description: 'Password at the SMTP server', strapiVariable: 'SMTP_PASSWORD', secret: true }),
    from: optionalText({
      description: 'Sender of mails whose template in the database names none, or wins over it when set',
      strapiVariable: 'SMTP_FROM',
      fallbackText: "the template's",
    }),
    withoutServer: choice<'log' | 'refuse'>({ log: 'log', refuse: 'refuse' }, (facts) => (facts.production ? 'refuse' : 'log'), {
      description: 'Without `mail.host`: write mails to the log, or refuse requests that would send one (503)',
      fallbackText: '`"refuse"` with `NODE_ENV=production`, otherwise `"log"`',
    }),
  },
  rateLimit: {
    max: optionalWholeNumber(
      { from: 1, to: 1000 * million },
      { description: 'Requests that one API token, user or address may make within `rateLimit.window`; without it any number' },
    ),
    window: wholeNumber(60, { from: 1, to: 86_400 }, { description: 'Seconds, from the first request on' }),
    redis: optionalText(
      {
        description: 'Redis in which several processes count together, the attempts at the endpoints for accounts as well',
        sensitive: true,
      },
      redisUrl,
    ),
  },
  cors: {
    origins: list(['*'], { description: 'Origins whose pages may read answers' }, origin),
    credentials: boolean(false, { description: 'Allow cookies from other origins; needs `cors.origins` by name' }),
  },
  upload: {
    sizeLimit: wholeNumber(209_715_200, { from: 1, to: Number.MAX_SAFE_INTEGER }, { description: 'Bytes of one uploaded file' }),
    allowedTypes: list([], { description: 'Media types that may be uploaded, e.g. `image/*`; an empty list allows all' }),
    deniedTypes: list([], { description: 'Media types that may not be uploaded; stronger than `upload.allowedTypes`' }),
  },
  log: {
    level: choice(
      { fatal: 'fatal', error: 'error', warn: 'warn', info: 'info', debug: 'debug', trace: 'trace', silent: 'silent' },
      'info',
      { description: 'Least important log lines that are written' },
    ),
  },
  secrets: {
    jwtSecret: optionalText({
      description: 'Signs and verifies the JSON Web Tokens of users; without it nobody can sign in',
      strapiVariable: 'JWT_SECRET',
      secret: true,
    }),
    apiTokenSalt: optionalText({
      description: 'Salt of the hashes of API tokens; without it no API token is accepted',
      strapiVariable: 'API_TOKEN_SALT',
      secret: true,
    }),
    managementToken: optionalText(
      {
        description: 'Opens the management API, `/api/_manage`, which is not there without it',
        strapiVariable: 'LECTERN_MANAGEMENT_TOKEN',
        secret: true,
      },
      { shape: 'at least 32 characters without white space', holds: (value: string) => /^\S{32,}$/.test(value) },
    ),
    encryptionKey: optionalText({
      description: 'Encrypts API tokens that an administrator may look at again',
      strapiVariable: 'ENCRYPTION_KEY',
      secret: true,
    }),
  },
};

export interface PlacedSetting {
  readonly path: string;
  readonly setting: Setting<unknown>;
  /** The variables that set it, strongest first. */
  readonly variables: readonly string[];
}

/** `api.strictParams` → `LECTERN_API_STRICT_PARAMS`. */
const ownVariable = (path: string) =>
  `LECTERN_${path
    .replaceAll('.', '_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()}`;

export function variablesOf(path: string, setting: Pick<Setting<unknown>, 'secret' | 'strapiVariable'>): readonly string[] {
  const own = setting.secret ? [] : [ownVariable(path)];
  return setting.strapiVariable === undefined ? own : [...own, setting.strapiVariable];
}

/** A group of settings, one level deep, as values. */
export type Values<Group> = { readonly [Name in keyof Group]: Group[Name] extends Setting<infer T> ? T : never };

const isSetting = (value: object): value is Setting<unknown> => 'fromText' in value;

function place(path: string, setting: Setting<unknown>): PlacedSetting {
  return { path, setting, variables: variablesOf(path, setting) };
}

export const placedSettings: readonly PlacedSetting[] = Object.entries(settings).flatMap(([name, entry]) =>
  isSetting(entry)
    ? [place(name, entry)]
    : Object.entries<Setting<unknown>>(entry).map(([inner, setting]) => place(`${name}.${inner}`, setting)),
);
