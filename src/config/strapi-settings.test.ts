/** What a Strapi project's `config/` gives, without running it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.ts';
import { placedSettings } from './settings.ts';
import { strapiSettings } from './strapi-settings.ts';

const root = mkdtempSync(join(tmpdir(), 'lectern-strapi-config-'));
afterAll(() => rmSync(root, { recursive: true }));
let count = 0;

type Files = Readonly<Record<string, string>>;

function load(files: Files, environment: Readonly<Record<string, string>> = {}) {
  const dir = join(root, String(++count));
  const all = { 'package.json': '{"dependencies":{"@strapi/strapi":"5.54.0"}}', ...files };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  const loaded = loadConfig({ dir, environment: { JWT_SECRET: 'a', API_TOKEN_SALT: 'b', ...environment }, overrides: {} });
  return { dir, ...loaded };
}

function loadGood(files: Files, environment?: Readonly<Record<string, string>>) {
  const loaded = load(files, environment);
  if (!loaded.ok) throw new Error(loaded.errors.join('\n'));
  return loaded;
}

const valueAt = (object: unknown, path: string): unknown =>
  path.split('.').reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], object);

/** As `create-strapi-app` writes them. */
const template: Files = {
  'tsconfig.json': '{ "compilerOptions": {\n "outDir": "dist" } }',
  'config/server.ts': `import type { Core } from '@strapi/strapi';
const config = ({ env }: Core.Config.Shared.ConfigParams): Core.Config.Server => ({
  host: env('HOST', '0.0.0.0'),
  port: env.int('PORT', 1337),
  app: { keys: env.array('APP_KEYS')! },
});
export default config;`,
  'config/admin.ts': `export default ({ env }) => ({ auth: { secret: env('ADMIN_JWT_SECRET') }, apiToken: { salt: env('API_TOKEN_SALT') } });`,
  'config/middlewares.ts': `export default ['strapi::logger', 'strapi::errors', 'strapi::security', 'strapi::cors', 'strapi::body'];`,
  'config/database.ts': `import path from 'path';
import { isDatabaseClientKind } from '@strapi/database';
const config = ({ env }) => {
  const client = env('DATABASE_CLIENT', 'sqlite');
  if (!isDatabaseClientKind(client)) {
    throw new Error('no');
  }
  const connections: Record<string, object> = {
    postgres: {
      client: 'postgres',
      connection: {
        connectionString: env('DATABASE_URL'),
        host: env('DATABASE_HOST', 'localhost'),
        port: env.int('DATABASE_PORT', 5432),
        database: env('DATABASE_NAME', 'strapi'),
        user: env('DATABASE_USERNAME', 'strapi'),
        password: env('DATABASE_PASSWORD', 'strapi'),
        ssl: env.bool('DATABASE_SSL', false) && {
          ca: env('DATABASE_SSL_CA', undefined),
          rejectUnauthorized: env.bool('DATABASE_SSL_REJECT_UNAUTHORIZED', true),
        },
        schema: env('DATABASE_SCHEMA', 'public'),
      },
      pool: { min: env.int('DATABASE_POOL_MIN', 2), max: env.int('DATABASE_POOL_MAX', 10) },
    },
    sqlite: {
      client: 'sqlite',
      connection: { filename: path.join(__dirname, '..', '..', env('DATABASE_FILENAME', '.tmp/data.db')) },
      useNullAsDefault: true,
    },
  };
  return {
    connection: {
      ...connections[client],
      acquireConnectionTimeout: env.int('DATABASE_CONNECTION_TIMEOUT', 60000),
    },
  };
};
export default config;`,
};

const plugins = (text: string): Files => ({ 'config/plugins.js': `module.exports = ({ env }) => (${text});` });
const middlewares = (text: string): Files => ({ 'config/middlewares.js': `module.exports = ({ env }) => [${text}, 'strapi::public'];` });
const users = (text: string): Files => plugins(`{ 'users-permissions': { config: { ${text} } } }`);
const api = (text: string): Files => ({ 'config/api.js': `module.exports = { rest: { ${text} } };` });

