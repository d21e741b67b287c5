import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type LoadedConfig, loadConfig } from './load-config.ts';
import { placedSettings } from './settings.ts';

interface Given {
  /** Files of the project by name; objects are written as JSON. */
  readonly files?: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly port?: number;
  readonly host?: string;
}

const root = mkdtempSync(join(tmpdir(), 'lectern-config-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;

function load({ files = {}, environment = {}, port, host }: Given): LoadedConfig & { readonly dir: string } {
  count++;
  const dir = join(root, String(count));
  mkdirSync(dir);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return { dir, ...loadConfig({ dir, environment, overrides: { port, host } }) };
}

/** The value at a path such as `database.host`. */
function valueAt(object: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : undefined),
      object,
    );
}

const config = (object: unknown) => ({ 'lectern.config.json': object });
const env = (text: string) => ({ '.env': text });
const strapiProject = { 'package.json': { dependencies: { '@strapi/strapi': '5.54.0' } } };
const code = (text: string) => ({ ...strapiProject, 'config/api.ts': text });
const secrets = { JWT_SECRET: 'a', API_TOKEN_SALT: 'b' };

describe('values', () => {
  const cases: readonly (Given & { readonly it: string; readonly gives: Readonly<Record<string, unknown>> })[] = [
    {
      it: 'defaults without any file',
      gives: {
        host: '127.0.0.1',
        port: 1337,
        profile: 'specification',
        profileReason: 'the default',
        migrate: 'auto',
        'api.defaultLimit': 25,
        'api.maxLimit': 100,
        'api.strictParams': true,
        'limits.queryBytes': 65536,
        'limits.responseBytes': 33554432,
        'database.client': 'sqlite',
        'database.host': undefined,
        'cors.origins': ['*'],
        'cors.credentials': false,
        'secrets.jwtSecret': undefined,
        'log.level': 'info',
        customFields: {},
      },
    },
    {
      it: 'policies of the specification',
      gives: {
        'policies.partialPut': false,
        'policies.populateWithPagination': false,
        'policies.localeInBody': true,
        'policies.caseSensitiveLike': true,
      },
    },
    {
      it: 'policies of Strapi',
      files: strapiProject,
      gives: {
        profile: 'strapi',
        profileReason: 'package.json depends on @strapi/strapi',
        'policies.partialPut': true,
        'policies.populateWithPagination': true,
        'policies.localeInBody': false,
        'policies.refuseUndefinedLocale': false,
        'policies.draftsNeedRight': false,
        'policies.caseSensitiveLike': false,
        'policies.enforceSchemaRules': false,
        'policies.endSessionsAtOnce': false,
      },
    },
    {
      it: 'a Strapi project that says nothing has Strapi’s defaults',
      files: strapiProject,
      gives: {
        host: '0.0.0.0',
        'projectSettings.0': "host 0.0.0.0 (Strapi's default)",
        'api.strictParams': false,
        'api.strictRelations': false,
        'auth.jwtManagement': 'legacy-support',
        'auth.httpOnly': false,
        'projectSettings.2': "api.strictParams false (Strapi's default)",
        'api.strictDocumentParams': false,
        'projectSettings.3': "api.strictDocumentParams false (Strapi's default)",
        'projectSettings.5': "auth.jwtManagement legacy-support (Strapi's default)",
      },
    },
    {
      it: 'long values of a Strapi project are cut where they are listed',
      files: {
        ...strapiProject,
        'config/plugins.js': `module.exports = { upload: { config: { security: { allowedTypes: [${"'image/png', ".repeat(20)}] } } } };`,
      },
      gives: { 'projectSettings.7': expect.stringMatching(/^upload.allowedTypes \["image\/png",.{60,70}… \(config/) },
    },
    {
      it: 'what a Strapi project says',
      files: {
        ...code(`export default { rest: { strictParams: true }, documents: { strictParams: true } };`),
        'config/plugins.js': `module.exports = ({ env }) => ({ 'users-permissions': { config: { jwtManagement: env('MODE', 'refresh'), sessions: { httpOnly: env.bool('ONLY', true) } } } });`,
      },
      environment: { ONLY: 'false' },
      gives: {
        'api.strictParams': true,
        'auth.jwtManagement': 'refresh',
        'auth.httpOnly': false,
        'api.strictDocumentParams': true,
        'projectSettings.2': 'api.strictParams true (config/api.ts: rest.strictParams)',
        'projectSettings.3': 'api.strictDocumentParams true (config/api.ts: documents.strictParams)',
      },
    },
    {
      it: 'a type, a constant, a function with a body',
      files: code(
        `import type { Core } from '@strapi/strapi';\nconst strict = true;\nconst config = ({ env }: Core.Config.Shared.ConfigParams): Core.Config.Api => {\n  const rest = { strictParams: strict };\n  return { rest };\n};\nexport default config;`,
      ),
      gives: { 'api.strictParams': true },
    },
    {
      it: 'what it says for an environment',
      files: {
        ...code(`export default { rest: { strictParams: true } };`),
        'config/env/production/api.json': { rest: { strictParams: false } },
      },
      environment: { NODE_ENV: 'production' },
      gives: { 'api.strictParams': false },
    },
    {
      it: 'the environment and our file win over a Strapi project',
      files: { ...code(`export default { rest: { strictParams: false } };`), ...config({ api: { strictParams: true } }) },
      environment: { LECTERN_AUTH_JWT_MANAGEMENT: 'refresh' },
      gives: {
        'api.strictParams': true,
        'auth.jwtManagement': 'refresh',
        'projectSettings.5': 'auth.jwtManagement refresh (LECTERN_AUTH_JWT_MANAGEMENT)',
      },
    },
    {
      it: 'a project that is no Strapi project keeps our defaults in either profile',
      files: { 'config/api.ts': `export default { rest: { strictParams: false } };`, ...config({ profile: 'strapi' }) },
      gives: { 'api.strictParams': true, 'auth.jwtManagement': 'refresh', 'projectSettings.0': undefined },
    },
    {
      it: 'so does a Strapi project that is served in the other profile',
      files: { ...strapiProject, ...config({ profile: 'specification' }) },
      gives: { 'api.strictParams': true, 'auth.jwtManagement': 'refresh' },
    },
    {
      it: 'a profile that is set wins over the one found',
      files: strapiProject,
      environment: { LECTERN_PROFILE: 'specification' },
      gives: { profile: 'specification', profileReason: 'set by LECTERN_PROFILE', 'policies.partialPut': false },
    },
    {
      it: 'a profile from the file',
      files: config({ profile: 'strapi' }),
      gives: { profile: 'strapi', profileReason: 'set by lectern.config.json: profile', 'policies.partialPut': true },
    },
    {
      it: 'a policy wins over its profile',
      files: config({ profile: 'strapi', policies: { partialPut: false } }),
      gives: { 'policies.partialPut': false },
    },
    { it: '.env wins over the file', files: { ...config({ port: 1 }), ...env('PORT=2') }, gives: { port: 2 } },
    { it: 'the process wins over .env', files: env('PORT=2'), environment: { PORT: '3' }, gives: { port: 3 } },
    { it: 'the command line wins over all', environment: { PORT: '3', HOST: 'a' }, port: 0, host: 'b', gives: { port: 0, host: 'b' } },
    { it: 'our variable wins over Strapi’s', environment: { LECTERN_PORT: '4', PORT: '3' }, gives: { port: 4 } },
    { it: 'a link that Kubernetes sets is no port', environment: { LECTERN_PORT: 'tcp://10.0.0.1:1337' }, gives: { port: 1337 } },
    {
      it: 'an empty variable is unset',
      files: env('DATABASE_HOST=\nPORT=5'),
      environment: { PORT: '', HOST: ' ' },
      gives: { port: 5, host: '127.0.0.1', 'database.host': undefined },
    },
    {
      it: 'quotes and comments in .env',
      files: env('# c\nexport JWT_SECRET="a b" # c\nHOST=\'::1\'\n'),
      gives: { 'secrets.jwtSecret': 'a b', host: '::1' },
    },
    {
      it: 'a boolean in capitals',
      environment: { LECTERN_API_STRICT_PARAMS: 'FALSE', DATABASE_SSL: '1' },
      gives: { 'api.strictParams': false, 'database.ssl': true },
    },
    {
      it: 'the database as Strapi’s template names it',
      files: env(
        'DATABASE_CLIENT=postgres\nDATABASE_HOST=db\nDATABASE_PORT=5433\nDATABASE_NAME=n\nDATABASE_USERNAME=u\nDATABASE_PASSWORD=p\nDATABASE_SCHEMA=s\nDATABASE_POOL_MIN=1\nDATABASE_POOL_MAX=5',
      ),
      gives: {
        'database.client': 'postgres',
        'database.host': 'db',
        'database.port': 5433,
        'database.name': 'n',
        'database.username': 'u',
        'database.password': 'p',
        'database.schema': 's',
        'database.poolMin': 1,
        'database.poolMax': 5,
      },
    },
    { it: 'other names of SQLite', environment: { DATABASE_CLIENT: 'better-sqlite3' }, gives: { 'database.client': 'sqlite' } },
    { it: 'other names of PostgreSQL', environment: { DATABASE_CLIENT: 'postgresql' }, gives: { 'database.client': 'postgres' } },
    { it: 'other names of MySQL', environment: { DATABASE_CLIENT: 'mariadb' }, gives: { 'database.client': 'mysql' } },
    {
      it: 'lists, comma-separated',
      environment: { LECTERN_UPLOAD_ALLOWED_TYPES: 'image/*, video/mp4,' },
      gives: { 'upload.allowedTypes': ['image/*', 'video/mp4'] },
    },
    {
      it: 'credentials for named origins',
      files: config({ cors: { origins: ['https://a.example', 'http://localhost:3000'], credentials: true } }),
      gives: { 'cors.origins': ['https://a.example', 'http://localhost:3000'], 'cors.credentials': true },
    },
    {
      it: 'custom fields in a variable',
      environment: { LECTERN_CUSTOM_FIELDS: 'plugin::a.b=string, plugin::c.d=json' },
      gives: { customFields: { 'plugin::a.b': 'string', 'plugin::c.d': 'json' } },
    },
    {
      it: 'a default that follows its maximum',
      files: config({ api: { maxLimit: 10 }, database: { poolMax: 1 } }),
      gives: { 'api.defaultLimit': 10, 'database.poolMin': 1 },
    },
    { it: 'a file with a byte order mark', files: config('\uFEFF{"port": 9}'), gives: { port: 9 } },
  ];

  it.each(cases)('$it', ({ gives, ...given }) => {
    const loaded = load(given);
    if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
    const got = Object.fromEntries(Object.keys(gives).map((path) => [path, valueAt(loaded.config, path)]));
    expect(got).toEqual(gives);
  });

  it('paths are absolute, from the project', () => {
    const loaded = load({ environment: { DATABASE_FILENAME: '../x.db' } });
    expect(loaded).toMatchObject({
      config: { dir: loaded.dir, publicDir: join(loaded.dir, 'public'), database: { filename: join(root, 'x.db') } },
    });
  });
});

describe('errors', () => {
  const cases: readonly (Given & { readonly it: string; readonly says: readonly string[] })[] = [
    { it: 'text for a number', environment: { PORT: 'abc' }, says: ['PORT is "abc", but must be a whole number from 0 to 65535'] },
    {
      it: 'a number out of bounds, in .env',
      files: env('PORT=70000'),
      says: ['PORT in .env is "70000", but must be a whole number from 0 to 65535'],
    },
    { it: 'on the command line', port: 1.5, says: ['--port is 1.5, but must be a whole number from 0 to 65535'] },
    {
      it: 'text for a boolean in the file',
      files: config({ api: { strictParams: 'no' } }),
      says: ['lectern.config.json: api.strictParams is "no", but must be true or false'],
    },
    { it: 'null', files: config({ host: null }), says: ['lectern.config.json: host is null, but must be text'] },
    {
      it: 'a word of another list',
      environment: { LECTERN_PROFILE: 'v4' },
      says: ['LECTERN_PROFILE is "v4", but must be specification or strapi'],
    },
    {
      it: 'an engine that does not exist',
      environment: { DATABASE_CLIENT: 'oracle' },
      says: ['DATABASE_CLIENT is "oracle", but must be sqlite, better-sqlite3, postgres, postgresql, mysql, mysql2 or mariadb'],
    },
    {
      it: 'text that is no URL of a replica',
      environment: { DATABASE_CLIENT: 'postgres', DATABASE_REPLICA_URLS: 'postgres://u:hush@h/n,postgres//u:hush@h/n', JWT_SECRET: 'x' },
      says: [
        'DATABASE_REPLICA_URLS is set to a value that is not shown, but must be a list (comma-separated in a variable) of URLs like postgres://user:password@host:5432/name',
      ],
    },
    {
      it: 'replicas of another engine',
      environment: { DATABASE_CLIENT: 'mysql', DATABASE_URL: 'mysql://u:hush@h/n', DATABASE_REPLICA_URLS: 'mysql://u:hush@h/n' },
      says: ['DATABASE_REPLICA_URLS: only PostgreSQL can have read replicas, and DATABASE_CLIENT is mysql'],
    },
    {
      it: 'a replica of another engine, and no secret',
      environment: { DATABASE_CLIENT: 'postgres', DATABASE_REPLICA_URLS: 'mysql://u:hush@h/n' },
      says: [
        'DATABASE_REPLICA_URLS: the URL of a read replica must begin with postgres://',
        'DATABASE_REPLICA_URLS needs JWT_SECRET or API_TOKEN_SALT, the same on all servers: it signs the positions of writes that callers send',
      ],
    },
    {
      it: 'a URL of another engine',
      environment: { DATABASE_CLIENT: 'postgres', DATABASE_URL: 'mysql://u:hush@h/n' },
      says: ['DATABASE_URL is the URL of another engine than DATABASE_CLIENT: set DATABASE_CLIENT=mysql, or another URL'],
    },
    {
      it: 'a password where none belongs',
      environment: { LECTERN_UPSTREAM: 'http://u:hush@127.0.0.1:1338' },
      says: ['LECTERN_UPSTREAM is set to a value that is not shown, but must be a URL such as http://127.0.0.1:1338'],
    },
    {
      it: 'a slip in a key',
      files: config({ api: { maxLimits: 5 } }),
      says: ['lectern.config.json: api.maxLimits is an unknown key; did you mean api.maxLimit?'],
    },
    {
      it: 'a key in the wrong place',
      files: config({ maxLimit: 5 }),
      says: ['lectern.config.json: maxLimit is an unknown key; did you mean api.maxLimit?'],
    },
    {
      it: 'a slip in a section',
      files: config({ apis: { maxLimit: 5 } }),
      says: ['lectern.config.json: apis is an unknown key; did you mean api?'],
    },
    {
      it: 'a key like nothing',
      files: config({ cors: { zzzzzzzzzzzzz: 1 } }),
      says: ['lectern.config.json: cors.zzzzzzzzzzzzz is an unknown key; the known ones here are cors.origins, cors.credentials'],
    },
    { it: 'a key of every object', files: config('{"__proto__": {"a": 1}, "constructor": 1}'), says: ['__proto__', 'constructor'] },
    {
      it: 'no section',
      files: config({ api: 5 }),
      says: ['lectern.config.json: api is 5, but must be an object with keys such as api.prefix'],
    },
    {
      it: 'a secret in the file',
      files: config({ secrets: { jwtSecret: 'hush' } }),
      says: [
        'lectern.config.json: secrets.jwtSecret must not be in this file, which others can read; set JWT_SECRET in the environment or .env',
      ],
    },
    { it: 'no JSON, with its place', files: config('{\n  "port": 1,\n}'), says: ['lectern.config.json:3:1 is not JSON'] },
    { it: 'nothing', files: config(''), says: ['lectern.config.json is empty: write into it, or remove it'] },
    { it: 'no object', files: config('[]'), says: ['lectern.config.json must hold one JSON object'] },
    { it: 'a broken package.json', files: { 'package.json': '{' }, says: ['package.json:1:2 is not JSON'] },
    {
      it: 'values that contradict each other',
      files: config({ api: { defaultLimit: 50 }, cors: { credentials: true } }),
      environment: { LECTERN_API_MAX_LIMIT: '10', DATABASE_POOL_MIN: '5', DATABASE_POOL_MAX: '4' },
      says: [
        'lectern.config.json: api.defaultLimit is 50, but must not be greater than LECTERN_API_MAX_LIMIT, which is 10',
        'DATABASE_POOL_MIN is 5, but must not be greater than DATABASE_POOL_MAX, which is 4',
        'lectern.config.json: cors.credentials is true, but must be false unless cors.origins names the origins',
      ],
    },
    {
      it: 'an origin that no browser sends like this',
      environment: { LECTERN_CORS_ORIGINS: 'https://A.example' },
      says: ['LECTERN_CORS_ORIGINS is "https://A.example", but must be a list (comma-separated in a variable) of origins such as'],
    },
    {
      it: 'a cookie for other sites whose pages may not send it',
      files: config({ cors: { origins: ['https://a.example'] } }),
      environment: { LECTERN_AUTH_COOKIE_SAME_SITE: 'none' },
      says: ['LECTERN_AUTH_COOKIE_SAME_SITE is none, which needs cors.credentials to be true'],
    },
    {
      it: 'an origin with a path',
      environment: { LECTERN_CORS_ORIGINS: 'https://a.example/' },
      says: ['LECTERN_CORS_ORIGINS is "https://a.example/", but must be a list'],
    },
    {
      it: 'a custom field of no type',
      files: config({ customFields: { 'plugin::a.b': 'relation' } }),
      says: ['customFields is {"plugin::a.b":"relation"}, but must be an object'],
    },
    {
      it: 'all at once',
      files: config({ nope: 1, log: { level: 'loud' } }),
      environment: { PORT: 'x' },
      says: ['nope', 'PORT', 'log.level'],
    },
  ];

  it.each(cases)('$it', ({ says, ...given }) => {
    const loaded = load(given);
    expect(loaded).toMatchObject({ ok: false, errors: says.map((text) => expect.stringContaining(text)) });
  });

  it('never repeats what may be secret', () => {
    const loaded = load({ files: config({ database: { password: 'hush' } }), environment: { DATABASE_URL: 'mssql://u:hush@h/n' } });
    expect(loaded.ok).toBe(false);
    expect(JSON.stringify(loaded)).toContain('DATABASE_URL is set to a value that is not shown, but must be a URL like postgres://');
    expect(JSON.stringify(loaded)).not.toContain('hush');
  });
});

describe('warnings', () => {
  const cases: readonly (Given & { readonly it: string; readonly says: readonly string[] })[] = [
    { it: 'none when all is there', environment: secrets, says: [] },
    { it: 'secrets that are not set', says: ['JWT_SECRET is not set', 'API_TOKEN_SALT is not set'] },
    {
      it: 'a URL that is not used',
      environment: { ...secrets, DATABASE_URL: 'postgres://h/n' },
      says: ['DATABASE_URL is set, but DATABASE_CLIENT is not'],
    },
    {
      it: 'a URL beside the client of another database',
      environment: { ...secrets, DATABASE_CLIENT: 'sqlite', DATABASE_URL: 'postgres://h/n' },
      says: ['DATABASE_URL is set, but DATABASE_CLIENT is sqlite: SQLite is used'],
    },
    {
      it: 'a slip in a variable',
      environment: { ...secrets, LECTERN_LIMITS_QUERYBYTES: '1', LECTERN_TEST_ENGINES: 'sqlite', LECTERN_SERVICE_HOST: '10.0.0.1' },
      says: ['LECTERN_LIMITS_QUERYBYTES is an unknown variable; did you mean LECTERN_LIMITS_QUERY_BYTES?'],
    },
    {
      it: 'a setting of an earlier version, wherever it is and whatever its value',
      environment: { ...secrets, LECTERN_DATABASE_TABLE_VERSIONS: 'perhaps' },
      files: { ...config({ database: { tableVersions: false } }), ...env('LECTERN_DATABASE_TABLE_VERSIONS=true') },
      says: [
        'LECTERN_DATABASE_TABLE_VERSIONS has no effect any more. Remove it; `lectern migrate apply`',
        'lectern.config.json: database.tableVersions has no effect any more. Remove it; `lectern migrate apply`',
      ],
    },
  ];
  it.each(cases)('$it', ({ says, ...given }) => {
    expect(load(given)).toMatchObject({ ok: true, warnings: says.map((text) => expect.stringContaining(text)) });
  });
});

describe('every setting', () => {
  it.each(placedSettings.map((placed) => [placed.path, placed] as const))('%s has variables of its own', (_, placed) => {
    const sharing = placedSettings.filter((other) => other.variables.some((name) => placed.variables.includes(name)));
    expect(sharing).toEqual([placed]);
    expect(placed.variables.length).toBeGreaterThan(0);
  });

  it('spells its variable in capitals', () => {
    const variables = placedSettings.flatMap((placed) => placed.variables);
    expect(variables).toContain('LECTERN_API_STRICT_PARAMS');
    expect(variables).toContain('LECTERN_AUTH_JWT_MANAGEMENT');
    expect(variables).toContain('LECTERN_UPLOAD_SIZE_LIMIT');
    expect(variables).toContain('LECTERN_PUBLIC_DIR');
    expect(variables).toContain('LECTERN_POLICIES_PARTIAL_PUT');
    expect(variables.filter((name) => !/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(name))).toEqual([]);
  });
});
