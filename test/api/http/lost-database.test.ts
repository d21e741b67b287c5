/** A database server that is away, falls silent, ends connections or has none left: every route that uses it responds with 503 in time, the process stays, and
 *  all is well again when the database is. */
import { readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ada, jwtSecret } from '../../support/accounts.ts';
import { engines } from '../../support/engines.ts';
import type { HttpResponse, SentRequest } from '../../support/http.ts';
import { isLong } from '../../support/long.ts';
import { hasPostgresPrograms, startOwnPostgres } from '../../support/own-postgres.ts';
import { schemaFiles } from '../../support/schema-files.ts';
import { errorOf, type Served, useProject } from '../../support/served-project.ts';
import { serversToLose, useRelay } from '../../support/servers-to-lose.ts';
import { useMade } from '../../support/use-made.ts';

if (!hasPostgresPrograms) console.log(' NOT tested: a PostgreSQL server that is restarted (initdb is not installed here)');

const project = {
  files: schemaFiles({ note: { attributes: { title: { type: 'string' } } } }),
  public: ['api::note.note.find', 'api::note.note.findOne', 'plugin::users-permissions.auth.callback'],
  authenticated: [],
  users: [{ ...ada, role: 'authenticated', confirmed: true }],
};

const login: SentRequest = { method: 'POST', path: '/api/auth/local', body: { identifier: ada.email, password: ada.password } };
/** More than the two seconds that a caller may have to wait, since this machine has other work; far less than statements may take. */
const inTime = 6000;
/** Longer than what has been looked up may be taken as still true. */
const lookUpsEnd = 1100;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Every kind of route that asks the database, by caller. */
const routes = (served: Served): Readonly<Record<string, () => Promise<HttpResponse>>> => ({
  'a list': () => served.ask('public', 'GET', '/api/notes'),
  'a list for a token': () => served.ask('full', 'GET', '/api/notes'),
  'a token that nobody has looked up yet': () =>
    served.send('public', { path: '/api/notes', headers: { Authorization: `Bearer ${'0a'.repeat(128)}` } }),
  'a document': () => served.ask('full', 'GET', '/api/notes/abcdefghijklmnopqrstuvwx'),
  'a new document': () => served.ask('full', 'POST', '/api/notes', { title: 'x' }),
  'a new document, once': () => served.ask('full', 'POST', '/api/notes', { title: 'x' }, { 'Idempotency-Key': 'lost' }),
  'signing in': () => served.send('public', login),
  users: () => served.ask('full', 'GET', '/api/users'),
  roles: () => served.ask('full', 'GET', '/api/users-permissions/roles'),
  files: () => served.ask('full', 'GET', '/api/upload/files'),
  locales: () => served.ask('full', 'GET', '/api/i18n/locales'),
  'the home page': () => served.server.get('/'),
});

/** All of them at once. The process itself is well, whatever they say. */
async function askAll(served: Served): Promise<Record<string, unknown>> {
  expect((await served.server.get('/_health')).status).toBe(204);
  const responses = Object.entries(routes(served)).map(async ([name, ask]) => {
    const began = performance.now();
    const { status, headers, text } = await ask();
    const isLate = performance.now() - began > inTime;
    return [name, { status, retry: headers['retry-after'], says: /"message":"([^"]*)"/.exec(text)?.[1], ...(isLate ? { isLate } : {}) }];
  });
  return Object.fromEntries(await Promise.all(responses));
}

const everywhere = (served: Served, each: unknown) => Object.fromEntries(Object.keys(routes(served)).map((name) => [name, each]));
const away = { status: 503, retry: '2', says: 'The database cannot be reached; retry later' };

async function readiness({ server }: Served): Promise<readonly [status: number, body: unknown, retryAfter: unknown]> {
  const { status, text, headers } = await server.get('/_ready');
  return [status, JSON.parse(text), headers['retry-after']];
}

async function expectAllIsWell(served: Served): Promise<void> {
  const isWell = async () => (await served.server.get('/_ready')).status === 200;
  for (let tries = 0; tries < 200 && !(await isWell()); tries++) await pause(50);
  const responses = await askAll(served);
  const statuses = Object.values(responses).map((response) => (response as { status: number }).status);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  expect(served.server.alive()).toBe(true);
}