it('the table names settings', () => {
  const known = placedSettings.map(({ path }) => path);
  expect(Object.keys(strapiSettings).filter((path) => !known.includes(path))).toEqual([]);
});

describe("the files of Strapi's template", () => {
  it('are understood', () => {
    const { config, warnings, dir } = loadGood(template, { PORT: '1400' });
    expect(warnings).toEqual([]);
    expect(config.strapiFindings.filter(({ outcome }) => outcome !== 'honoured')).toEqual([]);
    expect(config).toMatchObject({ host: '0.0.0.0', port: 1400, database: { client: 'sqlite', filename: join(dir, '.tmp/data.db') } });
    expect(config.strapiFindings.map(({ setting }) => setting)).toEqual(expect.arrayContaining(['host', 'port', 'database.filename']));
  });

  it('connect to the database that they name', () => {
    const postgres = { DATABASE_CLIENT: 'postgres', DATABASE_HOST: 'db.example', DATABASE_SSL: 'true', DATABASE_SSL_CA: '/ca.pem' };
    const { config, warnings } = loadGood(template, postgres);
    expect(warnings).toEqual([]);
    expect(config.database).toMatchObject({
      client: 'postgres',
      host: 'db.example',
      port: 5432,
      name: 'strapi',
      password: 'strapi',
      ssl: true,
      sslCa: '/ca.pem',
      sslRejectUnauthorized: true,
    });
    expect(JSON.stringify([config.strapiFindings.filter(({ path }) => path.endsWith('password')), config.projectSettings])).not.toContain(
      '"\\"strapi\\""',
    );
  });
});

