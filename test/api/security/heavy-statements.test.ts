/** One caller sends slow statements: all other callers are served meanwhile, and the process ends on SIGTERM. */
import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import { engineSql } from '../../support/engine-sql.ts';
import { type EngineName, engines } from '../../support/engines.ts';
import { send } from '../../support/http.ts';
import { relation, schemaFiles } from '../../support/schema-files.ts';
import { errorOf, idOf, useProject } from '../../support/served-project.ts';
import { startProcess, startServer } from '../../support/server.ts';

const files = schemaFiles({
  note: {
    attributes: { title: { type: 'string' }, text: { type: 'text' }, topic: relation('manyToOne', 'topic', { inversedBy: 'notes' }) },
  },
  topic: { attributes: { name: { type: 'string' }, notes: relation('oneToMany', 'note', { mappedBy: 'topic' }) } },
});
const rows = 30_000;
const fill = (engine: EngineName): string => {
  const { letters, moment, numbers } = engineSql[engine];
  const now = moment(1_700_000_000_000);
  return `INSERT INTO notes (document_id, title, text, created_at, updated_at, published_at)
    SELECT 'note' || n, 'Note ' || n, ${letters(800)} || n, ${now}, ${now}, ${now} FROM ${numbers(rows)} AS numbers`;
};
/** One topic has all notes, so that a plan which begins with its notes reads each of them as well. */
const linked =
  "INSERT INTO notes_topic_lnk (note_id, topic_id) SELECT n.id, t.id FROM notes n, topics t WHERE n.document_id LIKE 'note%' AND t.name = 'One'";
/** Each condition is asked of each row. */
const conditions = (path: string) =>
  Array.from({ length: 150 }, (_, at) => `${path}[$and][${at % 2}][$and][${Math.floor(at / 2)}][text][$notContainsi]=aa${at}z`).join('&');
const heavy = `/api/notes?fields=title&${conditions('filters')}`;
/** Each note is compared with each, which takes minutes. */
const joined = `/api/notes?fields=title&sort=topic.notes.text&${conditions('filters[topic][notes]')}`;
const all = ['find', 'create', 'update'].flatMap((action) => [`api::note.note.${action}`, `api::topic.topic.${action}`]);
/** Less than `limits.statementTime`, which callers would wait for behind slow statements. Milliseconds. */
const patience = 4000;

