/** Quick reads that begin together share a connection to PostgreSQL, and none of them pays for what happens to another one. */
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection, Stoppable } from '../../../src/dialects/dialect.ts';
import { engines } from '../../support/engines.ts';
import { type Relay, startRelay } from '../../support/relay.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { useProject } from '../../support/served-project.ts';
import { serversToLose } from '../../support/servers-to-lose.ts';
import { usePostgresDatabase } from '../../support/use-postgres-database.ts';

const session = 'SELECT pg_backend_pid()::text';
const quick = { isQuick: true };
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const refusal = new Error('too many rows');

/** Reads the first column of each row, and refuses more than `most` rows. */
const readOf =
  (text: string, most = Number.POSITIVE_INFINITY) =>
  async (connection: Connection): Promise<unknown[]> => {
    const values: unknown[] = [];
    await connection.each(text, [], ([value]) => {
      if (values.length >= most) throw refusal;
      values.push(value);
    });
    return values;
  };

describe.runIf(engines.includes('postgres'))('quick reads that begin together', () => {
  const database = usePostgresDatabase(true, 6);
  const read = (text: string, stoppable?: Stoppable) => database().readAtOnce(readOf(text), stoppable, quick);
  const sessions = (results: readonly unknown[]) => new Set(results.map(String)).size;
  const sessionsOf = async (count: number) => sessions(await Promise.all(Array.from({ length: count }, () => read(session))));
  const sleeping = async () => {
    const active = `SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%'`;
    return (await database().readAtOnce(readOf(active)))[0];
  };

  // After a slow read, nothing is shared for half a second.
  beforeEach(() => pause(550));

  it('share a connection, eight of them at most', async () => {
    // On a machine with much other work, even these take long, and leave each other.
    await expect.poll(() => sessionsOf(8), { timeout: 20_000 }).toBe(1);
    await expect.poll(() => sessionsOf(17), { timeout: 20_000 }).toBe(3);
  });

  it('do not share it with reads that may be slow', async () => {
    const results = await Promise.all([read(session), database().readAtOnce(readOf(session)), database().readAtOnce(readOf(session))]);
    expect(sessions(results)).toBe(3);
  });

  it('give it back', async () => {
    for (let round = 0; round < 30; round++) await Promise.all(Array.from({ length: 30 }, () => read(session)));
    const figures = () => database().connections();
    await expect.poll(() => figures()?.idle === figures()?.open).toBe(true);
    expect(figures()?.waiting).toBe(0);
    // All connections can be had at once.
    const began = performance.now();
    await Promise.all(Array.from({ length: 6 }, () => database().readAtOnce(readOf('SELECT pg_sleep(0.5)::text'))));
    expect(performance.now() - began).toBeLessThan(2500);
  });

  it('do not wait for one that is slow after all, which does not run on where nobody waits for it', async () => {
    let isOver = false;
    const slow = read('SELECT pg_sleep(3)::text').finally(() => {
      isOver = true;
    });
    const results = await Promise.all([read(session), read(session), read(session)]);
    expect(isOver).toBe(false);
    expect(results.flat().every((value) => Number(value) > 0)).toBe(true);
    await expect.poll(sleeping, { timeout: 2000 }).toBe('1');
    expect(isOver).toBe(false);
    expect(await slow).toEqual(['']);
  });

  it('leave no statement behind, however many of them are slow', async () => {
    const slow = Array.from({ length: 5 }, () => read('SELECT pg_sleep(2)::text'));
    await pause(1000);
    expect(Number(await sleeping())).toBe(5);
    expect(await Promise.all(slow)).toEqual(Array.from({ length: 5 }, () => ['']));
    expect(await sleeping()).toBe('0');
  });

  it('have errors of their own', async () => {
    const [failed, first, second] = await Promise.allSettled([
      read("SELECT ('x' || pg_backend_pid())::int::text"),
      read('SELECT 1::text'),
      read('SELECT 2::text'),
    ]);
    expect(failed.status === 'rejected' && database().errorKindOf(failed.reason)).toBe('value');
    expect([first, second]).toEqual([
      { status: 'fulfilled', value: ['1'] },
      { status: 'fulfilled', value: ['2'] },
    ]);
  });

  it('have the result that they ask for when another one refuses its rows', async () => {
    // A few rows, which arrive together with the results of the others, and more than a socket holds.
    for (const rows of [20, 3_000_000]) {
      const refused = database().readAtOnce(readOf(`SELECT n::text FROM generate_series(1, ${rows}) AS s(n)`, 10), undefined, quick);
      const results = await Promise.allSettled([refused, read('SELECT 1::text'), read('SELECT 2::text')]);
      expect(results).toEqual([
        { status: 'rejected', reason: refusal },
        { status: 'fulfilled', value: ['1'] },
        { status: 'fulfilled', value: ['2'] },
      ]);
    }
    expect(database().lostConnections()).toBe(0);
  });

  it.each([0, 10])('have it when another one is stopped, %d ms after its begin', async (milliseconds) => {
    const stoppable: Stoppable = { stop: undefined };
    const stopped = read('SELECT pg_sleep(30)::text', stoppable);
    const others = [read(session), read(session)];
    const isRefused = expect(stopped).rejects.toThrow();
    if (milliseconds > 0) await pause(milliseconds);
    stoppable.isStopped = true;
    const began = performance.now();
    stoppable.stop?.();
    await isRefused;
    for (const other of others) expect(Number((await other)[0])).toBeGreaterThan(0);
    expect(performance.now() - began).toBeLessThan(5000);
    await expect.poll(sleeping, { timeout: 5000 }).toBe('0');
  });

  it('can be stopped without others, too', async () => {
    const stoppable: Stoppable = { stop: undefined };
    const isRefused = expect(read('SELECT pg_sleep(30)::text', stoppable)).rejects.toThrow();
    await expect.poll(sleeping, { timeout: 5000 }).toBe('1');
    stoppable.isStopped = true;
    stoppable.stop?.();
    await isRefused;
    await expect.poll(sleeping, { timeout: 5000 }).toBe('0');
  });

  it('have it when their connection breaks, and run twice at most', async () => {
    let runs = 0;
    const counted = () =>
      database().readAtOnce(
        (connection) => {
          runs++;
          return readOf(session)(connection);
        },
        undefined,
        quick,
      );
    // The first one ends its own session.
    const broken = read('SELECT CASE pg_terminate_backend(pg_backend_pid()) WHEN true THEN pg_sleep(1)::text END');
    const [first, ...others] = await Promise.allSettled([broken, counted(), counted(), counted()]);
    expect(first.status).toBe('rejected');
    expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(runs).toBeLessThanOrEqual(6);
  });
});

