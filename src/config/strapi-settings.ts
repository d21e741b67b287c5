/** Where the `config/` of a Strapi project has the settings of Lectern. Reading, the reference in
 *  docs/configuration.md and the report of other values are made from this table. */

/** The plain value at a path of the file, such as `rest.maxLimit`; undefined if computed. */
export type Look = (path: string) => unknown;

export interface StrapiSetting {
  /** `api` for `config/api.ts`. */
  readonly file: string;
  /** Paths in the file's value; the first that exists counts. */
  readonly paths: readonly string[];
  /** Whether the value counts at all. */
  readonly when?: (look: Look) => boolean;
  /** Strapi's value → that of `lectern.config.json`; undefined for the default. */
  readonly read?: (value: unknown, look: Look) => unknown;
  /** Strapi's default, if it differs: for a project that gives no value, or a computed one. */
  readonly fallback?: string | number | boolean;
  /** What applies where the project gives no value, but not where it computes one. */
  readonly absent?: (look: Look) => unknown;
  /** For the documentation, with `absent`. */
  readonly absentText?: string;
  /** Whether an invalid value prevents the start, since the server would serve something else. */
  readonly isDecisive?: boolean;
}

type Rest = Omit<StrapiSetting, 'file' | 'paths'>;
const inFile =
  (file: string, prefix = '') =>
  (path: string | readonly string[], rest: Rest = {}): StrapiSetting => ({
    file,
    paths: [path].flat().map((each) => `${prefix}${each}`),
    ...rest,
  });

const api = inFile('api');
const admin = inFile('admin');
const server = inFile('server');
const connection = inFile('database', 'connection.');
const users = inFile('plugins', 'users-permissions.config.');
const upload = inFile('plugins', 'upload.config.');
const cors = inFile('middlewares', 'strapi::cors.config.');
const body = inFile('middlewares', 'strapi::body.config.');

/** `env('PORT')` without `.int` gives a text. */
const number = (value: unknown): unknown => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value);
/** Strapi and its libraries take an empty text for nothing. */
const text = (value: unknown): unknown => (value === '' || value === null ? undefined : value);
const withoutSlash = (value: unknown): unknown => (typeof value === 'string' ? text(value.replace(/\/+$/, '')) : value);
const list = (value: unknown): unknown => text(typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value);

/** A request reads at most 100,000 rows anyway (`limits.rows`). */
const maxRows = 100_000;
const limitOf = (value: unknown): unknown => {
  const limit = typeof value === 'string' || typeof value === 'boolean' ? Number(value) : value;
  return typeof limit === 'number' ? Math.min(limit, maxRows) : value;
};
const maxLimit = (value: unknown): unknown => {
  const limit = limitOf(value);
  return limit === 0 || limit === -1 || limit === null || Number.isNaN(limit) ? 'none' : limit;
};
function defaultLimit(value: unknown, look: Look): unknown {
  const limit = limitOf(value);
  if (limit === -1) return 'none';
  const max = maxLimit(look('rest.maxLimit') ?? null);
  if (typeof limit !== 'number' || !Number.isInteger(limit)) return value;
  return Math.max(1, typeof max === 'number' ? Math.min(limit, max) : limit);
}

const units: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };
/** `10mb` → 10485760 */
function bytes(value: unknown): unknown {
  const found = typeof value === 'string' ? /^(\d+(?:\.\d+)?) *(b|kb|mb|gb)?$/i.exec(value) : null;
  return found === null ? value : Math.floor(Number(found[1]) * (units[(found[2] ?? 'b').toLowerCase()] ?? 1));
}

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_557_600 };
/** `7d` → 604800. A number is in seconds. */
function lifespan(value: unknown): unknown {
  const found =
    typeof value === 'string'
      ? /^(\d+(?:\.\d+)?) *(s|m|h|d|w|y)(?:ec|ecs|econd|econds|in|ins|inute|inutes|r|rs|our|ours|ay|ays|eek|eeks|ear|ears)?$/i.exec(value)
      : null;
  return found === null ? value : Math.round(Number(found[1]) * (seconds[(found[2] ?? '').toLowerCase()] ?? 1));
}

/** Milliseconds, or an object such as `{ min: 5 }`. */
function interval(value: unknown): unknown {
  if (typeof value === 'number') return Math.max(1, Math.round(value / 1000));
  if (typeof value !== 'object' || value === null) return value;
  const parts: Readonly<Record<string, number>> = { ms: 0.001, sec: 1, min: 60, hour: 3600, day: 86_400, week: 604_800 };
  const known = Object.entries(value).filter(([unit, count]) => Object.hasOwn(parts, unit) && typeof count === 'number');
  if (known.length === 0 || known.length !== Object.keys(value).length) return value;
  return Math.max(1, Math.round(known.reduce((sum, [unit, count]) => sum + count * (parts[unit] ?? 0), 0)));
}