/** Reads and writes of several callers until `stop` is called; gives what was acknowledged and the statuses that came. */
function load(served: Served) {
  let stopped = false;
  const statuses = new Set<number>();
  const written: string[] = [];
  const worker = async (number: number) => {
    for (let round = 0; !stopped; round++) {
      const title = `${number} ${round}`;
      const write = await served.ask('full', 'POST', '/api/notes', { title });
      if (write.status === 201) written.push(title);
      const read = await served.ask('public', 'GET', '/api/notes?pagination[pageSize]=1');
      for (const { status } of [write, read]) statuses.add(status);
      // A server that refuses at once is not asked for ever.
      if (write.status === 503) await pause(20);
    }
  };
  const workers = Promise.all(Array.from({ length: 12 }, (_, number) => worker(number)));
  return {
    async stop() {
      stopped = true;
      await workers;
      return { statuses: [...statuses].sort(), written };
    },
  };
}

async function expectWritten(served: Served, written: readonly string[]): Promise<void> {
  const rows = await served.query('SELECT title FROM notes');
  const stored = new Set(rows.map(([title]) => title));
  expect(written.filter((title) => !stored.has(title))).toEqual([]);
}

describe.each(engines.filter((engine) => engine !== 'sqlite'))('%s that is lost', (engine) => {
  const { hold, endConnections } = serversToLose[engine];
  const relay = useRelay(engine, { isRecorded: true });
  const served: Served = useProject(engine, {
    ...project,
    env: () => ({ ...relay.env(served.project), DATABASE_POOL_MAX: '4', LECTERN_LIMITS_STATEMENT_TIME: '3000', JWT_SECRET: jwtSecret }),
  });

  it('refuses connections: 503, and then normal responses again', async () => {
    await relay.get().hangUp();
    await pause(lookUpsEnd);
    expect(await askAll(served)).toEqual(everywhere(served, away));
    expect(await readiness(served)).toEqual([503, { status: 'unavailable' }, '2']);

    // Few connections are tried, however many requests come.
    let tried = 0;
    const refusing = net.createServer((socket) => {
      tried++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => refusing.listen(relay.get().port, '127.0.0.1', resolve));
    const began = performance.now();
    const statuses = new Set<number>();
    const ask = async () => {
      while (performance.now() < began + 1000) {
        statuses.add((await served.ask('public', 'GET', '/api/notes')).status);
        await pause(10);
      }
    };
    await Promise.all(Array.from({ length: 8 }, ask));
    await new Promise((resolve) => refusing.close(resolve));
    expect([...statuses]).toEqual([503]);
    // Not only requests connect, but also the connection for versions and the probe of the pool.
    expect(tried).toBeLessThan(30);
    await relay.get().restore();
    await expectAllIsWell(served);
  });

  it('falls silent: 503, and then normal responses again', async () => {
    relay.get().silence();
    await pause(lookUpsEnd);
    expect(await askAll(served)).toEqual(everywhere(served, away));
    await relay.get().restore();
    await expectAllIsWell(served);
  });

  // The relay counts what is sent to PostgreSQL.
  it.runIf(engine === 'postgres')('falls silent: a caller over the rate limit gets 429, and nothing is sent to the database', async () => {
    const limited = await served.beside({ LECTERN_RATE_LIMIT_MAX: '3', LECTERN_RATE_LIMIT_WINDOW: '600' });
    onTestFinished(() => relay.get().restore());
    for (const who of ['public', 'full']) {
      const ask = () => limited.get('/api/notes', served.authorization(who));
      for (let call = 0; call < 3; call++) expect((await ask()).status).toBe(200);
      relay.get().silence();
      const before = relay.get().turns;
      expect((await Promise.all([ask(), ask()])).map(({ status }) => status)).toEqual([429, 429]);
      expect(relay.get().turns).toBe(before);
      await relay.get().restore();
    }
  });

  it('falls silent in the middle of statements: they are not waited for', async () => {
    const release = await hold(served.project.database.url ?? '');
    const began = performance.now();
    const running = Array.from({ length: 3 }, () => served.ask('full', 'GET', '/api/notes'));
    await pause(300);
    relay.get().silence();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(performance.now() - began).toBeLessThan(inTime);
    await release();
    await relay.get().restore();
    await expectAllIsWell(served);
  });

  it('has all connections in slow statements: lookups go on, other requests get a response or a 503 with Retry-After', async () => {
    const release = await hold(served.project.database.url ?? '');
    const waiting = Array.from({ length: 4 }, () => served.ask('full', 'GET', '/api/notes'));
    await pause(lookUpsEnd);
    const responses = Object.entries(await askAll(served)) as [string, { status: number; retry?: string }][];
    await release();
    expect(responses.filter(([, { status, retry }]) => status >= 500 && (status !== 503 || retry === undefined))).toEqual([]);
    const status = new Map(responses.map(([name, response]) => [name, response.status]));
    expect(status.get('a list')).toBe(503);
    expect(status.get('a token that nobody has looked up yet')).toBe(401);
    for (const response of await Promise.all(waiting)) expect([200, 503]).toContain(response.status);
    await expectAllIsWell(served);
  });

  it('ends connections in the middle of statements: they are not waited for', async () => {
    const url = served.project.database.url ?? '';
    const release = await hold(url);
    const running = Array.from({ length: 2 }, () => served.ask('full', 'POST', '/api/notes', { title: 'x' }));
    await pause(500);
    await endConnections(url);
    const responses = await Promise.all(running);
    await release();
    // Those that were waited for would have taken longer than `limits.statementTime`.
    for (const response of responses) expect(errorOf(response)).toMatchObject({ status: 503, message: away.says });
    await expectAllIsWell(served);
  });

  it('ends connections under load: nothing but 503, nothing that was acknowledged is lost', async () => {
    const running = load(served);
    for (let kills = 0; kills < 10; kills++) {
      await pause(100);
      await endConnections(served.project.database.url ?? '');
    }
    const { statuses, written } = await running.stop();
    expect(served.server.alive()).toBe(true);
    expect(statuses.filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
    expect(written.length).toBeGreaterThan(0);
    await expectWritten(served, written);
    await expectAllIsWell(served);
  });
});

describe.runIf(engines.includes('postgres') && hasPostgresPrograms)('PostgreSQL that is restarted under load', () => {
  const own = useMade(() => startOwnPostgres());
  const served: Served = useProject('postgres', {
    ...project,
    database: () => own().url,
    env: { JWT_SECRET: jwtSecret },
  });

  it.each(isLong ? (['fast', 'immediate'] as const) : (['immediate'] as const))(
    '%s: the process stays, and continues with the new one',
    async (mode) => {
      const running = load(served);
      await pause(500);
      own().stop(mode);
      await pause(lookUpsEnd);
      expect(await askAll(served)).toEqual(everywhere(served, away));
      own().start();
      await expectAllIsWell(served);
      await pause(500);
      const { statuses, written } = await running.stop();
      expect(statuses).toEqual([200, 201, 503]);
      // Not a line for each of the hundreds of requests.
      const lines = served.server.output.stderr.split('\n').filter((line) => line.includes('cannot be reached'));
      expect(lines.length).toBeLessThan(40);
      // Every write that was acknowledged before an immediate stop is in the log of the server, which it reads when it starts.
      await expectWritten(served, written);
    },
  );

  it('becomes read-only: reads go on, writes are a 503, on new connections as soon as there is a server that writes', async () => {
    const setReadOnly = async (value: 'on' | 'off') => {
      const client = new pg.Client({ connectionString: own().url });
      await client.connect();
      await client.query('SET default_transaction_read_only = off');
      await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await client.query('SELECT pg_reload_conf()');
      await client.end();
    };
    await setReadOnly('on');
    await pause(500);
    const write = await served.ask('full', 'POST', '/api/notes', { title: 'x' });
    expect([write.status, write.headers['retry-after']]).toEqual([503, '2']);
    expect((await served.ask('full', 'GET', '/api/notes')).status).toBe(200);
    await setReadOnly('off');
    await expectAllIsWell(served);
  });

  it('refuses connections (a changed password, for instance): 503, without the reason in the response', async () => {
    const file = join(own().data, 'pg_hba.conf');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, 'host all all 127.0.0.1/32 reject\n');
    own().stop('fast');
    own().start();
    const printed = () => served.server.output.stderr.includes('pg_hba.conf');
    // Until the server is asked again, requests share the failure of an attempt while it was stopped.
    for (let tries = 0; tries < 20 && !printed(); tries++) {
      const { status, text } = await served.ask('full', 'GET', '/api/notes');
      expect(status).toBe(503);
      expect(text).not.toMatch(/pg_hba|postgres|127\.0\.0\.1/);
      await pause(250);
    }
    expect(printed()).toBe(true);
    writeFileSync(file, before);
    own().stop('fast');
    own().start();
    await expectAllIsWell(served);
  });
});