/** What Linux says of a process; zeros elsewhere. */
function usageOf(pid: number) {
  const status = process.platform === 'linux' ? readFileSync(`/proc/${pid}/status`, 'utf8') : '';
  const number = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
  return { threads: number('Threads'), megabytes: number('VmRSS') / 1024 };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe.each(engines)('%s: statements that take long', (engine) => {
  const api = useProject(engine, {
    ownProcess: true,
    files,
    public: all,
    users: [{ username: 'ada', email: 'ada@example.org', password: 'correct-horse' }],
    types: [{ type: 'api::topic.topic', documents: [{ key: 'one', status: 'published', data: { name: 'One' } }] }],
    env: { LECTERN_PROFILE: 'specification', LECTERN_LIMITS_STATEMENT_TIME: '4500', JWT_SECRET: 'heavy-jwt-secret' },
  });
  let filled = false;
  const filledOnce = async () => {
    if (!filled) {
      await api.change(fill(engine));
      await api.change(linked);
    }
    filled = true;
  };
  /** Equal reads would share one run. */
  const attack = (count: number, path = heavy) =>
    Promise.all(
      Array.from({ length: count }, (_, at) => api.server.send({ path: `${path}&pagination[pageSize]=${25 + at}`, from: '127.0.0.2' })),
    );

  /** Repeats requests until `until` is settled; returns the longest wait and the wrong responses. */
  async function meanwhile(until: Promise<unknown>, ask: () => Promise<{ readonly status: number }>) {
    let isOver = false;
    const over = until.finally(() => {
      isOver = true;
    });
    await pause(100);
    const statuses: number[] = [];
    let longest = 0;
    while (!isOver) {
      const started = performance.now();
      statuses.push((await ask()).status);
      longest = Math.max(longest, performance.now() - started);
      await pause(50);
    }
    await over;
    return { statuses, longest };
  }

  it('delay neither reads nor sign-ins of others, not even by requests and plans that were quick before', async () => {
    for (let round = 0; round < 20; round++) expect((await api.server.send({ path: heavy, from: '127.0.0.2' })).status).toBe(200);
    await filledOnce();
    const sameStart = (start: string) => `/api/notes?fields=title&filters[title][$startsWith]=${start}&${conditions('filters')}`;
    for (let round = 0; round < 20; round++) {
      const response = await api.server.send({ path: sameStart(`None+${round}`), from: '127.0.0.2' });
      expect(response.json()).toMatchObject({ data: [] });
    }
    const attacked = Promise.all([attack(8), attack(8, sameStart('Note'))]);
    const body = { identifier: 'ada', password: 'correct-horse' };
    const [reads, signIns] = await Promise.all([
      meanwhile(attacked, () => api.server.send({ path: '/api/topics', from: '127.0.0.3' })),
      meanwhile(attacked, () => api.server.send({ method: 'POST', path: '/api/auth/local', body, from: '127.0.0.4' })),
    ]);
    expect(reads.statuses.length).toBeGreaterThan(1);
    expect([...new Set(reads.statuses)]).toEqual([200]);
    expect(signIns.statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(Math.max(reads.longest, signIns.longest)).toBeLessThan(patience);
    for (const response of (await attacked).flat()) expect([200, 503]).toContain(response.status);
  });

  /** The most connections of PostgreSQL that read notes at the same time; none has a parallel worker. */
  async function maxConnections(): Promise<number> {
    let most = 0;
    for (let round = 0; round < 10; round++) {
      const [active] = await api.query("SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%strpos(lower(%'");
      most = Math.max(most, Number(active?.[0]) - 1);
      await pause(50);
    }
    const workers = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'parallel worker' AND datname = current_database()";
    expect(await api.query(workers)).toEqual([]);
    return most;
  }

  it('in the response to a write do not delay the writes of others', async () => {
    await filledOnce();
    // No note meets the last condition: one that met all would end the search.
    const filter = 'populate[topic][filters][notes]';
    const slow = `/api/notes?${conditions(filter)}&${filter}[$and][2][text][$containsi]=nowhere`;
    const topic = idOf('topic', 'one');
    const callers = engine === 'sqlite' ? 10 : 1;
    const attacked = Promise.all(
      Array.from({ length: Math.max(3, callers) }, (_, at) =>
        api.server.send({ method: 'POST', path: slow, body: { data: { title: 'slow', topic } }, from: `127.0.2.${1 + (at % callers)}` }),
      ),
    );
    const { statuses, longest } = await meanwhile(attacked, () =>
      api.server.send({ method: 'POST', path: '/api/topics', body: { data: { name: 'Quick' } }, from: '127.0.0.3' }),
    );
    expect([...new Set(statuses)]).toEqual([201]);
    expect(longest).toBeLessThan(patience);
    // Where there is one writer, a waiting write goes before the next slow one, whoever sent that: behind all of them, there would be one.
    expect(statuses.length).toBeGreaterThan(callers > 1 ? 2 : 0);
    // Each is there, whole, or was refused: nothing was written twice.
    const written = (await attacked).filter(({ status }) => status === 201).length;
    for (const { status } of await attacked) expect([201, 503]).toContain(status);
    const [stored] = await api.query("SELECT count(*) FROM notes WHERE title = 'slow'");
    expect(Number(stored?.[0])).toBe(written);
    const [quick] = await api.query("SELECT count(*) FROM topics WHERE name = 'Quick'");
    expect(Number(quick?.[0])).toBe(statuses.length);
  });

  it(`${engine === 'postgres' ? 'of one caller hold a quarter of the connections, and one processor each, and ' : ''}end when their client has left`, async () => {
    await filledOnce();
    // Quick requests of another address may have earned it more connections.
    const from = '127.0.0.5';
    const { hostname, port } = new URL(api.server.base);
    const left = Array.from({ length: 8 }, (_, at) =>
      httpRequest({ hostname, port, path: `${heavy}&pagination[pageSize]=${45 + at}`, localAddress: from }),
    );
    for (const each of left) each.on('error', () => undefined).end();
    if (engine === 'postgres') expect(await maxConnections()).toBe(2);
    else await pause(500);
    for (const each of left) each.destroy();
    await pause(500);
    const started = performance.now();
    expect((await api.server.send({ path: '/api/notes?pagination[pageSize]=1&filters[id]=1', from })).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(patience);
  });

  if (engine === 'sqlite') {
    it('end in their thread at once, which then serves the next request', async () => {
      await filledOnce();
      // One thread, so that the next read waits until the statement has ended. Each of these would take many seconds.
      const server = await startProcess(api.project.dir, {
        ...api.project.env,
        LECTERN_DATABASE_READERS: '1',
        LECTERN_LIMITS_STATEMENT_TIME: '500',
      });
      const populated = `/api/topics?populate[notes][sort]=text&${conditions('populate[notes][filters]')}`;
      const next = async () => {
        const started = performance.now();
        expect((await send(server.base, { path: '/api/topics?fields=name', from: '127.0.0.3' })).status).toBe(200);
        return performance.now() - started;
      };
      try {
        await next();
        const before = usageOf(server.pid);
        for (const path of [heavy, joined, populated]) {
          const { hostname, port } = new URL(server.base);
          const left = httpRequest({ hostname, port, path, localAddress: '127.0.0.2' });
          left.on('error', () => undefined).end();
          await pause(300);
          left.destroy();
          expect(await next(), `${path.slice(0, 60)}, left`).toBeLessThan(1000);
          const response = await send(server.base, { path, from: '127.0.0.2' });
          expect(errorOf(response)).toMatchObject({ status: 503, message: expect.stringContaining('limits.statementTime') });
          expect(await next(), `${path.slice(0, 60)}, late`).toBeLessThan(1000);
        }
        const after = usageOf(server.pid);
        expect(after.threads).toBe(before.threads);
        expect(after.megabytes - before.megabytes).toBeLessThan(60);
      } finally {
        await server.stop();
      }
    });
  } else {
    it('are stopped after limits.statementTime', async () => {
      await filledOnce();
      const path = `/api/notes?fields=title&sort=text&${conditions('filters')}`;
      const server = await startServer(api.project.dir, { ...api.project.env, LECTERN_LIMITS_STATEMENT_TIME: '300' });
      try {
        const response = await send(server.base, { path });
        expect(errorOf(response)).toMatchObject({ status: 503, message: expect.stringContaining('limits.statementTime') });
        expect((await send(server.base, { path: '/api/topics' })).status).toBe(200);
      } finally {
        await server.stop();
      }
    });
  }

  it('do not prevent the process from ending', async () => {
    await filledOnce();
    const server = await startProcess(api.project.dir, {
      ...api.project.env,
      LECTERN_LIMITS_STATEMENT_TIME: '600000',
      LECTERN_SHUTDOWN_TIME: '300',
    });
    const asked = Promise.allSettled(Array.from({ length: 6 }, () => send(server.base, { path: joined })));
    await pause(300);
    const started = performance.now();
    await server.stop();
    expect(performance.now() - started).toBeLessThan(300 + patience);
    await asked;
  });
});
