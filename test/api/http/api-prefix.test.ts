/** The API at another path, as a Strapi project's `rest.prefix` or `api.prefix` says. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userSchema } from '../../support/accounts.ts';
import { anyEngine } from '../../support/engines.ts';
import { listen } from '../../support/listen.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { seedNumbered } from '../../support/seeds.ts';
import { useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

const schemas = schemaFiles({ note: { attributes: { title: { type: 'string' } } } });
const strapi = { 'package.json': { dependencies: { '@strapi/strapi': '5.54.0' } } };
const manager = 'a-token-for-the-management-of-tests';

const notes = (count: number) => [{ type: 'api::note.note', documents: seedNumbered(count, (index) => ({ title: `note ${index}` })) }];

describe.each(anyEngine)('%s', (engine) => {
  /** All that the begin of a sign-in asks of a provider. */
  const provider = createServer((_, response) => {
    const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` };
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ issuer, ...endpoints }));
  });
  let issuer = '';
  beforeAll(async () => {
    issuer = `http://127.0.0.1:${await listen(provider)}`;
  });
  afterAll(() => void provider.close());
  const app = 'https://site.example/signed-in';
  const moved = useProject(engine, {
    files: {
      ...schemas,
      ...strapi,
      'config/api.js': `module.exports = { rest: { prefix: '/v1/api', maxLimit: 2, defaultLimit: 1 }, responses: { privateAttributes: ['createdAt'] } };`,
      'config/server.js': `module.exports = { url: 'https://cms.example/content/' };`,
      'config/plugins.js': `module.exports = { 'users-permissions': { config: { register: { allowedFields: ['nickname'] }, ratelimit: { max: 2 } } } };`,
      'config/middlewares.js': `module.exports = [{ name: 'strapi::cors', config: { origin: ['https://site.example'], headers: ['X-Tenant'] } }];`,
      'src/extensions/users-permissions/content-types/user/schema.json': userSchema({ nickname: { type: 'string' } }),
    },
    types: notes(3),
    public: ['api::note.note.find', 'plugin::users-permissions.auth.register', 'plugin::users-permissions.auth.connect'],
    env: () => ({
      LECTERN_AUTH_PROVIDERS: JSON.stringify({ company: { issuer, clientId: 'client-0', callbacks: [app] } }),
      LECTERN_AUTH_PROVIDERS_COMPANY_CLIENT_SECRET: 'a-secret-of-tests',
      JWT_SECRET: 'a-secret-for-tests',
      LECTERN_MANAGEMENT_TOKEN: manager,
      LECTERN_AUTH_EMAIL_CONFIRMATION: 'true',
      LECTERN_POLICIES_PLAIN_MESSAGES: 'true',
    }),
  });

  it.each([
    ['/v1/api/notes', 200],
    ['/V1/API/notes/', 200],
    ['/v1/api/notes?sort=title', 200],
    ['/v1/api/openapi.json', 200],
    ['/api/notes', 404],
    ['/notes', 404],
    ['/v1/apinotes', 404],
    ['/content/v1/api/notes', 404],
    ['/api/_manage/tokens', 404],
  ])('%s: %i', async (path, status) => {
    // Twice: the second response may come from the cache.
    for (const _ of [1, 2]) expect((await moved.ask('public', 'GET', path)).status).toBe(status);
  });

  it('responses of the API vary, and 404 says where it is', async () => {
    expect((await moved.ask('public', 'GET', '/v1/api/notes')).headers.vary).toContain('Authorization');
    expect((await moved.ask('public', 'GET', '/api/notes')).text).toContain('/v1/api/articles');
    expect((await moved.ask('public', 'DELETE', '/v1/api/notes')).headers.allow).toBe('HEAD, GET, POST, PATCH');
  });

  it('the limits of the project', async () => {
    for (const [query, length] of [
      ['', 1],
      ['?pagination[pageSize]=50', 2],
    ] as const)
      expect((await moved.ask('full', 'GET', `/v1/api/notes${query}`)).json()).toMatchObject({ data: { length } });
  });

  it('its private attributes are neither shown nor described', async () => {
    const entry = JSON.parse((await moved.ask('full', 'GET', '/v1/api/notes')).text).data[0];
    expect(Object.keys(entry)).toEqual(['id', 'documentId', 'title', 'updatedAt', 'publishedAt']);
    expect((await moved.ask('full', 'GET', '/v1/api/notes?filters[createdAt][$notNull]=true')).status).not.toBe(200);
    const document = JSON.parse((await moved.ask('full', 'GET', '/v1/api/openapi.json')).text);
    expect(Object.keys(document.components.schemas.Note.properties)).not.toContain('createdAt');
  });

  it('the management API moves as well, and is not for other origins', async () => {
    const authorization = { Authorization: `Bearer ${manager}`, Origin: 'https://site.example' };
    const response = await moved.ask('public', 'GET', '/v1/api/_manage/tokens', undefined, authorization);
    expect(response.status).toBe(200);
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('descriptions, pages and commands name it', async () => {
    const document = JSON.parse((await moved.ask('public', 'GET', '/v1/api/openapi.json')).text);
    expect(Object.keys(document.paths)).toContain('/v1/api/notes');
    expect(document.servers).toEqual([expect.objectContaining({ url: 'https://cms.example/content' })]);
    expect(JSON.parse((await moved.ask('public', 'GET', '/explore/types')).text)).toMatchObject({
      prefix: '/v1/api',
      roots: [{ path: '/v1/api/notes' }],
    });
    expect((await moved.ask('public', 'GET', '/docs')).text).toContain('<html data-api-prefix="/v1/api"');
    expect((await moved.ask('public', 'GET', '/')).text).toContain('href="/v1/api/notes"');
    expect((await moved.ask('public', 'GET', '/robots.txt')).text).toContain('Disallow: /v1/api/');
    const { stdout } = await run(['routes', '--dir', moved.project.dir], moved.project.env);
    expect(stdout).toContain('/v1/api/notes');
    expect(stdout).not.toMatch(/ \/api\//);
  });

  it('registers with the attributes of the project; the link in the mail has the path of the URL, then the prefix', async () => {
    const user = { username: 'anna', email: 'anna@example.org', password: 'Secret-anna-1' };
    const register = (more: object) =>
      moved.send('public', { method: 'POST', path: '/v1/api/auth/local/register', body: { ...user, ...more } });
    expect((await register({ confirmed: true })).status).toBe(400);
    const response = await register({ nickname: 'An' });
    expect({ status: response.status, user: JSON.parse(response.text).user }).toMatchObject({
      status: 200,
      user: { nickname: 'An', confirmed: false },
    });
    await expect
      .poll(() => moved.server.output.stderr + moved.server.output.stdout)
      .toContain('https://cms.example/content/v1/api/auth/email-confirmation?confirmation=');
    // `ratelimit.max` counts all calls for one e-mail address.
    expect((await register({})).status).toBe(429);
  });

  it('providers send users back to the path of the URL, then the prefix', async () => {
    const query = new URLSearchParams({ callback: app, code_challenge: 'a'.repeat(43) });
    const { status, headers } = await moved.ask('public', 'GET', `/v1/api/connect/company?${query}`);
    expect(status).toBe(302);
    expect(new URL(String(headers.location)).searchParams.get('redirect_uri')).toBe(
      'https://cms.example/content/v1/api/connect/company/callback',
    );
  });

  it('preflights allow the headers of the project, with credentials', async () => {
    const headers = { Origin: 'https://site.example', 'Access-Control-Request-Method': 'GET' };
    const response = await moved.ask('public', 'OPTIONS', '/v1/api/notes', undefined, headers);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': 'https://site.example',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': expect.stringContaining('X-Tenant'),
    });
  });

  const root = useProject(engine, {
    files: { ...schemas, ...strapi, 'config/api.js': `module.exports = { rest: { prefix: '' } };` },
    types: notes(101),
    public: ['api::note.note.find'],
  });

  it.each([
    ['/notes', 200],
    ['/openapi.json', 200],
    ['/explore', 200],
    ['/api/notes', 404],
    ['/_health', 204],
  ])('without a prefix, %s: %i', async (path, status) => {
    expect((await root.ask('public', 'GET', path)).status).toBe(status);
  });

  it('without maxLimit, a page has any size, as in Strapi', async () => {
    const response = await root.ask('public', 'GET', '/notes?pagination[pageSize]=500');
    expect(JSON.parse(response.text)).toMatchObject({
      data: { length: 101 },
      meta: { pagination: { pageSize: 500, pageCount: 1, total: 101 } },
    });
  });
});