/** The name of a provider: `@strapi/provider-upload-aws-s3` → `aws-s3`. */
const provider = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase().replace(/^@strapi\/provider-\w+-/, '') : '');
const isS3: StrapiSetting['when'] = (look) => provider(look('upload.config.provider')) === 'aws-s3';
const bucket = (path: string | readonly string[], read: StrapiSetting['read'] = text) =>
  upload(
    [path].flat().map((each) => `providerOptions.${each}`),
    { when: isS3, read },
  );
const isSmtp: StrapiSetting['when'] = (look) => provider(look('email.config.provider')) === 'nodemailer';
const mail = (path: string, read: StrapiSetting['read'] = text) =>
  inFile('plugins', 'email.config.')(`providerOptions.${path}`, { when: isSmtp, read });

/** Origins that browsers can send; another entry matches none of them, in Strapi too. */
function origins(value: unknown): unknown {
  const listed = list(value);
  if (!Array.isArray(listed)) return listed;
  if (listed.includes('*')) return ['*'];
  const usable = listed.filter((each) => typeof each === 'string' && URL.canParse(each) && new URL(each).origin === each);
  return usable.length === 0 ? value : usable;
}
/** Any origin together with credentials would let every site read what its visitors may read. */
function hasNamedOrigins(look: Look): boolean {
  const found = origins(look('strapi::cors.config.origin'));
  return Array.isArray(found) && found.length > 0 && !found.includes('*') && found !== look('strapi::cors.config.origin');
}

export const strapiSettings: Readonly<Record<string, StrapiSetting>> = {
  'api.prefix': api('rest.prefix', { isDecisive: true }),
  'api.defaultLimit': api('rest.defaultLimit', { read: defaultLimit }),
  'api.maxLimit': api('rest.maxLimit', { read: maxLimit, absent: () => 'none', absentText: 'no limit' }),
  'api.withCount': api('rest.withCount', { read: Boolean }),
  'api.privateAttributes': api('responses.privateAttributes'),
  'api.strictParams': api('rest.strictParams', { read: Boolean, fallback: false }),
  'api.strictDocumentParams': api('documents.strictParams', { read: (value) => value === true, fallback: false }),
  'api.strictRelations': api('documents.strictRelations', { read: Boolean, fallback: false }),

  // Strapi's own is the machine's name, which other machines reach as well.
  host: server('host', { read: text, fallback: '0.0.0.0' }),
  port: server('port', { read: number }),
  url: server('url', { read: (value) => withoutSlash(typeof value === 'string' ? value.trim() : value) }),
  publicDir: server('dirs.public', { read: text }),

  'database.client': connection('client', { isDecisive: true }),
  'database.filename': connection('connection.filename', { read: text }),
  'database.url': connection('connection.connectionString', { read: text }),
  'database.host': connection('connection.host', { read: text }),
  'database.port': connection('connection.port', { read: number }),
  'database.name': connection('connection.database', { read: text }),
  'database.username': connection('connection.user', { read: text }),
  'database.password': connection('connection.password', { read: text }),
  'database.schema': connection('connection.schema', { read: text }),
  'database.ssl': connection('connection.ssl', { read: (value) => (typeof value === 'object' && value !== null ? true : text(value)) }),
  'database.sslCa': connection('connection.ssl.ca', { read: text }),
  'database.sslCert': connection('connection.ssl.cert', { read: text }),
  'database.sslKey': connection('connection.ssl.key', { read: text }),
  'database.sslRejectUnauthorized': connection('connection.ssl.rejectUnauthorized'),
  'database.poolMin': connection('pool.min', { read: number }),
  'database.poolMax': connection('pool.max', { read: number }),

  'auth.jwtManagement': users('jwtManagement', { fallback: 'legacy-support' }),
  'auth.tokenLifespan': users('jwt.expiresIn', { read: lifespan }),
  'auth.httpOnly': users('sessions.httpOnly', { read: Boolean, fallback: false }),
  'auth.cookieSameSite': users('sessions.cookie.sameSite'),
  'auth.cookieMaxAge': users('sessions.cookie.maxAge', { read: (value) => (typeof value === 'number' ? Math.round(value / 1000) : value) }),
  'auth.accessTokenLifespan': users('sessions.accessTokenLifespan', { read: number }),
  'auth.idleRefreshTokenLifespan': users('sessions.idleRefreshTokenLifespan', { read: number }),
  'auth.maxRefreshTokenLifespan': users('sessions.maxRefreshTokenLifespan', { read: number }),
  'auth.registerFields': users('register.allowedFields'),
  'auth.attempts': users('ratelimit.max', { read: number }),
  'auth.attemptsWindow': users('ratelimit.interval', { read: interval }),

  'mail.host': mail('host'),
  'mail.port': mail('port', number),
  'mail.secure': mail('secure', Boolean),
  'mail.username': mail('auth.user'),
  'mail.password': mail('auth.pass'),

  'cors.origins': cors('origin', { read: origins }),
  'cors.credentials': cors('credentials', {
    read: (value, look) => (hasNamedOrigins(look) ? Boolean(value) : undefined),
    absent: (look) => (hasNamedOrigins(look) ? true : undefined),
    absentText: '`true` where `origin` names origins',
  }),
  'cors.headers': cors('headers', { read: list }),
  'cors.exposeHeaders': cors('expose', { read: list }),

  'upload.provider': upload('provider', {
    read: (value) => (provider(value) === 'aws-s3' ? 's3' : provider(value) === 'local' ? 'local' : value),
  }),
  'upload.sizeLimit': upload('sizeLimit', { read: number }),
  'upload.requestLimit': body('formidable.maxFileSize', { read: number }),
  'upload.breakpoints': upload('breakpoints'),
  'upload.allowedTypes': upload('security.allowedTypes'),
  'upload.deniedTypes': upload('security.deniedTypes'),
  'upload.signedFor': bucket('s3Options.params.signedUrlExpires', number),
  's3.bucket': bucket(['s3Options.params.Bucket', 'params.Bucket']),
  's3.region': bucket(['s3Options.region', 'region']),
  's3.endpoint': bucket(['s3Options.endpoint', 'endpoint'], withoutSlash),
  's3.forcePathStyle': bucket(['s3Options.forcePathStyle', 'forcePathStyle'], Boolean),
  's3.prefix': bucket('rootPath', withoutSlash),
  's3.baseUrl': bucket('baseUrl', withoutSlash),
  's3.private': bucket(['s3Options.params.ACL', 'params.ACL'], (value) => value === 'private'),

  'limits.bodyBytes': body('jsonLimit', { read: bytes }),

  'secrets.jwtSecret': users('jwtSecret', { read: text }),
  'secrets.apiTokenSalt': admin('apiToken.salt', { read: text }),
  'secrets.encryptionKey': admin('secrets.encryptionKey', { read: text }),
  'secrets.s3AccessKeyId': bucket(['s3Options.credentials.accessKeyId', 's3Options.accessKeyId', 'accessKeyId']),
  'secrets.s3SecretAccessKey': bucket(['s3Options.credentials.secretAccessKey', 's3Options.secretAccessKey', 'secretAccessKey']),
  'secrets.s3SessionToken': bucket('s3Options.credentials.sessionToken'),
};

