/** PgBouncer in transaction mode between Lectern and PostgreSQL: every transaction runs in another session of the server. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import { freePort } from '../../support/free-port.ts';
import type { HttpResponse } from '../../support/http.ts';
import { makeProject, type Project } from '../../support/project.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { type Environment, run, startServer } from '../../support/server.ts';

const pgbouncer = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) => existsSync(path));
if (pgbouncer === undefined) console.log(' NOT tested: a connection pooler (pgbouncer is not installed here)');
/** PgBouncer refuses to run as root. */
const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
const permissions = { 'permissions.json': { roles: { public: { rights: { note: ['find', 'create'] } } } } };
const files = { ...schemaFiles({ note: { attributes: { title: { type: 'string' }, size: { type: 'integer' } } } }), ...permissions };

const titlesOf = (response: HttpResponse) => (response.json() as { data?: { title: string }[] }).data?.map(({ title }) => title);

describe.runIf(engines.includes('postgres') && pgbouncer !== undefined)('PgBouncer', () => {
  let project: Project;
  let folder: string;
  let pooler: ChildProcess;
  let env: Environment;
  beforeAll(async () => {
    project = await makeProject('postgres', files);
    folder = mkdtempSync(join(tmpdir(), 'lectern-test-'));
    const port = await freePort();
    const url = new URL(project.database.url ?? '');
    const name = url.pathname.slice(1);
    const password = url.password === '' ? '' : ` password=${url.password}`;
    const settings = [
      `[databases]\n${name} = host=${url.hostname} port=${url.port} user=${url.username}${password}`,
      `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = transaction`,
      'default_pool_size = 3\nserver_round_robin = 1\nignore_startup_parameters = extra_float_digits, options\n',
    ];
    const file = join(folder, 'pgbouncer.ini');
    writeFileSync(file, settings.join('\n'));
    spawnSync('chmod', ['-R', 'a+rX', folder]);
    pooler = spawn(pgbouncer ?? '', ['-q', ...user, file], { stdio: 'ignore' });
    url.port = String(port);
    env = { DATABASE_CLIENT: 'postgres', DATABASE_URL: url.href, LECTERN_DATABASE_START_WAIT: '20000' };
  });
  afterAll(async () => {
    pooler?.kill();
    await project?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('statements that were prepared in another session are not run: every response is right, and a warning says what to set', async () => {
    const server = await startServer(project.dir, { ...env, LECTERN_CACHE_BYTES: '0' });
    const sizes = Array.from({ length: 12 }, (_, size) => size);
    for (const size of sizes) {
      expect((await server.send({ method: 'POST', path: '/api/notes', body: { data: { title: `note ${size}`, size } } })).status).toBe(201);
    }
    // Each filter has its own statement, which is prepared after a few uses.
    const forms = ['filters[size][$eq]', 'filters[size][$gte]=0&filters[size][$in][0]', 'filters[$and][0][size][$eq]'];
    for (let round = 0; round < 6; round++) {
      const asked = sizes.map((size) => ({ size, path: `/api/notes?${forms[(size + round) % forms.length]}=${size}` }));
      const responses = await Promise.all(asked.map(({ path }) => server.get(path)));
      expect(responses.map(titlesOf)).toEqual(sizes.map((size) => [`note ${size}`]));
    }
    await server.stop();
    expect(server.output.stderr + server.output.stdout).toContain('set database.preparedStatements to false');
  });

  it('a schema that the pooler ignores: a clear message, and no table is made in another schema', async () => {
    const { status, stderr } = await run(['check', '--dir', project.dir], { ...env, DATABASE_SCHEMA: 'site' });
    expect(status).toBe(1);
    expect(stderr).toContain('The connection pooler ignores DATABASE_SCHEMA');
  });
});
