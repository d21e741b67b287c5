/** The one definition of every setting. The type `Config`, the reading of file and environment,
 *  the names of the variables, the check for unknown keys and the tables of
 *  `docs/configuration.md` are derived from this table. Its keys are the keys of the file. The
 *  long sections have a file each in `settings/`. */
import { isIP } from 'node:net';
import { scalarTypes } from '../model/scalar-types.ts';
import { cachingByType } from './cache-types.ts';
import { populateByType } from './default-populate.ts';
import { localeChains } from './locale-chains.ts';
import { selectionsByType } from './named-selections.ts';
import { preview } from './preview.ts';
import type { Profile } from './profile.ts';
import { searchByType } from './search.ts';
import {
  boolean,
  choice,
  dictionary,
  integer,
  json,
  list,
  million,
  optionalInteger,
  optionalText,
  optionalWordOrNumber,
  type Setting,
  secret,
  text,
  wordOrNumber,
} from './setting.ts';
import { authSettings, mailSettings } from './settings/account-settings.ts';
import { databaseSettings } from './settings/database-settings.ts';
import { limitSettings } from './settings/limit-settings.ts';
import { logSettings, metricsSettings } from './settings/observation-settings.ts';
import { policySettings } from './settings/policy-settings.ts';
import { uploadSettings } from './settings/upload-settings.ts';
import { versionsByType } from './versions-by-type.ts';
import { webhooks } from './webhooks.ts';

const profiles: Readonly<Record<string, Profile>> = { specification: 'specification', strapi: 'strapi' };

const origin = {
  shape: 'origins such as https://example.org or http://localhost:3000 (lower case, no path, no slash at the end), or *',
  // Compared byte by byte with the header Origin, which browsers send in lower case.
  holds: (value: string) => value === '*' || (URL.canParse(value) && new URL(value).origin === value),
};

const httpUrl = {
  shape: 'a URL like https://api.example.org, without a slash at the end',
  holds: (value: string) => /^https?:\/\//.test(value) && !value.endsWith('/') && URL.canParse(value),
};

const prefix = {
  shape: 'a path such as /api or /v1/api, without a slash at the end, or an empty text',
  holds: (value: string) => /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/.test(value),
};

const headerName = {
  shape: 'names of headers such as X-Tenant',
  holds: (value: string) => /^(?:[\w!#$%&'+.^`|~-]+|\*)$/.test(value),
};

const upstreamUrl = {
  shape: 'a URL such as http://127.0.0.1:1338, without a path, user and slash at the end',
  holds: (value: string) => /^https?:\/\//.test(value) && URL.canParse(value) && new URL(value).origin === value,
};

const redisUrl = {
  shape: 'a URL like redis://user:password@host:6379/0, or rediss:// for TLS',
  holds: (value: string) => /^rediss?:\/\//.test(value) && URL.canParse(value),
};

/** The names of networks that the proxy library accepts. */
const networks: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

const proxy = {
  shape: 'IP addresses such as 10.0.0.7, networks such as 10.0.0.0/8 or fd00::/8, or loopback, linklocal, uniquelocal',
  holds: (value: string) => networks.has(value) || isNetwork(value),
};

/** A network of all IP addresses would let every client forge its own. */
function isNetwork(value: string): boolean {
  const [address = '', length, ...more] = value.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || more.length > 0) return false;
  return length === undefined || (/^[1-9]\d{0,2}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128));
}

const privateNetwork = { shape: 'IP addresses such as 10.0.0.7, or networks such as 10.0.0.0/8 or fd00::/8', holds: isNetwork };

const keyPrefix = {
  shape: 'text such as media/ or site/media, without empty segments, `.` and `..`',
  holds: (value: string) =>
    value
      .replace(/\/$/, '')
      .split('/')
      .every((segment) => segment !== '' && segment !== '.' && segment !== '..'),
};

const bucketName = {
  shape: 'the name of a bucket (no URL, no ARN)',
  holds: (value: string) => /^[A-Za-z\d][A-Za-z\d._-]{1,61}[A-Za-z\d]$/.test(value),
};

const longToken = { shape: 'at least 32 characters without white space', holds: (value: string) => /^\S{32,}$/.test(value) };