describe('honoured', () => {
  const cases: readonly (readonly [it: string, files: Files, gives: Readonly<Record<string, unknown>>, env?: Record<string, string>])[] = [
    ['no maxLimit: no limit', api(''), { 'api.maxLimit': 'none', 'api.defaultLimit': 25 }],
    ['a negative defaultLimit: all', api('defaultLimit: -1, maxLimit: 5'), { 'api.maxLimit': 5, 'api.defaultLimit': 'none' }],
    ['defaultLimit is at most maxLimit', api('defaultLimit: 50, maxLimit: 5'), { 'api.maxLimit': 5, 'api.defaultLimit': 5 }],
    [
      'texts and withCount',
      api('defaultLimit: "7", maxLimit: 0, withCount: false'),
      { 'api.defaultLimit': 7, 'api.maxLimit': 'none', 'api.withCount': false },
    ],
    ['the prefix', api("prefix: '/v1/api'"), { 'api.prefix': '/v1/api' }],
    ['no prefix', api("prefix: ''"), { 'api.prefix': '' }],
    [
      'env/$NODE_ENV over config',
      { ...api('maxLimit: 5, defaultLimit: 3'), 'config/env/production/api.js': 'module.exports = { rest: { maxLimit: 7 } };' },
      { 'api.maxLimit': 7, 'api.defaultLimit': 3 },
      { NODE_ENV: 'production' },
    ],
    ['arithmetic', plugins('{ upload: { config: { sizeLimit: 25 * 1024 * 1024 } } }'), { 'upload.sizeLimit': 26_214_400 }],
    ['conditions', api("maxLimit: process.env.NODE_ENV === 'production' ? 50 : 500"), { 'api.maxLimit': 500 }],
    [
      'an early return',
      {
        'config/api.js': "module.exports = ({ env }) => { if (env('NODE_ENV') === 'test') return {}; return { rest: { maxLimit: 5 } }; };",
      },
      { 'api.maxLimit': 5 },
    ],
    [
      'tokens',
      users("jwt: { expiresIn: '7d' }, sessions: { accessTokenLifespan: 60 }"),
      { 'auth.tokenLifespan': 604_800, 'auth.accessTokenLifespan': 60 },
    ],
    ['registration', users("register: { allowedFields: ['nickname'] }"), { 'auth.registerFields': ['nickname'] }],
    ['attempts', users('ratelimit: { interval: { min: 5 }, max: 3 }'), { 'auth.attempts': 3, 'auth.attemptsWindow': 300 }],
    ['a secret', users("jwtSecret: env('OTHER')"), { 'secrets.jwtSecret': 'of the project' }, { JWT_SECRET: '', OTHER: 'of the project' }],
    [
      'origins, with credentials',
      middlewares("{ name: 'strapi::cors', config: { origin: env.array('ORIGINS'), headers: ['Content-Type', 'X-Tenant'] } }"),
      {
        'cors.origins': ['https://a.example', 'https://b.example'],
        'cors.credentials': true,
        'cors.headers': ['Content-Type', 'X-Tenant'],
      },
      { ORIGINS: 'https://a.example, https://b.example' },
    ],
    [
      'any origin, never with credentials',
      middlewares("{ name: 'strapi::cors', config: { origin: '*', credentials: true } }"),
      { 'cors.origins': ['*'], 'cors.credentials': false },
    ],
    [
      'bodies',
      middlewares("{ name: 'strapi::body', config: { jsonLimit: '10mb', formidable: { maxFileSize: 300 * 1024 } } }"),
      { 'limits.bodyBytes': 10_485_760, 'upload.requestLimit': 307_200 },
    ],
    [
      'a bucket',
      plugins(`{ upload: { config: { provider: 'aws-s3', providerOptions: { baseUrl: env('CDN') + '/', rootPath: 'media/',
        s3Options: { credentials: { accessKeyId: env('KEY'), secretAccessKey: env('SECRET') }, region: env('REGION', 'eu-west-1'), params: { Bucket: 'files', ACL: 'public-read' } } } } } }`),
      {
        'upload.provider': 's3',
        's3.bucket': 'files',
        's3.region': 'eu-west-1',
        's3.baseUrl': 'https://cdn.example',
        's3.prefix': 'media',
        's3.private': false,
        'secrets.s3AccessKeyId': 'id',
        'secrets.s3SecretAccessKey': 'secret of the bucket',
      },
      { CDN: 'https://cdn.example', KEY: 'id', SECRET: 'secret of the bucket' },
    ],
    [
      'mails',
      plugins(
        "{ email: { config: { provider: 'nodemailer', providerOptions: { host: 'smtp.example', port: env('P', '465'), secure: true, auth: { user: 'u', pass: 'p' } } } } }",
      ),
      { 'mail.host': 'smtp.example', 'mail.port': 465, 'mail.secure': true, 'mail.username': 'u', 'mail.password': 'p' },
    ],
    ['our own values win', { ...api('maxLimit: 5'), 'lectern.config.json': '{ "api": { "maxLimit": 9 } }' }, { 'api.maxLimit': 9 }],
  ];
  it.each(cases.map(([it, files, gives, environment]) => ({ it, files, gives, environment })))('$it', ({ files, gives, environment }) => {
    const { config, warnings } = loadGood(files, environment);
    expect(Object.fromEntries(Object.keys(gives).map((path) => [path, valueAt(config, path)]))).toEqual(gives);
    expect(warnings).toEqual([]);
    expect(JSON.stringify([config.strapiFindings, config.projectSettings])).not.toMatch(/of the project|secret of the bucket/);
  });
});

