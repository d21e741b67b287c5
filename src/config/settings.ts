/** The one definition of every setting. The type `Config`, the reading of file and environment, the names of the variables, the check for
 *  unknown keys and the tables of `docs/configuration.md` are derived from this table. Its keys are the keys of the file. */
import { isIP } from 'node:net';
import type { DialectName } from '../dialects/dialect.ts';
import { scalarTypes } from '../model/scalar-types.ts';
import { type CachingByType, cachingByTypeShape, readCachingByType } from './cache-types.ts';
import { type PopulateByType, populateByTypeShape, readPopulateByType } from './default-populate.ts';
import { type MailTemplates, mailTemplatesShape, readMailTemplates } from './mail-templates.ts';
import type { Profile } from './profile.ts';
import { type Providers, providersShape, readProviders } from './providers.ts';
import {
  boolean,
  choice,
  dictionary,
  following,
  json,
  list,
  numbers,
  optionalBoolean,
  optionalText,
  optionalWholeNumber,
  policy,
  type Reading,
  type Setting,
  text,
  wholeNumber,
  wordOrNumber,
} from './setting.ts';

const profiles: Readonly<Record<string, Profile>> = { specification: 'specification', strapi: 'strapi' };
/** Strapi's templates have used several names for the same databases. */
const clients: Readonly<Record<string, DialectName>> = {
  sqlite: 'sqlite',
  'better-sqlite3': 'sqlite',
  postgres: 'postgres',
  postgresql: 'postgres',
};
const notYet = 'MySQL and MariaDB are not yet supported by this version';

const origin = {
  shape: 'origins such as https://example.org or http://localhost:3000 (lower case, no path, no slash at the end), or *',
  // Compared byte by byte with the header Origin, which browsers send in lower case.
  holds: (value: string) => value === '*' || (URL.canParse(value) && new URL(value).origin === value),
};

const postgresUrl = {
  shape: 'a URL like postgres://user:password@host:5432/name',
  holds: (value: string) => /^postgres(ql)?:\/\//.test(value) && URL.canParse(value),
};

const httpUrl = {
  shape: 'a URL like https://api.example.org, without a slash at the end',
  holds: (value: string) => /^https?:\/\//.test(value) && !value.endsWith('/') && URL.canParse(value),
};

const pageUrl = {
  shape: 'the URL of a page, like https://www.example.org/reset-password',
  holds: (value: string) => /^https?:\/\//.test(value) && URL.canParse(value),
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

const imageFormat = {
  shape: 'webp, avif, jpeg or png',
  holds: (value: string) => ['webp', 'avif', 'jpeg', 'png'].includes(value),
};

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

const breakpointsShape = 'an object (JSON in a variable) of names (letters, digits, - and _) and whole numbers from 1 to 10000';

/** The names become part of file names, so they are restricted. */
function readBreakpoints(value: unknown): Reading<Readonly<Record<string, number>>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { ok: false, expected: breakpointsShape };
  const entries = Object.entries(value).filter(
    (entry): entry is [string, number] =>
      /^[\w-]{1,50}$/.test(entry[0]) && entry[0] !== 'thumbnail' && Number.isInteger(entry[1]) && entry[1] >= 1 && entry[1] <= 10_000,
  );
  return entries.length === Object.keys(value).length
    ? { ok: true, value: Object.fromEntries(entries) }
    : { ok: false, expected: breakpointsShape };
}

const million = 1_000_000;