export const settings = {
  profile: choice<Profile>(profiles, (facts) => facts.profile, {
    description: 'Whether the server follows the specification or Strapi where the two differ; see `policies`',
    fallbackText: '`"strapi"` where `package.json` depends on `@strapi/strapi`, otherwise `"specification"`',
  }),
  host: text('127.0.0.1', {
    description: 'IP address or host name to listen on: `127.0.0.1` serves this machine only, `0.0.0.0` listens on all IP addresses',
    strapiVariable: 'HOST',
  }),
  port: integer(1337, [0, 65535], { description: 'Port to listen on; 0 takes any free port', strapiVariable: 'PORT' }),
  url: optionalText({
    description: 'Where callers reach the server: the links in mails begin with it, and providers send users back to it',
    strapiVariable: 'PUBLIC_URL',
    fallbackText: '`http://`, `host` and `port`',
    rule: httpUrl,
  }),
  trustProxy: list([], {
    description: 'Proxies in front of the server: `X-Forwarded-For` and `X-Forwarded-Proto` count only when they come from one of these',
    rule: proxy,
  }),
  upstream: optionalText({
    description:
      'A running Strapi, such as `http://127.0.0.1:1338`, that gets every request that Lectern does not serve ([accelerator.md](accelerator.md))',
    rule: upstreamUrl,
  }),
  shutdownTime: integer(8000, [0, 3_600_000], {
    description: 'Milliseconds after SIGTERM or SIGINT in which running requests may finish; the process then stops them and ends',
  }),
  shutdownDelay: integer(0, [0, 3_600_000], {
    description:
      'Milliseconds after SIGTERM or SIGINT in which the server goes on serving while `/_ready` responds with 503, so that load balancers send requests elsewhere ([operations.md](operations.md#readiness)); `shutdownTime` follows',
  }),
  workers: wordOrNumber('auto', [1, 256], 1, {
    description:
      'Processes that serve requests, where the database is a server ([performance.md](performance.md#several-processes)); `auto` is the number of processors. They share `database.poolMax` and `cache.bytes`',
  }),
  events: {
    keep: integer(7, [0, 3650], {
      description:
        'Days for which events of documents are kept ([events.md](events.md)), and at most the newest 100,000; 0: none are written',
    }),
    allowPrivate: list([], {
      description: 'IP addresses and networks that are not public and that webhooks may be sent to, such as `10.0.0.0/8`',
      rule: privateNetwork,
    }),
  },
  history: {
    versions: integer(0, [0, 1000], {
      description:
        'How many former versions of each document, locale and status are kept ([history.md](history.md)); 0: none. A new project has 50',
    }),
    days: integer(90, [1, 3650], { description: 'Days for which they are kept' }),
    types: json(versionsByType, {
      description: 'The number of versions by content type, in place of `history.versions`: `{"api::log.log": 0}`',
    }),
  },
  webhooks: json(webhooks, {
    description: 'Webhooks, which send events to other programs, each with `name`, `url` and `events` ([events.md](events.md#webhooks))',
  }),
  migrate: choice<'auto' | 'never'>({ auto: 'auto', never: 'never' }, 'auto', {
    description: 'Whether the start may create what is missing in a database that Lectern set up. It never changes or drops anything',
  }),
  applyPermissions: choice<'auto' | 'never'>({ auto: 'auto', never: 'never' }, 'auto', {
    description:
      'Whether the start makes rights match `permissions.json`, and removes rights to removed types. `never`: it only reports the differences',
    fallbackText: '`"never"` where `migrate` is, otherwise `"auto"`',
  }),
  publicDir: text('public', { description: 'Folder whose `uploads/` is served, relative to the project' }),
  customFields: dictionary(scalarTypes, {
    description: 'Base types of custom fields that are not built in, e.g. `{"plugin::rating.stars": "integer"}`',
  }),
  routes: dictionary(['serve', 'refuse', 'forward'], {
    description:
      'How routes with custom code are handled, by action: `{"api::article.article.update": "serve"}` serves the route without that code, `"refuse"` responds with 501, `"forward"` sends requests to `upstream`. `api::article.article.*` names all routes of a type',
    fallbackText: '`"forward"` with `upstream`, otherwise `"refuse"`',
  }),
  populate: json(populateByType, {
    description:
      'What reads of a content type populate when the query has no `populate`, by content type ([query.md](query.md#without-the-parameter))',
  }),
  selections: json(selectionsByType, {
    description:
      'Fields and population that a query names with `selection=card`, by content type or component ([query.md](query.md#selection))',
  }),
  search: json(searchByType, {
    description:
      'What full-text search finds entries by: attributes with their weights, by content type ([search.md](search.md)). `lectern search build` makes the indexes',
  }),
  locales: {
    fallback: json(localeChains, {
      description:
        'Locales that stand in for another one in reads with `fallback=true`: `{"de": ["en"], "pt-BR": ["pt", "en"]}` ([query.md](query.md#fallback))',
    }),
  },
  api: {
    prefix: text('/api', {
      description: 'Where the API is: the path of every route begins with it ([configuration.md](configuration.md#the-prefix-of-the-api))',
      rule: prefix,
    }),
    defaultLimit: wordOrNumber('none', [1, 100_000], 25, {
      description: 'Entries of a page when the request does not specify them; `none`: all',
    }),
    maxLimit: wordOrNumber('none', [1, 100_000], 100, {
      description: 'Maximum number of entries of a page; a request for more gets this many. `none`: `limits.rows` alone bounds a request',
    }),
    withCount: boolean(true, { description: 'Whether lists count all their entries when the request does not specify it' }),
    openapi: boolean(true, {
      description:
        'Whether `/api/openapi.json` describes the API ([openapi.md](openapi.md)). Each caller sees only what that caller may use',
    }),
    privateAttributes: list([], { description: 'Names of attributes that no response shows, whatever the schema files say of them' }),
    strictParams: boolean(true, { description: 'Refuse unknown parameters with 400 instead of ignoring them' }),
    strictDocumentParams: boolean(true, {
      description:
        'Refuse an invalid `status` or `locale` with 400. `false` takes them as Strapi does ([query.md](query.md#unknown-parameters)); it has no effect unless `policies.queriesAsStrapi` is on',
    }),
    strictRelations: boolean(true, { description: 'Refuse to publish without relations and media that the schema calls required' }),
  },
  policies: policySettings,
  limits: limitSettings,
  database: databaseSettings,
  cache: {
    bytes: integer(67_108_864, [0, 17_179_869_184], {
      description: 'Bytes of memory for finished responses ([caching.md](caching.md)); 0 caches none',
    }),
    consistency: optionalWordOrNumber('exact', [1, 3_600_000], {
      description:
        '`exact`: a response shows everything that any program committed before the request. A number of milliseconds: cached responses may lack what other programs committed in that time. They show what this server wrote, with several `workers` what the same process wrote',
      fallbackText: '`exact` on SQLite and with several `workers`, otherwise `1000`',
    }),
    types: json(cachingByType, {
      description: 'Headers of reads for browsers and shared caches, by content type ([caching.md](caching.md#browsers-and-shared-caches))',
    }),
  },
  auth: authSettings,
  mail: mailSettings,
  rateLimit: {
    max: optionalInteger([1, 1000 * million], {
      description: 'Requests that one API token, user or IP address may make within `rateLimit.window`; without it any number',
    }),
    window: integer(60, [1, 86_400], { description: 'Seconds, from the first request on' }),
    redis: optionalText({
      description:
        'Redis in which several processes count together, including attempts at the endpoints of accounts, and know who edits a document ([console.md](console.md#who-else-is-here))',
      sensitive: true,
      rule: redisUrl,
    }),
  },
  cors: {
    origins: list(['*'], { description: 'Origins whose pages may read responses', rule: origin }),
    credentials: boolean(false, { description: 'Allow cookies from other origins; needs `cors.origins` by name' }),
    headers: list([], {
      description: 'Headers that pages of other origins may send besides those that the server knows; `*` allows all',
      rule: headerName,
    }),
    exposeHeaders: list([], {
      description: 'Headers of responses that these pages may read besides those of the server',
      rule: headerName,
    }),
  },
  upload: uploadSettings,
  indexes: {
    recordFile: text('.tmp/recorded-reads.json', {
      description:
        'File in which the server records reads for `lectern indexes advise`, relative to the project: the attributes by which they filter and sort, without values',
    }),
  },
  site: {
    pages: boolean(true, {
      description:
        'Whether the server has the pages `/explore`, to try queries on, and `/docs`, the reference of the API ([openapi.md](openapi.md#the-page-docs)). They show a visitor only what the API would: without a token, what the role Public may read',
    }),
  },
  console: {
    enabled: boolean(true, {
      description:
        'Whether the server has the page `/console`, where users edit content with their own rights ([console.md](console.md)); without `site.pages` it has none either',
    }),
    preview: json(preview, {
      description:
        'Page of the site that shows a document: a URL, or an object of URLs by content type, with attributes, `{documentId}`, `{locale}` and `{status}` as placeholders ([console.md](console.md#preview))',
    }),
  },
  s3: {
    bucket: optionalText({
      description: 'Bucket of the files; needed with `upload.provider` `s3`',
      strapiVariable: 'AWS_BUCKET',
      rule: bucketName,
    }),
    region: text('us-east-1', { description: 'Region of the bucket', strapiVariable: 'AWS_REGION' }),
    endpoint: optionalText({
      description: 'URL of an S3-compatible service such as MinIO',
      strapiVariable: 'AWS_ENDPOINT',
      fallbackText: "Amazon's",
      rule: httpUrl,
    }),
    forcePathStyle: boolean(false, { description: 'The bucket is part of the path instead of the host name, as MinIO needs it' }),
    prefix: optionalText({ description: 'Prefix of keys, such as `media/`', rule: keyPrefix }),
    baseUrl: optionalText({
      description: 'URL of the files, such as that of a CDN in front of the bucket',
      fallbackText: "the bucket's",
      rule: httpUrl,
    }),
    private: boolean(false, { description: 'The bucket is not public: URLs in responses are signed, and valid for `upload.signedFor`' }),
  },
  mcp: {
    enabled: boolean(false, {
      description: 'Whether `/api/_mcp` serves assistants that speak the Model Context Protocol ([mcp.md](mcp.md)), for API tokens',
    }),
  },
  log: logSettings,
  metrics: metricsSettings,
  tracing: boolean(false, {
    description:
      'Whether requests are spans of OpenTelemetry; an SDK has to be loaded into the process ([operations.md](operations.md#spans))',
  }),
  secrets: {
    jwtSecret: secret('JWT_SECRET', { description: 'Signs and verifies the JSON Web Tokens of users; without it nobody can sign in' }),
    apiTokenSalt: secret('API_TOKEN_SALT', { description: 'Salt of the hashes of API tokens; without it no API token is accepted' }),
    managementToken: secret('LECTERN_MANAGEMENT_TOKEN', {
      description: 'Token of the management API, `/api/_manage`; without it only administrators can use the API',
      rule: longToken,
    }),
    metricsToken: secret('LECTERN_METRICS_TOKEN', {
      description:
        'Token of `/metrics` ([operations.md](operations.md#metrics)); without `metrics.port`, the server has that path if this is set',
      rule: longToken,
    }),
    uploadKey: secret('LECTERN_UPLOAD_KEY', {
      description: 'Signs the URLs of private files, and of variants beyond the lists; without it neither is possible',
      rule: longToken,
    }),
    s3AccessKeyId: secret('AWS_ACCESS_KEY_ID', {
      description: 'Key id for the bucket',
      fallbackText: 'what the AWS SDK finds (role of the machine, shared configuration)',
    }),
    s3SecretAccessKey: secret('AWS_SECRET_ACCESS_KEY', { description: 'Secret key for the bucket' }),
    s3SessionToken: secret('AWS_SESSION_TOKEN', { description: 'Session token that belongs to a temporary key' }),
    encryptionKey: secret('ENCRYPTION_KEY', { description: 'Encrypts API tokens that an administrator may look at again' }),
  },
};

