/** PostgreSQL with failover: the primary is killed during writes, and a standby takes over. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import { engines } from '../../support/engines.ts';
import { freePort } from '../../support/free-port.ts';
import type { HttpResponse } from '../../support/http.ts';
import { isLong } from '../../support/long.ts';
import { hasPostgresPrograms } from '../../support/own-postgres.ts';
import { rowsOf, startPostgresCluster } from '../../support/postgres-cluster.ts';
import { startRelay } from '../../support/relay.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { type Served, useProject } from '../../support/served-project.ts';
import { type RunningServer, run, serverOfTest } from '../../support/server.ts';
import { useMade } from '../../support/use-made.ts';

if (!hasPostgresPrograms) console.log(' NOT tested: failover of PostgreSQL (initdb is not installed here)');

const replicaOf = ({ headers }: HttpResponse) => /replica;desc="(\d+)"/.exec(String(headers['server-timing']))?.[1];
const until = (holds: () => Promise<boolean>) => vi.waitUntil(holds, { timeout: 30_000, interval: 50 });
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe.runIf(engines.includes('postgres') && hasPostgresPrograms)('PostgreSQL with failover', () => {
  const cluster = useMade(() => startPostgresCluster());
  const served: Served = useProject('postgres', {
    files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
    types: [],
    public: ['api::note.note.find', 'api::note.note.findOne'],
    database: () => cluster().url(),
  });
  let asked = 0;
  const list = () => `/api/notes?filters[title][$ne]=${asked++}`;
  const titlesIn = async (server: { readonly url: string }) =>
    (await rowsOf(server, 'SELECT title FROM notes')).map(([title]) => String(title));

  /** Writes on eight connections until it is stopped. */
  function storm(name: string) {
    const state = { isDone: false, acknowledged: [] as string[], lastAt: 0, refused: [] as HttpResponse[] };
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let round = 0; !state.isDone; round++) {
        const title = `${name} ${writer} ${round}`;
        const response = await served.ask('full', 'POST', '/api/notes', { title });
        if (response.status === 201) {
          state.acknowledged.push(title);
          state.lastAt = performance.now();
        } else {
          state.refused.push(response);
          await pause(50);
        }
        await pause(10);
      }
    });
    const stop = async () => {
      state.isDone = true;
      await Promise.all(writers);
    };
    return { state, stop };
  }

  const times: number[] = [];
  afterAll(() => console.log(` writes returned ${times.join(', ')} ms after the promotion`));
  it.each(Array.from({ length: isLong ? 5 : 1 }, (_, round) => round + 1))(
    'writes succeed again within five seconds, and no acknowledged one is lost (%i)',
    async (round) => {
      const { state, stop } = storm(`storm ${round}`);
      await until(async () => state.acknowledged.length > 50);
      const { former, promotedAt } = await cluster().failOver();
      const count = state.acknowledged.length;
      await until(async () => state.acknowledged.length > count);
      times.push(Math.round(state.lastAt - promotedAt));
      await until(async () => state.acknowledged.length > count + 50);
      await stop();
      expect(times.at(-1)).toBeLessThan(5000);
      const stored = new Set(await titlesIn(cluster().primary));
      expect(state.acknowledged.filter((title) => !stored.has(title))).toEqual([]);
      expect(state.refused.length).toBeGreaterThan(0);
      for (const { status, headers } of state.refused) expect([status, headers['retry-after']]).toEqual([503, expect.any(String)]);

      // A former primary that comes back as it was is left alone while the new one can be used.
      former.start();
      const before = (await titlesIn(former)).length;
      for (let write = 0; write < 5; write++) await served.write('POST', '/api/notes', { title: `after ${round} ${write}` });
      expect((await titlesIn(former)).length).toBe(before);
      former.stop('immediate');
      cluster().rejoin(former);
    },
    60_000,
  );

  const environment = (url: string) => ({ ...served.environment, DATABASE_URL: url });
  const writes = async (server: RunningServer) => {
    const title = `by ${server.port}`;
    const headers = served.authorization('full');
    const { status } = await server.send({ method: 'POST', path: '/api/notes', headers, body: { data: { title } } });
    return [status, (await titlesIn(cluster().primary)).includes(title)];
  };

  it('a standby as the first host is passed over', async () => {
    const server = await serverOfTest(served.project.dir, environment(cluster().url(cluster().standbys)));
    expect(await writes(server)).toEqual([201, true]);
  });

  it('a primary that becomes read-only is left for one that can be written to', async () => {
    const { primary } = cluster();
    const readOnly = await startRelay({ host: '127.0.0.1', port: Number(new URL(primary.url).port) });
    const name = `postgres://postgres@127.0.0.1:${readOnly.port},${new URL(primary.url).host}/postgres`;
    const server = await serverOfTest(served.project.dir, environment(name));
    await rowsOf(primary, 'ALTER SYSTEM SET default_transaction_read_only = on');
    await rowsOf(primary, 'SELECT pg_reload_conf()');
    await until(async () => (await writes(server))[0] === 503);
    expect((await server.get(list())).status).not.toBe(500);
    await rowsOf(primary, 'ALTER SYSTEM RESET default_transaction_read_only');
    await rowsOf(primary, 'SELECT pg_reload_conf()');
    await until(async () => (await writes(server))[0] === 201);
    await readOnly.close();
  });

  it('a commit that no standby confirms is not acknowledged', async () => {
    const server = await serverOfTest(served.project.dir, { ...served.environment, LECTERN_LIMITS_STATEMENT_TIME: '1000' });
    expect(await writes(server)).toEqual([201, true]);
    for (const standby of cluster().standbys) standby.stop('immediate');
    expect((await writes(server))[0]).not.toBe(201);
    for (const standby of cluster().standbys) standby.start();
    await until(async () => (await writes(server))[0] === 201);
  });

  it.each([
    ['standby', 'target_session_attrs in DATABASE_URL must be one of read-write, primary, any, but it is "standby"'],
    ['any', undefined],
  ])('target_session_attrs=%s', async (value, problem) => {
    const { status, stdout, stderr } = await run(
      ['check', '--dir', served.project.dir],
      environment(`${cluster().url()}?target_session_attrs=${value}`),
    );
    expect(status).toBe(problem === undefined ? 0 : 1);
    if (problem !== undefined) expect(stdout + stderr).toContain(problem);
  });

  it('if no host can be used, a message names each one, without a password', async () => {
    const hosts = [`127.0.0.1:${await freePort()}`, ...cluster().standbys.map(({ url }) => new URL(url).host)];
    const url = `postgres://postgres:geheim@${hosts.join(',')}/postgres`;
    const { status, stderr } = await run(['start', '--dir', served.project.dir, '--port', '0'], environment(url));
    expect(status).toBe(1);
    expect(stderr).toContain(`No host in DATABASE_URL can be used: ${hosts[0]}: connect ECONNREFUSED`);
    for (const host of hosts.slice(1)) expect(stderr).toContain(`${host}: it cannot be written to`);
    expect(stderr).not.toContain('geheim');
  });

  it('a standby that may be used is served from, with warnings', async () => {
    const [standby] = cluster().standbys;
    const token = 'a-management-token-of-a-test-of-standbys';
    const own = { ...environment(standby?.url ?? ''), LECTERN_MANAGEMENT_TOKEN: token };
    const problem = 'the database is a standby or read-only: writes get 503';
    const server = await serverOfTest(served.project.dir, own);
    expect(server.output.stderr).toContain(`Warning: ${problem}\n`);
    expect(await writes(server)).toEqual([503, false]);
    const { status, text } = await server.get('/_ready', { authorization: `Bearer ${token}` });
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      { status: 'degraded', checks: { database: { status: 'ok' }, writes: { status: 'failed', problem } } },
    ]);
    const checked = await run(['check', '--dir', served.project.dir], own);
    expect([checked.status, checked.stderr]).toEqual([0, expect.stringContaining(`Warning: ${problem}\n`)]);
    const ready = JSON.parse((await served.server.get('/_ready')).text);
    expect(ready).toEqual({ status: 'ready' });
  });

  it('with the promotion of a replica, positions are void, and what was cached is read again', async () => {
    const [one, other] = cluster().standbys;
    const replicas = `${one?.url},${other?.url}`;
    const server = await serverOfTest(served.project.dir, {
      ...served.environment,
      DATABASE_REPLICA_URLS: replicas,
      LECTERN_DATABASE_REPLICA_LAG: '5000',
    });
    const headers = served.authorization('full');
    const write = async () => {
      const response = await server.send({ method: 'POST', path: '/api/notes', headers, body: { data: { title: 'position' } } });
      return { 'X-Lectern-Position': String(response.headers['x-lectern-position']) };
    };
    const position = await write();
    await until(async () => replicaOf(await server.get(list(), position)) !== undefined);
    const cached = '/api/notes?sort=id:desc&pagination[pageSize]=1&fields=title';
    const last = async () => ((await served.server.get(cached)).json() as { data?: { title: string }[] }).data?.[0]?.title;
    expect(await last()).toBe('position');

    await cluster().failOver();
    await until(async () => (await served.ask('full', 'POST', '/api/notes', { title: 'after' })).status === 201);
    await rowsOf(cluster().primary, "UPDATE notes SET title = 'changed' WHERE title = 'after'");
    expect(await last()).toBe('changed');

    // The other standby follows, and serves, but not callers that have written before the promotion.
    await until(async () => {
      const later = await write();
      await pause(200);
      return replicaOf(await server.get(list(), later)) !== undefined;
    });
    expect(replicaOf(await server.get(list()))).not.toBeUndefined();
    expect(replicaOf(await server.get(list(), position))).toBeUndefined();
  });
});
