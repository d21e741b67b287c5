/** An engine that speaks PostgreSQL's protocol and is none: played by functions that `search_path` finds before those of PostgreSQL. */
import { describe, expect, it } from 'vitest';
import { inDisguise } from '../../support/disguised-postgres.ts';
import { versionedEngines } from '../../support/engines.ts';
import { projectOfTest } from '../../support/project.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { serverOfTest } from '../../support/server.ts';

const rights = { roles: { public: { rights: { note: ['find', 'findOne', 'create', 'update'] } } } };
const files = {
  ...schemaFiles({ note: { attributes: { title: { type: 'string', unique: true } } } }),
  'permissions.json': rights,
};

describe.runIf(versionedEngines.includes('postgres'))('an engine that speaks the protocol of PostgreSQL', () => {
  async function served(...functions: readonly (keyof typeof inDisguise)[]) {
    const project = await projectOfTest('postgres', files);
    for (const each of functions) await inDisguise[each](project.database.url ?? '');
    const server = await serverOfTest(project.dir, { ...project.env, LECTERN_PERMISSIONS_APPLY: 'auto' });
    const create = (title: string) => server.send({ method: 'POST', path: '/api/notes', body: { data: { title } } });
    const statuses = [(await create('a')).status, (await create('a')).status];
    const cached: unknown[] = [];
    for (let times = 0; times < 3; times++) cached.push((await server.get('/api/notes')).headers['server-timing']);
    return { statuses, isCached: String(cached.at(-1)).includes('cache'), notices: server.output.stderr, cached };
  }

  it('is PostgreSQL: responses are cached by the version of the data', async () => {
    expect(await served()).toMatchObject({
      statuses: [201, 400],
      isCached: true,
      notices: expect.not.stringContaining('Nothing is cached'),
    });
  });

  it('of an unknown name is served, and nothing is cached by its version', async () => {
    expect(await served('version')).toMatchObject({
      statuses: [201, 400],
      isCached: false,
      notices: expect.stringContaining('(CockroachDB CCL v23.1.11: it is not known as PostgreSQL)'),
    });
  });

  it.each(['pg_current_snapshot', 'pg_current_xact_id_if_assigned'] as const)('without %s is served, and writes', async (name) => {
    expect(await served(name)).toMatchObject({
      statuses: [201, 400],
      isCached: false,
      notices: expect.stringContaining(`${name}() does not exist`),
    });
  });

  it('whose transactions are stricter by default stores a unique value once', async () => {
    const project = await projectOfTest('postgres', files);
    await inDisguise.repeatableRead(project.database.url ?? '');
    const env = { ...project.env, LECTERN_PERMISSIONS_APPLY: 'auto' };
    // One server does not run writes of the same value at once.
    const servers = [await serverOfTest(project.dir, env), await serverOfTest(project.dir, env)];
    for (let title = 0; title < 8; title++) {
      const create = (each: number) =>
        servers[each % 2]?.send({ method: 'POST', path: '/api/notes', body: { data: { title: `same ${title}` } } });
      const responses = await Promise.all(Array.from({ length: 8 }, (_, each) => create(each)));
      expect(responses.filter((response) => response?.status === 201)).toHaveLength(1);
    }
  });
});