type ValueOf<Entry> = Entry extends Setting<infer T> ? T : { readonly [Name in keyof Entry]: ValueOf<Entry[Name]> };
/** The values of all settings: `{ host: string, limits: { depth: number, … }, … }`. */
export type SettingValues = { readonly [Name in keyof typeof settings]: ValueOf<(typeof settings)[Name]> };

export interface PlacedSetting {
  /** `api.strictParams` */
  readonly path: string;
  readonly setting: Setting<unknown>;
  /** The variables that set it, in the order of precedence. */
  readonly variables: readonly string[];
}

/** `api.strictParams` → `LECTERN_API_STRICT_PARAMS`. */
export const ownVariable = (path: string) =>
  `LECTERN_${path
    .replaceAll('.', '_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()}`;

function variablesOf(path: string, setting: Setting<unknown>): readonly string[] {
  const own = setting.secret ? [] : [ownVariable(path)];
  return setting.strapiVariable === undefined ? own : [...own, setting.strapiVariable];
}

const isSetting = (value: object): value is Setting<unknown> => 'fromText' in value;

/** Builds the object of all values by calling `read` for each setting in the order of the table, in
 *  which the profile comes first. */
export function mapSettings(read: (setting: PlacedSetting) => unknown): SettingValues {
  const map = (path: string, entry: object): unknown =>
    isSetting(entry)
      ? read({ path, setting: entry, variables: variablesOf(path, entry) })
      : Object.fromEntries(Object.entries(entry).map(([name, inner]) => [name, map(path === '' ? name : `${path}.${name}`, inner)]));
  return map('', settings) as SettingValues;
}

export const placedSettings: readonly PlacedSetting[] = listSettings();

function listSettings(): readonly PlacedSetting[] {
  const list: PlacedSetting[] = [];
  mapSettings((setting) => list.push(setting));
  return list;
}
