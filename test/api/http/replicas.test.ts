/** Read replicas: tests pause the replay of a real one, so that they know which writes it lacks. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { engines } from '../../support/engines.ts';
import type { HttpResponse } from '../../support/http.ts';
import { hasPostgresPrograms, startOwnPostgres, startReplica } from '../../support/own-postgres.ts';
import { type Relay, startRelay } from '../../support/relay.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { metricsUrlOf, scrape } from '../../support/scrape.ts';
import { dataOf, type Served, useProject } from '../../support/served-project.ts';
import { type RunningServer, run, startServer } from '../../support/server.ts';
import { useMade } from '../../support/use-made.ts';

if (!hasPostgresPrograms) console.log(' NOT tested: read replicas (initdb is not installed here)');

let asked = 0;
/** A new URL each time, so that no response comes from the cache. */
const list = () => `/api/notes?sort=title&fields=title&filters[title][$ne]=${asked++}`;

/** The number of the replica that has served a read; undefined for the primary. */
const replicaOf = ({ headers }: HttpResponse) => /replica;desc="(\d+)"/.exec(String(headers['server-timing']))?.[1];
const titlesOf = (response: HttpResponse) => (response.json() as { data: { title: string }[] }).data.map(({ title }) => title);

const until = (holds: () => Promise<boolean>, seconds = 12) => vi.waitUntil(holds, { timeout: seconds * 1000 });

async function onServer(url: string, text: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(text);
  await client.end();
}

