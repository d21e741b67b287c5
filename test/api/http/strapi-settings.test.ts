/** A Strapi project has the settings of its own `config/`, or Strapi's defaults. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

const schemas = schemaFiles({ note: { attributes: { title: { type: 'string' } } } });
const strapi = { 'package.json': { dependencies: { '@strapi/strapi': '5.54.0' } } };
const user = { username: 'anna', email: 'anna@example.org', password: 'Secret-anna-1', role: 'authenticated' };
const env = { JWT_SECRET: 'a-secret-for-tests' };
const sitting = {
  'config/api.ts': `import type { Core } from '@strapi/strapi';\nconst config: Core.Config.Api = { rest: { defaultLimit: 25, strictParams: true }, documents: {} };\nexport default config;\n`,
  'config/plugins.ts': `export default ({ env }: any) => ({ 'users-permissions': { config: { jwtManagement: env('JWT_MANAGEMENT', 'refresh'), sessions: { httpOnly: true } } } });\n`,
};

describe.each(anyEngine)('%s', (engine) => {
  const options = { public: ['api::note.note.find', 'plugin::users-permissions.auth.callback'], users: [user], env };
  const silent = useProject(engine, { ...options, files: { ...schemas, ...strapi } });
  const said = useProject(engine, { ...options, files: { ...schemas, ...strapi, ...sitting } });
  const own = useProject(engine, { ...options, files: { ...schemas, ...sitting } });
  const login = { method: 'POST', path: '/api/auth/local', body: { identifier: user.email, password: user.password } };

  it.each([
    ['lenient where nothing is said', silent, 200],
    ['strict where config/api says so', said, 400],
    ['strict where there is no Strapi', own, 400],
  ])('unknown parameters: %s', async (_, served, status) => {
    expect((await served.ask('public', 'GET', '/api/notes?zzz=1')).status).toBe(status);
  });

  it.each([
    ['one token where nothing is said', silent, false],
    ['refresh tokens where config/plugins says so', said, true],
    ['refresh tokens where there is no Strapi', own, true],
  ])('signing in: %s', async (_, served, refreshes) => {
    const response = await served.send('public', login);
    expect(response.status, response.text).toBe(200);
    expect(response.headers['set-cookie'] !== undefined).toBe(refreshes);
  });

  it('the line at the start says which, and why', () => {
    expect(silent.server.output.stdout).toContain(
      "(profile strapi: package.json depends on @strapi/strapi; api.maxLimit none (Strapi's default); api.strictParams false (Strapi's default); api.strictRelations false (Strapi's default); auth.jwtManagement legacy-support (Strapi's default); auth.httpOnly false (Strapi's default))",
    );
    expect(said.server.output.stdout).toContain('strictParams true (config/api.ts: rest.strictParams)');
    expect(said.server.output.stdout).toContain('jwtManagement refresh (config/plugins.ts: users-permissions.config.jwtManagement)');
    expect(own.server.output.stdout).toContain('(profile specification: the default)');
  });

  const computed = useProject(engine, {
    files: {
      ...schemas,
      ...strapi,
      'config/api.ts': `import { strict } from './strict';\nexport default { rest: { strictParams: strict() } };\n`,
    },
  });
  it('a value that is computed is warned of, and Strapi’s default holds', async () => {
    expect(computed.server.output.stderr).toContain('config/api.ts: rest.strictParams is not a plain value');
    expect(computed.server.output.stdout).toContain("strictParams false (Strapi's default)");
    const { status, stdout } = await run(['check', '--dir', computed.project.dir], computed.project.env);
    expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining("strictParams false (Strapi's default)") });
  });
});