describe('not honoured', () => {
  const cases: readonly (readonly [it: string, files: Files, warns: readonly string[], finding: object, env?: Record<string, string>])[] = [
    [
      'a computed value',
      api('maxLimit: limits().most'),
      ["config/api.js: rest.maxLimit is not a plain value; Lectern's default of api.maxLimit applies"],
      { file: 'config/api.js', line: 1, path: 'rest.maxLimit', outcome: 'computed', setting: 'api.maxLimit' },
    ],
    [
      'a value that code changes',
      { 'config/api.js': 'let most = 5;\nif (process.env.MORE) most = 50;\nmodule.exports = { rest: { maxLimit: most } };' },
      ["config/api.js: rest.maxLimit is not a plain value; Lectern's default of api.maxLimit applies"],
      { line: 3, path: 'rest.maxLimit', outcome: 'computed' },
    ],
    [
      'an unknown condition',
      {
        'config/api.js':
          "const { rest } = require('./x');\nmodule.exports = () => {\n  if (rest) return {};\n  return { rest: { maxLimit: 5 } }; };",
      },
      [expect.stringContaining('config/api.js cannot be read; the defaults of')],
      { line: 3, path: '', outcome: 'computed' },
    ],
    [
      'a computed part, once',
      { 'config/api.js': 'const rest = require("./rest");\nmodule.exports = {\n  rest };' },
      [
        'config/api.js: rest is not a plain value; the defaults of api.prefix, api.defaultLimit, api.maxLimit, api.withCount, api.strictParams apply',
      ],
      { line: 3, path: 'rest', outcome: 'computed' },
    ],
    [
      'a computed origin',
      middlewares("{ name: 'strapi::cors', config: { origin: (ctx) => ctx.x } }"),
      ["config/middlewares.js: strapi::cors.config.origin is not a plain value; Lectern's default of cors.origins applies"],
      { path: 'strapi::cors.config.origin', outcome: 'computed' },
    ],
    [
      'a provider that we do not have',
      plugins("{ upload: { config: { provider: 'cloudinary', providerOptions: { api_secret: 'hidden' } } } }"),
      ['config/plugins.js: upload.config.provider is "cloudinary", but must be local or s3. Lectern\'s default of upload.provider applies'],
      { path: 'upload.config.provider', outcome: 'notHonoured', setting: 'upload.provider' },
    ],
    [
      'a variable of the template that Strapi does not read',
      { 'config/server.js': 'module.exports = { port: 1400 };' },
      ['PORT wins over config/server.js: port, which has another value and is what Strapi uses. Remove one of them'],
      { path: 'port', outcome: 'notHonoured', value: '1400', note: 'PORT wins' },
      { PORT: '1500' },
    ],
    [
      'a plugin',
      plugins('{ graphql: { enabled: true } }'),
      [],
      { path: 'graphql', outcome: 'notHonoured', note: 'Lectern has no GraphQL' },
    ],
    ['an unknown key', { 'config/server.js': 'module.exports = { proxy: { koa: true } };' }, [], { path: 'proxy', outcome: 'notHonoured' }],
  ];
  it.each(cases.map(([it, files, warns, finding, environment]) => ({ it, files, warns, finding, environment })))(
    '$it',
    ({ files, warns, finding, environment }) => {
      const { config, warnings } = loadGood(files, environment);
      expect(warnings).toEqual(warns);
      expect(config.strapiFindings).toEqual(expect.arrayContaining([expect.objectContaining(finding)]));
      expect(JSON.stringify(config.strapiFindings)).not.toContain('hidden');
    },
  );
});

it('names that multiply a text end soon', () => {
  const names = Array.from({ length: 40 }, (_, index) => `const a${index + 1} = a${index} + a${index};`).join('\n');
  const { config } = loadGood({
    'config/api.js': `const a0 = '${'x'.repeat(10_000)}';\n${names}\nmodule.exports = { rest: { maxLimit: a40.length } };`,
  });
  expect(config.strapiFindings).toMatchObject([{ path: 'rest.maxLimit', outcome: 'computed' }]);
});

describe('refused at the start', () => {
  it.each([
    ['a prefix with a slash at the end', api("prefix: '/v1/'"), 'config/api.js: rest.prefix is "/v1/", but must be a path such as /api'],
    ['a prefix without a slash', api("prefix: 'v1'"), 'config/api.js: rest.prefix is "v1", but must be'],
    ['a slash alone', api("prefix: '/'"), 'or an empty text'],
    [
      'another database',
      { 'config/database.js': "module.exports = { connection: { client: 'oracle' } };" },
      'config/database.js: connection.client is "oracle", but must be',
    ],
  ])('%s', (_, files, says) => {
    expect(load(files)).toMatchObject({ ok: false, errors: [expect.stringContaining(says)] });
  });
});