export const settings = {
  profile: choice<Profile>(profiles, (facts) => facts.profile, {
    description: 'Whether the server follows the specification or Strapi where the two differ; see `policies`',
    fallbackText: '`"strapi"` where `package.json` depends on `@strapi/strapi`, otherwise `"specification"`',
  }),
  host: text('0.0.0.0', { description: 'IP address or host name to listen on', strapiVariable: 'HOST' }),
  port: wholeNumber(1337, { from: 0, to: 65535 }, { description: 'Port to listen on; 0 takes any free port', strapiVariable: 'PORT' }),
  url: optionalText(
    {
      description: 'Where callers reach the server: the links in mails begin with it, and providers send users back to it',
      strapiVariable: 'PUBLIC_URL',
      fallbackText: '`http://`, `host` and `port`',
    },
    httpUrl,
  ),
  trustProxy: list(
    [],
    {
      description: 'Proxies in front of the server: `X-Forwarded-For` and `X-Forwarded-Proto` count only when they come from one of these',
    },
    proxy,
  ),
  shutdownTime: wholeNumber(
    8000,
    { from: 0, to: 3_600_000 },
    {
      description: 'Milliseconds after SIGTERM or SIGINT in which running requests may finish; the process then stops them and ends',
    },
  ),
  workers: wordOrNumber<'auto'>(
    'auto',
    { from: 1, to: 256 },
    {
      description:
        'Processes that serve requests, on PostgreSQL ([performance.md](performance.md#several-processes)); `auto` is the number of processors. They share `database.poolMax` and `cache.bytes`',
    },
    1,
  ),
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
  routes: dictionary(['serve', 'refuse'], {
    description:
      'How routes with custom code are handled, by action: `{"api::article.article.update": "serve"}` serves the route without that code, `"refuse"` responds with 501. `api::article.article.*` names all routes of a type',
  }),
  populate: json<PopulateByType>(
    populateByTypeShape,
    readPopulateByType,
    {},
    {
      description:
        'What reads of a content type populate when the query has no `populate`, by content type ([query.md](query.md#without-the-parameter))',
    },
  ),
  api: {
    defaultLimit: wholeNumber(25, { from: 1, to: 100_000 }, { description: 'Entries of a page when the request does not specify them' }),
    maxLimit: wholeNumber(
      100,
      { from: 1, to: 100_000 },
      { description: 'Maximum number of entries of a page; a request for more gets this many' },
    ),
    withCount: boolean(true, { description: 'Whether lists count all their entries when the request does not specify it' }),
    openapi: boolean(true, {
      description:
        'Whether `/api/openapi.json` describes the API ([openapi.md](openapi.md)). Each caller sees only what that caller may use',
    }),
    strictParams: following(boolean(true, { description: 'Refuse unknown parameters with 400 instead of ignoring them' }), {
      file: 'api',
      path: ['rest', 'strictParams'],
      fallback: false,
    }),
    strictRelations: following(
      boolean(true, { description: 'Refuse to publish without relations and media that the schema calls required' }),
      { file: 'api', path: ['documents', 'strictRelations'], fallback: false },
    ),
  },
  policies: {
    partialPut: policy(false, true, {
      description: 'PUT changes only the attributes that the body names, instead of requiring all of them',
    }),
    populateWithPagination: policy(false, true, { description: '`populate` and `pagination` may be used in one request' }),
    localeInBody: policy(true, false, { description: 'POST honours `locale` in the body' }),
    refuseUndefinedLocale: policy(true, false, { description: 'A locale that is not defined is a 400 instead of matching nothing' }),
    draftsNeedRight: policy(true, false, { description: 'Reading drafts needs the right `findDraft`' }),
    caseSensitiveLike: policy(true, false, {
      description: '`$contains`, `$notContains`, `$startsWith` and `$endsWith` distinguish upper and lower case on every engine',
    }),
    databaseOrder: policy(false, true, {
      description:
        'Sort and compare text by the collation of the database, with nulls where the database puts them. Otherwise text is compared by code point and nulls are the smallest, on every engine',
    }),
    errorCodeInBody: policy(true, false, {
      description: 'The body of an error has its stable code as `error.code`; otherwise the header `X-Error-Code` has it',
    }),
    plainMessages: policy(true, false, {
      description:
        'Messages of Strapi that leave open what was expected are replaced by plainer ones, which name the attribute or parameter, the expected value and the setting; if off, `error.details.hint` has the plainer message',
    }),
    refuseMediaTypes: policy(true, false, {
      description: 'A write whose body is neither JSON nor a form gets a 415 that names the header, instead of a 400 as if it had no body',
    }),
    fillUids: policy(true, false, {
      description:
        "A `uid` with `targetField` that the body of a new document leaves out is made from that attribute's value, with `-1`, `-2` … where it is taken",
    }),
    refusePrototypeNames: policy(true, false, {
      description: 'Keys like `constructor` and `__proto__` in a query are a 400 like any unknown key, instead of being ignored',
    }),
    queriesAsStrapi: policy(false, true, {
      description:
        'Read queries as leniently as Strapi: ignore empty parts, and use one of several contradictory parts, instead of responding with 400',
    }),
    enforceSchemaRules: policy(true, false, {
      description: 'Writes enforce the rules of the schema that Strapi does not enforce over REST',
    }),
    syncDrafts: policy(true, false, {
      description:
        'Publishing a locale copies the attributes that are not localized to the drafts of the other locales as well, not only to their published versions',
    }),
    endSessionsAtOnce: policy(true, false, {
      description: 'Logout, block, delete, password and role changes end the sessions concerned at the next request',
    }),
    rateLimitPerEmail: policy(false, true, {
      description:
        'Endpoints that take an e-mail address count attempts for each e-mail address separately, instead of all attempts of a caller together',
    }),
    resetCodesExpire: policy(true, false, {
      description:
        'The code in a mail about a forgotten password is valid for an hour, instead of until it is used; codes that Strapi created are not valid',
    }),
    dropRefusedFiles: policy(false, true, {
      description: 'Of several uploaded files, those that are not allowed are left out silently, instead of refusing the request',
    }),
    believeMediaTypes: policy(false, true, {
      description:
        'A declared media type that the content does not contradict is believed, instead of requiring that the file begins like others of that type',
    }),
    selectFileFields: policy(true, false, {
      description: '`GET /api/upload/files/:id` honours `fields`, instead of checking it and returning all fields',
    }),
    linkNeedsRight: policy(true, false, {
      description:
        'Attaching an upload to a document (`ref`) needs the right `update` on its type, and a document and attribute that exist',
    }),
    mediaNeedsRight: policy(true, false, {
      description:
        'Accept in media attributes only files that the caller may find (`plugin::upload.content-api.find`) and files that are attached already',
    }),
    turnImages: policy(true, false, {
      description:
        'Photographs are rotated upright when they are encoded again and in their variants, also where automatic orientation is off in the media library',
    }),
    keepSmallerOriginals: policy(true, false, {
      description: 'An image that does not become smaller by size optimisation is stored as it was sent, instead of becoming larger',
    }),
    measureAvif: policy(true, false, {
      description:
        'The width and height of AVIF images are measured and broken ones are refused, instead of treating them like other files',
    }),
    keepHashedFiles: policy(true, false, {
      description:
        'Browsers and caches may cache uploaded files for a year, because their names are random, instead of asking each time whether they have changed',
    }),
    hideAccounts: policy(true, false, {
      description: 'A request for a confirmation mail gets the same response whether the e-mail address is known, confirmed or blocked',
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
      2000,
      { from: 1, to: 16_000 },
      { description: 'Bytes of one value of a text operator (`$contains`, …) or of `_q`' },
    ),
    searchBytes: wholeNumber(
      20_000,
      { from: 1, to: million },
      {
        description: 'Bytes of all values of text operators in one request together; `_q` counts once for each attribute that it searches',
      },
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
      { description: 'Bytes of the body of a request, also after decompression' },
    ),
    bodyDepth: wholeNumber(
      100,
      { from: 4, to: 1000 },
      { description: 'Levels of nested objects and lists in the body of a request: `{"data":{}}` has 2' },
    ),
    components: wholeNumber(
      5000,
      { from: 1, to: million },
      { description: 'Components of one body, and of one version of a document, including nested components' },
    ),
    links: wholeNumber(10_000, { from: 1, to: million }, { description: 'Relation targets and files that one body names' }),
    passwords: wholeNumber(
      5,
      { from: 1, to: 1000 },
      { description: 'Passwords that one body sets; hashing one keeps a processor busy for about 50 ms' },
    ),
    responseBytes: wholeNumber(33_554_432, { from: 1024, to: 1_073_741_824 }, { description: 'Bytes of one response' }),
    unsentBytes: wholeNumber(
      268_435_456,
      { from: 1024, to: 17_179_869_184 },
      { description: 'Bytes of all long responses (64 KiB or more) that clients have not received yet; beyond it reads get 503' },
    ),
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
    sslCa: optionalText({
      description: "PostgreSQL: certificate of the authority that signed the server's certificate, as PEM text or the path of a file",
      strapiVariable: 'DATABASE_SSL_CA',
      sensitive: true,
      fallbackText: 'the authorities that Node.js knows',
    }),
    sslCert: optionalText({
      description: 'PostgreSQL: client certificate that the server requires, as PEM text or the path of a file',
      strapiVariable: 'DATABASE_SSL_CERT',
      sensitive: true,
    }),
    sslKey: optionalText({
      description: 'PostgreSQL: private key of the client certificate, as PEM text or the path of a file',
      strapiVariable: 'DATABASE_SSL_KEY',
      sensitive: true,
    }),
    sslRejectUnauthorized: boolean(true, {
      description: 'PostgreSQL: refuse a server whose certificate no known authority signed',
      strapiVariable: 'DATABASE_SSL_REJECT_UNAUTHORIZED',
    }),
    poolMin: wholeNumber(
      2,
      { from: 0, to: 1000 },
      { description: 'PostgreSQL: connections that stay open', strapiVariable: 'DATABASE_POOL_MIN' },
    ),
    poolMax: wholeNumber(
      10,
      { from: 1, to: 1000 },
      { description: 'PostgreSQL: maximum number of connections', strapiVariable: 'DATABASE_POOL_MAX' },
    ),
    connectionTime: wholeNumber(
      1500,
      { from: 100, to: 600_000 },
      {
        description: 'PostgreSQL: milliseconds that a request waits for a new or free connection before it gets 503',
        strapiVariable: 'DATABASE_CONNECTION_TIMEOUT',
      },
    ),
    preparedStatements: boolean(true, {
      description:
        'PostgreSQL: statements that are used often are parsed and planned once for each connection. Set it to false behind a pooler in transaction mode that does not support prepared statements',
    }),
    tableVersions: boolean(false, {
      description:
        'PostgreSQL: responses, ids and totals of lists stay cached while other tables, or other databases of the server, are written. `lectern migrate apply` adds the triggers that this needs',
    }),
    durable: boolean(true, {
      description:
        'SQLite: a confirmed write survives a power cut. If false, it survives only the end of the process, and single writes are faster',
    }),
    readers: wholeNumber(
      (facts) => Math.max(1, Math.min(4, facts.cores)),
      { from: 1, to: 64 },
      {
        description: 'SQLite: processes that read, and at most as many threads',
        fallbackText: 'the number of processor cores, at most `4`',
      },
    ),
  },
  cache: {
    bytes: wholeNumber(
      67_108_864,
      { from: 0, to: 17_179_869_184 },
      { description: 'Bytes of memory for finished responses ([caching.md](caching.md)); 0 caches none' },
    ),
    consistency: wordOrNumber(
      'exact',
      { from: 1, to: 3_600_000 },
      {
        description:
          '`exact`: each response shows what was committed before its request. A number: cached responses may be that many milliseconds old',
      },
    ),
    types: json<CachingByType>(
      cachingByTypeShape,
      readCachingByType,
      {},
      {
        description:
          'Headers of reads for browsers and shared caches, by content type ([caching.md](caching.md#browsers-and-shared-caches))',
      },
    ),
  },
  auth: {
    jwtManagement: following<'refresh' | 'legacy-support'>(
      choice({ refresh: 'refresh', 'legacy-support': 'legacy-support' }, 'refresh', {
        description: 'Short access tokens with refresh tokens, or one long-lived token as in earlier versions of Strapi',
      }),
      { file: 'plugins', path: ['users-permissions', 'config', 'jwtManagement'], fallback: 'legacy-support' },
    ),
    httpOnly: following(boolean(true, { description: 'Keep the refresh token in an `HttpOnly` cookie' }), {
      file: 'plugins',
      path: ['users-permissions', 'config', 'sessions', 'httpOnly'],
      fallback: false,
    }),
    cookieSameSite: choice({ lax: 'lax', strict: 'strict', none: 'none' }, 'lax', {
      description:
        '`SameSite` of that cookie. `none`: front ends on another site can refresh as well; needs `cors.credentials` and https ([front-ends.md](front-ends.md#cookies-and-sites))',
    }),
    cookieMaxAge: optionalWholeNumber(
      { from: 1, to: 400 * 86_400 },
      { description: 'Seconds for which browsers keep that cookie; without this setting, until they are closed' },
    ),
    accessTokenLifespan: wholeNumber(
      600,
      { from: 1, to: 365 * 86_400 },
      { description: 'Seconds for which an access token (`jwt`) is valid, with `auth.jwtManagement: refresh`' },
    ),
    idleRefreshTokenLifespan: wholeNumber(
      1_209_600,
      { from: 1, to: 3650 * 86_400 },
      { description: 'Seconds within which a session must be refreshed' },
    ),
    maxRefreshTokenLifespan: wholeNumber(
      2_592_000,
      { from: 1, to: 3650 * 86_400 },
      { description: 'Seconds after the login when a session ends, however often it was refreshed' },
    ),
    defaultRole: optionalText({
      description: 'Type of the role of newly registered users ([access.md](access.md#registering))',
      fallbackText: "the database's, else `authenticated`",
    }),
    allowRegister: optionalBoolean({ description: 'Whether anybody may register', fallbackText: "the database's, else `true`" }),
    uniqueEmail: optionalBoolean({
      description: 'Whether two users may not have the same e-mail address, also where they sign in with different providers',
      fallbackText: "the database's, else `true`",
    }),
    emailConfirmation: optionalBoolean({
      description: 'Whether users confirm their e-mail address, by a link in a mail, before they can sign in',
      fallbackText: "the database's, else `false`",
    }),
    resetPasswordPage: optionalText(
      {
        description: 'Page of the front end that the mail about a forgotten password links to; it gets `?code=`',
        fallbackText: "the database's, else none",
      },
      pageUrl,
    ),
    emailConfirmationPage: optionalText(
      {
        description: 'Page that users are sent to when they have confirmed their e-mail address',
        fallbackText: "the database's, else `/`",
      },
      pageUrl,
    ),
    providers: json<Providers>(
      providersShape,
      readProviders,
      {},
      {
        description:
          'OpenID Connect providers that users may sign in with; needs `url` and `JWT_SECRET` ([access.md](access.md#signing-in-with-another-provider))',
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
      description: 'Sender of mails, instead of the sender that the template in the database names',
      strapiVariable: 'SMTP_FROM',
      fallbackText: "the template's",
    }),
    templates: json<MailTemplates>(
      mailTemplatesShape,
      readMailTemplates,
      {},
      {
        description: 'Texts of the mails about forgotten passwords and e-mail addresses ([access.md](access.md#mails))',
        fallbackText: "the database's, else short English texts",
      },
    ),
    withoutServer: choice<'log' | 'refuse'>({ log: 'log', refuse: 'refuse' }, (facts) => (facts.production ? 'refuse' : 'log'), {
      description: 'Without `mail.host`: write mails to the log, or refuse requests that would send one (503)',
      fallbackText: '`"refuse"` with `NODE_ENV=production`, otherwise `"log"`',
    }),
  },
  rateLimit: {
    max: optionalWholeNumber(
      { from: 1, to: 1000 * million },
      { description: 'Requests that one API token, user or IP address may make within `rateLimit.window`; without it any number' },
    ),
    window: wholeNumber(60, { from: 1, to: 86_400 }, { description: 'Seconds, from the first request on' }),
    redis: optionalText(
      {
        description: 'Redis in which several processes count together, including attempts at the endpoints of accounts',
        sensitive: true,
      },
      redisUrl,
    ),
  },
  cors: {
    origins: list(['*'], { description: 'Origins whose pages may read responses' }, origin),
    credentials: boolean(false, { description: 'Allow cookies from other origins; needs `cors.origins` by name' }),
  },
  upload: {
    sizeLimit: wholeNumber(
      209_715_200,
      { from: 1, to: Number.MAX_SAFE_INTEGER },
      { description: 'Bytes of one uploaded file; images are measured after size optimisation' },
    ),
    requestLimit: wholeNumber(
      1_073_741_824,
      { from: 1024, to: Number.MAX_SAFE_INTEGER },
      { description: 'Bytes of one upload request, all its files together' },
    ),
    files: wholeNumber(100, { from: 1, to: 10_000 }, { description: 'Files of one upload request' }),
    stallTime: wholeNumber(
      30_000,
      { from: 1000, to: 3_600_000 },
      { description: 'Milliseconds without a byte after which an upload is aborted' },
    ),
    allowedTypes: list([], { description: 'Media types that may be uploaded, e.g. `image/*`; an empty list allows all' }),
    deniedTypes: list([], { description: 'Media types that may not be uploaded; overrides `upload.allowedTypes`' }),
    workDir: optionalText({
      description: 'Temporary folder for uploads, relative to the project; best on the same disk as the uploaded files',
      fallbackText: '`uploads/.incoming` in `publicDir`',
    }),
    provider: choice<'local' | 's3'>({ local: 'local', s3: 's3' }, 'local', {
      description: 'Where files are stored: `uploads/` in `publicDir`, or a bucket (`s3`)',
    }),
    sizeOptimization: optionalBoolean({
      description: 'Whether uploaded images are encoded again to be smaller',
      fallbackText: "the database's, else `true`",
    }),
    responsiveDimensions: optionalBoolean({
      description: 'Whether uploaded images get variants, see `upload.breakpoints`',
      fallbackText: "the database's, else `true`",
    }),
    autoOrientation: optionalBoolean({
      description: 'Whether uploaded images are rotated as their EXIF data says; see also `policies.turnImages`',
      fallbackText: "the database's, else `false`",
    }),
    breakpoints: json<Readonly<Record<string, number>>>(
      breakpointsShape,
      readBreakpoints,
      { large: 1000, medium: 750, small: 500 },
      { description: 'Variants of uploaded images: name and longest side in pixels' },
    ),
    pixels: wholeNumber(100_000_000, { from: 1, to: 1_000_000_000 }, { description: 'Pixels of one image, all its frames together' }),
    imageTime: wholeNumber(30_000, { from: 100, to: 3_600_000 }, { description: 'Milliseconds that processing one image may take' }),
    imageQueue: wholeNumber(100, { from: 0, to: million }, { description: 'Images that may wait before further ones get 503' }),
    imageProcesses: wholeNumber(
      (facts) => Math.max(1, Math.min(2, facts.cores)),
      { from: 1, to: 64 },
      {
        description: 'Processes for images; they start with the first image and end after a while without images',
        fallbackText: 'the number of processor cores, at most `2`',
      },
    ),
    variantSizes: numbers(
      [64, 128, 256, 320, 400, 480, 640, 750, 828, 960, 1080, 1200, 1600, 1920],
      { from: 1, to: 10_000 },
      {
        description: 'Widths and heights that anybody may request (`/uploads/x.jpg?width=400`); others need a signature',
      },
    ),
    variantFormats: list(
      ['webp', 'avif', 'jpeg', 'png'],
      { description: 'Formats that anybody may request (`?format=webp`)' },
      imageFormat,
    ),
    variantQualities: numbers(
      [50, 75, 80, 90],
      { from: 1, to: 100 },
      { description: 'Qualities that anybody may request (`?quality=75`)' },
    ),
    cacheDir: text('.tmp/variants', { description: 'Folder of cached variants, relative to the project' }),
    cacheBytes: wholeNumber(
      1_073_741_824,
      { from: 0, to: Number.MAX_SAFE_INTEGER },
      {
        description: 'Bytes of cached variants; beyond it, the least recently used ones are deleted. 0 caches none',
      },
    ),
    signedFor: wholeNumber(900, { from: 60, to: 604_800 }, { description: 'Seconds that URLs of private files are valid, at least' }),
  },
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
  s3: {
    bucket: optionalText(
      { description: 'Bucket of the files; needed with `upload.provider` `s3`', strapiVariable: 'AWS_BUCKET' },
      bucketName,
    ),
    region: text('us-east-1', { description: 'Region of the bucket', strapiVariable: 'AWS_REGION' }),
    endpoint: optionalText(
      { description: 'URL of an S3-compatible service such as MinIO', strapiVariable: 'AWS_ENDPOINT', fallbackText: "Amazon's" },
      httpUrl,
    ),
    forcePathStyle: boolean(false, { description: 'The bucket is part of the path instead of the host name, as MinIO needs it' }),
    prefix: optionalText({ description: 'Prefix of keys, such as `media/`' }, keyPrefix),
    baseUrl: optionalText(
      { description: 'URL of the files, such as that of a CDN in front of the bucket', fallbackText: "the bucket's" },
      httpUrl,
    ),
    private: boolean(false, { description: 'The bucket is not public: URLs in responses are signed, and valid for `upload.signedFor`' }),
  },
  log: {
    level: choice(
      { fatal: 'fatal', error: 'error', warn: 'warn', info: 'info', debug: 'debug', trace: 'trace', silent: 'silent' },
      'info',
      { description: 'Lowest level of log lines that are written' },
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
        description: 'Token of the management API, `/api/_manage`; without it the API does not exist',
        strapiVariable: 'LECTERN_MANAGEMENT_TOKEN',
        secret: true,
      },
      { shape: 'at least 32 characters without white space', holds: (value: string) => /^\S{32,}$/.test(value) },
    ),
    uploadKey: optionalText(
      {
        description: 'Signs the URLs of private files, and of variants beyond the lists; without it neither is possible',
        strapiVariable: 'LECTERN_UPLOAD_KEY',
        secret: true,
      },
      { shape: 'at least 32 characters without white space', holds: (value: string) => /^\S{32,}$/.test(value) },
    ),
    s3AccessKeyId: optionalText({
      description: 'Key id for the bucket',
      strapiVariable: 'AWS_ACCESS_KEY_ID',
      secret: true,
      fallbackText: 'what the AWS SDK finds (role of the machine, shared configuration)',
    }),
    s3SecretAccessKey: optionalText({ description: 'Secret key for the bucket', strapiVariable: 'AWS_SECRET_ACCESS_KEY', secret: true }),
    s3SessionToken: optionalText({
      description: 'Session token that belongs to a temporary key',
      strapiVariable: 'AWS_SESSION_TOKEN',
      secret: true,
    }),
    encryptionKey: optionalText({
      description: 'Encrypts API tokens that an administrator may look at again',
      strapiVariable: 'ENCRYPTION_KEY',
      secret: true,
    }),
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
const ownVariable = (path: string) =>
  `LECTERN_${path
    .replaceAll('.', '_')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase()}`;

function variablesOf(path: string, setting: Setting<unknown>): readonly string[] {
  const own = setting.secret ? [] : [ownVariable(path)];
  return setting.strapiVariable === undefined ? own : [...own, setting.strapiVariable];
}

const isSetting = (value: object): value is Setting<unknown> => 'fromText' in value;

/** Builds the object of all values by calling `read` for each setting in the order of the table, in which the profile comes first. */
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
