/** Statements that are stopped on a database server: what was stopped is not committed, and a stop that arrives late meets nobody else's statement. */
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.ts';
import type { Database, Stoppable } from '../../../src/dialects/database.ts';
import { openDatabase } from '../../../src/dialects/open-database.ts';
import { createDatabase, type EngineName, engines, speaksMysql } from '../../support/engines.ts';
import { serversToLose } from '../../support/servers-to-lose.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const servers = engines.filter((engine) => engine !== 'sqlite');
const sleep = (engine: EngineName, seconds: number) => (speaksMysql(engine) ? `SELECT SLEEP(${seconds})` : `SELECT pg_sleep(${seconds})`);

/** Milliseconds by which what is sent on a connection is held back; undefined: it is lost, and all after it. */
type Hold = (sent: string, connection: number) => number | undefined;

/** A network before the server. What is on its way arrives even when its sender has closed the connection. */
async function holdingRelay(target: { readonly host: string; readonly port: number }, hold: Hold): Promise<number> {
  let connections = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((caller) => {
    const connection = ++connections;
    const callee = net.connect(target);
    for (const [from, to] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      sockets.add(from);
      let isLost = false;
      let passed = Promise.resolve();
      from.on('error', () => undefined);
      from.on('data', (data) => {
        const time = hold(data.toString('latin1'), connection);
        isLost ||= time === undefined;
        if (isLost) return;
        const arrival = time === undefined || time === 0 ? undefined : pause(time);
        passed = passed.then(() => arrival).then(() => void (to.destroyed || to.write(data)));
      });
      from.on('close', () => passed.then(() => to.end()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A database with one connection for work. */
async function opened(engine: EngineName, hold: Hold = () => 0): Promise<Database> {
  const { env, drop } = await createDatabase(engine);
  onTestFinished(drop);
  const url = new URL(env.DATABASE_URL ?? '');
  const port = url.port === '' && engine !== 'sqlite' ? serversToLose[engine].port : Number(url.port);
  url.host = `127.0.0.1:${await holdingRelay({ host: url.hostname, port }, hold)}`;
  const environment = { ...env, DATABASE_URL: String(url), DATABASE_POOL_MIN: '0', DATABASE_POOL_MAX: '1' };
  const config = loadConfig({ dir: temporaryFolder(), environment, overrides: {} });
  if (!config.ok) throw new Error(config.errors.join('\n'));
  const database = await openDatabase(config.config.database, { create: false, statementTime: 10_000 });
  onTestFinished(() => database.close());
  return database;
}

const outcomeOf = (database: Database, work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => database.errorKindOf(error),
  );

/** Runs a statement of 0.4 s, and stops it after 0.15 s. */
async function stopOne(engine: EngineName, database: Database): Promise<void> {
  const stoppable: Stoppable = { stop: undefined };
  const first = database.readAtOnce((connection) => connection.query(sleep(engine, 0.4), []), stoppable);
  await pause(150);
  stoppable.isStopped = true;
  stoppable.stop?.();
  await first.catch(() => undefined);
}

// Without these engines the tests are skipped: a file without any test would fail.
describe.runIf(servers.length > 0).each(servers.length > 0 ? servers : ['postgres' as const])('%s', (engine) => {
  it('does not commit a write that was stopped between two statements', async () => {
    const database = await opened(engine);
    await database.write((connection) => connection.query('CREATE TABLE numbers (n INTEGER)', []));
    const stoppable: Stoppable = { stop: undefined };
    const written = database.write(async (connection) => {
      await connection.query('INSERT INTO numbers VALUES (1)', []);
      stoppable.isStopped = true;
      stoppable.stop?.();
    }, stoppable);
    expect(await outcomeOf(database, written)).toBe('time');
    expect(await database.read((connection) => connection.query('SELECT n FROM numbers', []))).toEqual([]);
  });

  it('does not stop the statement of the next caller when the stop arrives late', async () => {
    // On PostgreSQL the question is late, on the others the server's greeting, which begins with the version of the protocol.
    const isGreeting = (sent: string) => sent[4] === '\n';
    const hold: Hold = (sent, connection) =>
      (speaksMysql(engine) ? connection === 2 && isGreeting(sent) : sent.includes('pg_cancel_backend')) ? 850 : 0;
    const database = await opened(engine, hold);
    await stopOne(engine, database);
    const began = performance.now();
    const next = database.readAtOnce((connection) => connection.query(sleep(engine, 1.2), []));
    expect(await outcomeOf(database, next)).toBe('done');
    // MariaDB ends a SLEEP that is killed without an error.
    expect(performance.now() - began).toBeGreaterThan(1100);
  });
});

describe.runIf(servers.includes('postgres'))('postgres', () => {
  it('still counts as responding when the question of a stop got lost', async () => {
    let losesQuestions = true;
    const database = await opened('postgres', (sent) => (losesQuestions && sent.includes('pg_cancel_backend') ? undefined : 0));
    await stopOne('postgres', database);
    losesQuestions = false;
    const long = database.readAtOnce((connection) => connection.query(sleep('postgres', 2.5), []));
    expect(await outcomeOf(database, long)).toBe('done');
  });
});