/** Parts of Strapi whose settings have no effect on the API, or none in Lectern. */
export const withoutEffect: Readonly<Record<string, readonly string[]>> = {
  server: ['app', 'logger', 'openapi', 'transfer', 'webhooks'],
  database: ['connection.debug', 'connection.useNullAsDefault', 'connection.acquireConnectionTimeout', 'settings'],
  middlewares: ['strapi::logger', 'strapi::errors', 'strapi::query', 'strapi::session', 'strapi::favicon', 'strapi::public'],
  plugins: ['users-permissions.enabled', 'upload.enabled', 'email.enabled', 'i18n', 'content-releases', 'review-workflows'],
};

/** What to do instead, by file and path. */
export const notes: Readonly<Record<string, string>> = {
  'server: proxy': 'set trustProxy to the IP addresses of the proxies in front of Lectern, if there are any',
  'server: cron': 'cron jobs run in Strapi alone',
  'server: mcp': 'Lectern has tools of its own for assistants: see mcp.enabled',
  'database: connection.acquireConnectionTimeout': 'set database.connectionTime',
  'middlewares: strapi::security': 'Lectern sends headers of its own',
  'middlewares: strapi::poweredBy': 'Lectern sends X-Powered-By: Lectern',
  'plugins: email.config.provider': 'Lectern sends mails by SMTP: set mail.*',
  'plugins: email.config.settings': 'the sender is that of the templates of the mails, or mail.from',
  'plugins: upload.config.provider': 'only local and aws-s3 are supported; new files go to the disk',
  'plugins: users-permissions.config.callback': 'the callbacks of providers are auth.providers',
  'plugins: users-permissions.config.grant': 'providers are auth.providers',
  'plugins: users-permissions.config.jwt.algorithm': 'tokens are signed with HS256',
  'plugins: users-permissions.config.ratelimit.enabled': 'attempts are always counted: see auth.attempts',
  'plugins: graphql': 'Lectern has no GraphQL',
};
