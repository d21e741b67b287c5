/** A Strapi project has Strapi's defaults, or the settings of its own `config/`: api-prefix.test.ts, and src/config/strapi-settings.test.ts. */
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../../support/engines.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { run } from '../../support/server.ts';

const schemas = schemaFiles({ note: { attributes: { title: { type: 'string' } } } });
const strapi = { 'package.json': { dependencies: { '@strapi/strapi': '5.54.0' } } };
const user = { username: 'anna', email: 'anna@example.org', password: 'Secret-anna-1', role: 'authenticated' };

describe.each(anyEngine)('%s', (engine) => {
  const silent = useProject(engine, {
    public: ['api::note.note.find', 'plugin::users-permissions.auth.callback'],
    users: [user],
    env: { JWT_SECRET: 'a-secret-for-tests' },
    files: { ...schemas, ...strapi },
  });

  it('where the project says nothing, parameters are lenient and a user gets one token; the line at the start says why', async () => {
    expect((await silent.ask('public', 'GET', '/api/notes?zzz=1')).status).toBe(200);
    const body = { identifier: user.email, password: user.password };
    const response = await silent.send('public', { method: 'POST', path: '/api/auth/local', body });
    expect([response.status, response.headers['set-cookie']]).toEqual([200, undefined]);
    expect(silent.server.output.stdout).toContain(
      "(profile strapi: package.json depends on @strapi/strapi; host 127.0.0.1 (--host); api.maxLimit none (Strapi's default); api.strictParams false (Strapi's default); api.strictDocumentParams false (Strapi's default); api.strictRelations false (Strapi's default); auth.jwtManagement legacy-support (Strapi's default); auth.httpOnly false (Strapi's default)",
    );
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