describe.runIf(engines.includes('postgres'))('quick reads whose statements are not prepared', () => {
  const database = usePostgresDatabase(false, 6);

  it('have a connection each: a pooler may be in between', async () => {
    const results = await Promise.all([1, 2, 3].map(() => database().readAtOnce(readOf(session), undefined, quick)));
    expect(new Set(results.map(String)).size).toBe(3);
  });
});

describe.runIf(engines.includes('postgres'))('a server whose reads are quick', () => {
  let relay: Relay;
  beforeAll(async () => {
    const { url, port: usualPort } = serversToLose.postgres;
    const { hostname, port } = new URL(url);
    relay = await startRelay({ host: hostname, port: port === '' ? usualPort : Number(port), isRecorded: false });
  });
  afterAll(() => relay.close());
  const served = useProject('postgres', {
    files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
    public: ['api::note.note.find'],
    env: () => {
      const url = new URL(served.project.database.url ?? '');
      url.host = `127.0.0.1:${relay.port}`;
      return { DATABASE_URL: url.href, LECTERN_CACHE_BYTES: '0', LECTERN_PROFILE: 'strapi' };
    },
  });
  const pathOf = (number: number) => `/api/notes?filters[title][$eq]=note-${number}`;
  const find = (number: number) => served.ask('public', 'GET', pathOf(number));
  /** Sends all requests in one packet, so that they begin together. */
  async function titlesAtOnce(numbers: readonly number[]): Promise<(string | undefined)[]> {
    const { hostname, port } = new URL(served.server.base);
    const socket = net.connect(Number(port), hostname);
    const last = numbers.length - 1;
    const requests = numbers.map(
      (number, at) => `GET ${pathOf(number)} HTTP/1.1\r\nHost: localhost\r\nConnection: ${at === last ? 'close' : 'keep-alive'}\r\n\r\n`,
    );
    socket.write(requests.join(''));
    return [...(await text(socket)).matchAll(/"title":"([^"]*)"/g)].map(([, title]) => title);
  }
  /** Asks for eight at once, and returns over how many connections they came. */
  async function connectionsOf(numbers: readonly number[]): Promise<number> {
    const [[began] = []] = await served.query('SELECT clock_timestamp()::text');
    expect(await titlesAtOnce(numbers)).toEqual(numbers.map((number) => `note-${number}`));
    const [[count] = []] = await served.query(
      `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%title%' AND pid <> pg_backend_pid() AND query_start > '${began}'`,
    );
    return Number(count);
  }

  it('gives each request its own response, over fewer connections than it has requests', async () => {
    for (let number = 0; number < 40; number++) await served.write('POST', '/api/notes', { title: `note-${number}` });
    // From the third use on, a statement is prepared, and with that the reads share connections.
    for (let round = 0; round < 60; round++) await find(round % 40);
    let first = 0;
    const burst = async () => {
      for (let round = 0; round < 20; round++) await find(round);
      first += 7;
      return connectionsOf(Array.from({ length: 8 }, (_, at) => (first + at) % 40));
    };
    // On a machine with much other work they are not always quick, and after that not for two seconds.
    await expect.poll(burst, { timeout: 40_000, interval: 2000 }).toBeLessThan(4);
  });

  it('goes on when all its connections break, again and again', async () => {
    let isOver = false;
    const statuses = new Set<unknown>();
    const load = Array.from({ length: 16 }, async (_, at) => {
      for (let round = at; !isOver; round++) {
        const { status } = await find(round % 40);
        statuses.add(status);
        if (status !== 200) await pause(20);
      }
    });
    for (let breaks = 0; breaks < 4; breaks++) {
      await pause(500);
      await relay.hangUp();
      await pause(200);
      await relay.restore();
      await expect.poll(async () => (await find(1)).status, { timeout: 20_000 }).toBe(200);
    }
    isOver = true;
    await Promise.all(load);
    expect(served.server.alive()).toBe(true);
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  });
});
