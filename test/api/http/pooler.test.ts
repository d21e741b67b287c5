/** PgBouncer in transaction mode between Lectern and PostgreSQL: every transaction runs in another session of the server. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { hasPgbouncer, type Pooler, startPooler } from '../../support/pooler.ts';
import { rowsOf } from '../../support/postgres-cluster.ts';
import { makeProject, type Project } from '../../support/project.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { type Environment, run, startServer } from '../../support/server.ts';

if (!hasPgbouncer) console.log(' NOT tested: a connection pooler (pgbouncer is not installed here)');
const permissions = { 'permissions.json': { roles: { public: { rights: { note: ['find', 'create'] } } } } };
const files = { ...schemaFiles({ note: { attributes: { title: { type: 'string' }, size: { type: 'integer' } } } }), ...permissions };

const titlesOf = (response: HttpResponse) => (response.json() as { data?: { title: string }[] }).data?.map(({ title }) => title);

describe.runIf(engines.includes('postgres') && hasPgbouncer)('PgBouncer', () => {
  let project: Project;
  let pooler: Pooler;
  let env: Environment;
  beforeAll(async () => {
    project = await makeProject('postgres', files);
    const url = new URL(project.database.url ?? '');
    pooler = await startPooler(url.href, ['default_pool_size = 3', 'server_round_robin = 1']);
    url.host = pooler.host;
    env = { DATABASE_CLIENT: 'postgres', DATABASE_URL: url.href };
  });
  afterAll(async () => {
    await pooler?.close();
    await project?.remove();
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

  it('is found by `lectern check --database`, with what does not work through it', async () => {
    const { status, stdout } = await run(['check', '--dir', project.dir, '--database', env.DATABASE_URL ?? '']);
    expect(status).toBe(0);
    expect(stdout).toContain('A connection pooler stands in between');
    const less = stdout.split('\n').filter((line) => line.startsWith('  falls back'));
    for (const name of ['statement_timeout', 'pg_cancel_backend', 'pg_try_advisory_lock']) expect(less.join('\n')).toContain(`(${name}`);
    expect(less.join('\n')).toContain('there is no limit, as behind a connection pooler that ignores options');
  });

  it("is found with the role's limit for statements", async () => {
    const { database } = project;
    const name = new URL(database.url ?? '').pathname.slice(1);
    await rowsOf({ url: database.url ?? '' }, `ALTER DATABASE ${name} SET statement_timeout = '10s'`);
    const other = await startPooler(database.url ?? '');
    const url = new URL(database.url ?? '');
    url.host = other.host;
    const { stdout } = await run(['check', '--dir', project.dir, '--database', url.href]);
    await other.close();
    await rowsOf({ url: database.url ?? '' }, `ALTER DATABASE ${name} RESET statement_timeout`);
    expect(stdout).toContain("the role's limit of 10s counts instead of limits.statementTime");
  });
});