describe.runIf(engines.includes('postgres') && hasPostgresPrograms)('read replicas', () => {
  const primary = useMade(() => startOwnPostgres());
  const replica = useMade(() => startReplica(primary()));
  /** With this bound on lag, the replica stays in use while replay is paused. */
  const served: Served = useProject('postgres', {
    files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
    types: [],
    public: ['api::note.note.find', 'api::note.note.findOne'],
    tokens: { reader: ['api::note.note.find'], other: ['api::note.note.find'] },
    env: () => ({ DATABASE_REPLICA_URLS: replica().url, LECTERN_DATABASE_REPLICA_LAG: '600000' }),
    database: () => primary().url,
  });
  const pause = () => onServer(replica().url, 'SELECT pg_wal_replay_pause()');
  const resume = () => onServer(replica().url, 'SELECT pg_wal_replay_resume()');
  const read = (headers: Readonly<Record<string, string>> = {}, who = 'public') => served.ask(who, 'GET', list(), undefined, headers);
  const untilServed = () => until(async () => replicaOf(await read()) === '1');

  it('are not reported as used again at the start', async () => {
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await onServer(primary().url, 'CREATE TABLE written (id integer); DROP TABLE written');
    })();
    const server = await served.beside({ LECTERN_LOG_LEVEL: 'info' });
    await until(async () => replicaOf(await server.get(list())) === '1');
    isOver = true;
    await writing;
    expect(server.output.stderr).not.toContain('used again');
  });

  it('serve lists and documents, and not accounts or files', async () => {
    const path = await served.make('/api/notes', { title: 'a' });
    await until(async () => titlesOf(await read()).length === 1);
    await untilServed();
    expect(replicaOf(await served.ask('public', 'GET', path))).toBe('1');
    for (const path of ['/api/users', '/api/upload/files', '/api/i18n/locales']) {
      const response = await served.ask('full', 'GET', path);
      expect([response.status, replicaOf(response)]).toEqual([200, undefined]);
    }
  });

  it('show a caller its own writes, and others what they have', async () => {
    await untilServed();
    await pause();
    const written = await served.ask('full', 'POST', '/api/notes', { title: 'b' });
    const [cookie = ''] = written.headers['set-cookie'] ?? [];
    const position = String(written.headers['x-lectern-position']);
    expect(cookie).toBe(`lectern_position=${position}; Path=/api; Max-Age=660; HttpOnly; SameSite=Lax`);
    const forged = position.replace(/^[^.]+/, 'f'.repeat(24));
    const sees = async (headers: Readonly<Record<string, string>>) => {
      const response = await read(headers);
      return [titlesOf(response), replicaOf(response)];
    };
    expect(await sees({})).toEqual([['a'], '1']);
    expect(await sees({ 'X-Lectern-Position': forged })).toEqual([['a'], '1']);
    expect(await sees({ Cookie: `lectern_position=${forged}` })).toEqual([['a'], '1']);
    expect(await sees({ 'X-Lectern-Position': position })).toEqual([['a', 'b'], undefined]);
    expect(await sees({ Cookie: `x=1; lectern_position=${position}` })).toEqual([['a', 'b'], undefined]);

    const refused = await served.ask('public', 'POST', '/api/notes', { title: 'x' });
    expect([refused.status, refused.headers['x-lectern-position']]).toEqual([403, undefined]);
    await resume();
    const after = () => read({ 'X-Lectern-Position': position });
    await until(async () => replicaOf(await after()) === '1');
    expect(titlesOf(await after())).toContain('b');
  });

  it('never decide who may read', async () => {
    await untilServed();
    expect((await read({}, 'reader')).status).toBe(200);
    await pause();
    await onServer(primary().url, "DELETE FROM strapi_api_tokens WHERE name = 'reader'");
    expect((await read({}, 'reader')).status).toBe(401);
    expect((await read({}, 'other')).status).toBe(200);
    await resume();
  });

  describe('within a second', () => {
    let strict: RunningServer;
    let relay: Relay;
    beforeAll(async () => {
      const url = new URL(replica().url);
      relay = await startRelay({ host: url.hostname, port: Number(url.port) });
      url.port = String(relay.port);
      strict = await startServer(served.project.dir, {
        ...served.environment,
        DATABASE_REPLICA_URLS: url.href,
        LECTERN_DATABASE_REPLICA_LAG: '500',
        LECTERN_CACHE_CONSISTENCY: '1000',
        LECTERN_LOG_LEVEL: 'info',
        LECTERN_METRICS_PORT: '0',
        LECTERN_LIMITS_RESPONSE_BYTES: '4096',
      });
    });
    afterAll(async () => {
      await strict?.stop();
      await relay?.close();
    });
    const untilStrictServed = () => until(async () => replicaOf(await strict.get(list())) === '1');
    const state = async () => {
      const { value } = await scrape(metricsUrlOf(strict));
      const ready: unknown = (await strict.get('/_ready')).json();
      return { ready, used: value('lectern_replica_used', { replica: '1' }) };
    };

    it('are logged as soon as they go out of use and come back', async () => {
      await untilStrictServed();
      const lines = () => strict.output.stderr.split('\n').filter((line) => line.includes('read replica'));
      // A replica that has been late a moment ago is not reported again within ten seconds.
      let before = 0;
      for (let tries = 0; tries < 3 && lines().length < before + 2; tries++) {
        if (tries > 0) await new Promise((resolve) => setTimeout(resolve, 11_000));
        before = lines().length;
        await relay.hangUp();
        await relay.restore();
        await until(async () => lines().length > before + 1, 5).catch(() => undefined);
      }
      expect(lines().slice(before)).toEqual([expect.stringContaining('is not used'), expect.stringContaining('is used again')]);
    });

    it('show each of many callers its own writes', async () => {
      await untilStrictServed();
      const replicas: (string | undefined)[] = [];
      const missing: string[] = [];
      const caller = async (name: number) => {
        for (let round = 0; round < 3; round++) {
          const written = await served.ask('full', 'POST', '/api/notes', { title: `z ${name} ${round}` });
          const path = `/api/notes/${String(dataOf(written).documentId)}`;
          const own = await strict.get(path, { 'X-Lectern-Position': String(written.headers['x-lectern-position']) });
          if (own.status !== 200) missing.push(path);
          replicas.push(replicaOf(await strict.get(list())));
        }
      };
      await Promise.all([1, 2, 3, 4].map(caller));
      expect(missing).toEqual([]);
      expect(replicas).toContain('1');
      await onServer(primary().url, "DELETE FROM notes WHERE title LIKE 'z%'");
    });

    it('show a caller its own writes on another server, whatever is cached there', async () => {
      await untilStrictServed();
      await pause();
      const path = await served.make('/api/notes', { title: 'w' });
      await until(async () => (await state()).used === 0);
      const seen: unknown[] = [];
      let position = '';
      for (const title of ['w 1', 'w 2', 'w 3']) {
        // Served by the primary, and so in the cache of this server.
        await strict.get(path, { 'X-Lectern-Position': position });
        const written = await served.ask('full', 'PATCH', path, { title });
        position = String(written.headers['x-lectern-position']);
        seen.push(dataOf(await strict.get(path, { 'X-Lectern-Position': position })).title);
      }
      expect(seen).toEqual(['w 1', 'w 2', 'w 3']);
      await resume();
      await onServer(primary().url, "DELETE FROM notes WHERE title LIKE 'w%'");
    });

    it('refuse a response that is too long, without a second read on the primary', async () => {
      await onServer(
        primary().url,
        "INSERT INTO notes (document_id, title, published_at) SELECT 'long' || n, repeat('y', 250), now() FROM generate_series(1, 30) n",
      );
      const long = () => `${list()}&filters[title][$startsWith]=yy`;
      await until(async () => {
        const one = await strict.get(`${long()}&pagination[pageSize]=1`);
        return replicaOf(one) === '1' && titlesOf(one).length === 1;
      });
      for (let times = 0; times < 5; times++) expect((await strict.get(`${long()}&pagination[pageSize]=30`)).status).toBe(400);
      const { value } = await scrape(metricsUrlOf(strict));
      expect(value('lectern_replica_failures_total', { replica: '1' })).toBe(0);
      await onServer(primary().url, "DELETE FROM notes WHERE title LIKE 'yy%'");
    });

    it('leave reads to the primary when they are further behind', async () => {
      await untilStrictServed();
      expect(await state()).toEqual({ ready: { status: 'ready' }, used: 1 });
      await pause();
      await served.write('POST', '/api/notes', { title: 'c' });
      await until(async () => titlesOf(await strict.get(list())).includes('c'), 2);
      await until(async () => (await state()).used === 0);
      await until(async () => JSON.stringify((await state()).ready) === '{"status":"degraded"}');
      await resume();
      await untilStrictServed();
    });

    it('cause no error when they are killed, and come back', async () => {
      await untilServed();
      const statuses = new Set<number>();
      let isDone = false;
      const load = Array.from({ length: 4 }, async () => {
        while (!isDone) {
          for (const server of [served.server, strict]) statuses.add((await server.get(list())).status);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      });
      try {
        replica().stop('immediate');
        await until(async () => replicaOf(await read()) === undefined);
        await until(async () => replicaOf(await strict.get(list())) === undefined);
        replica().start();
        await untilServed();
        await untilStrictServed();
      } finally {
        isDone = true;
        await Promise.all(load);
      }
      expect([...statuses]).toEqual([200]);
    });

    it('delay reads for a moment when they fall silent, and cause no error', async () => {
      await untilStrictServed();
      relay.silence();
      const began = performance.now();
      const responses = await Promise.all(Array.from({ length: 20 }, () => strict.get(list())));
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
      expect(performance.now() - began).toBeLessThan(6000);
      expect(replicaOf(await strict.get(list()))).toBeUndefined();
      await relay.restore();
      await untilStrictServed();
    });

    it('are left alone when they have become servers of their own', async () => {
      await onServer(replica().url, 'SELECT pg_promote()');
      await served.write('POST', '/api/notes', { title: 'd' });
      await until(async () => titlesOf(await strict.get(list())).includes('d'));
      await onServer(replica().url, "UPDATE notes SET title = 'astray'");
      await until(async () => (await state()).used === 0);
      expect(titlesOf(await strict.get(list()))).not.toContain('astray');
    });
  });

  it.each([
    ['a server that is no replica', () => primary().url, 'it is not a replica (it is not in recovery)'],
    ['a server that is away', () => 'postgres://reader:geheim@127.0.0.1:1/site', 'ECONNREFUSED'],
  ])('lectern check names %s', async (_, url, problem) => {
    const { status, stdout, stderr } = await run(['check', '--dir', served.project.dir], {
      ...served.environment,
      DATABASE_REPLICA_URLS: url(),
    });
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('geheim')]);
    expect(stdout).toContain('The read replica 1 (127.0.0.1:');
    expect(stdout).toContain(problem);
    expect(stdout).not.toContain('geheim');
  });
});
