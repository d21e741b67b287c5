/** Random transactions of several connections, and a log that is cleared at any time: equal versions of a table mean equal rows. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../src/dialects/dialect.ts';
import { openPostgresDatabase } from '../../../src/dialects/postgres-connection.ts';
import { clearLog } from '../../../src/dialects/postgres-write-log.ts';
import { createDatabase, engines, type TestDatabase } from '../../support/engines.ts';
import { hasPostgresPrograms, type OwnPostgres, startOwnPostgres } from '../../support/own-postgres.ts';

const seed = 20_260_102;
const tables = ['red', 'green', 'blue'] as const;
const writers = [0, 1, 2] as const;

const openLogged = (connectionString: string | undefined, logKept: (error: unknown) => void = () => undefined) =>
  openPostgresDatabase({
    connection: { connectionString, max: 2 },
    schema: undefined,
    statementTime: 60_000,
    connectionTime: 10_000,
    databaseOrder: false,
    preparedStatements: true,
    tableVersions: true,
    logKept,
  });

describe.each(engines.filter((engine) => engine === 'postgres'))('%s: the log of writes', (engine) => {
  let made: TestDatabase;
  const clients: pg.Client[] = [];
  const connect = async () => {
    const client = new pg.Client({ connectionString: made.url });
    await client.connect();
    clients.push(client);
    return client;
  };
  beforeAll(async () => {
    made = await createDatabase(engine);
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()));
    await made?.drop();
  });

  it(`gives a table that has changed another version, whatever the transactions do (seed ${seed})`, { timeout: 120_000 }, async () => {
    let state = seed;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const database = openLogged(made.url);
    try {
      const log = database.writeLog;
      if (log === undefined) throw new Error('there is a log');
      const watcher = await connect();
      for (const table of tables) {
        await watcher.query(`CREATE TABLE ${table} (id integer PRIMARY KEY, n integer NOT NULL)`);
        for (const writer of writers) await watcher.query(`INSERT INTO ${table} VALUES (${writer}, 0)`);
      }
      for (const each of [...log.create(await log.state()), ...tables.flatMap((table) => log.add(table, false))]) await watcher.query(each);

      const sessions = await Promise.all(writers.map(async (id) => ({ id, client: await connect(), begun: false, savepoints: 0 })));
      const rowsAt = new Map<string, string>();
      let [same, cleared] = [0, 0];
      for (let step = 0; step < 1500; step++) {
        const session = sessions[random(sessions.length)];
        if (session === undefined) continue;
        const { id, client } = session;
        const table = tables[random(tables.length)];
        const kind = random(10);
        if (kind < 4) await client.query(`UPDATE ${table} SET n = n + 1 WHERE id = ${id}`);
        else if (kind === 4 && !session.begun) {
          await client.query('BEGIN');
          Object.assign(session, { begun: true, savepoints: 0 });
        } else if (kind === 5 && session.begun) {
          await client.query('SAVEPOINT s');
          session.savepoints++;
        } else if (kind === 6 && session.savepoints > 0) {
          await client.query(random(2) === 0 ? 'RELEASE s' : 'ROLLBACK TO s; RELEASE s');
          session.savepoints--;
        } else if (kind === 7 && session.begun) {
          await client.query(random(3) === 0 ? 'ROLLBACK' : 'COMMIT');
          Object.assign(session, { begun: false, savepoints: 0 });
        } else if (kind === 8 && random(10) === 0) {
          // What runs may still write, and its rows stay.
          const { rows } = await watcher.query('SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin');
          await watcher.query(clearLog('public'), [rows[0].xmin]);
          cleared++;
        }
        // Sometimes nobody asks for a while.
        if (random(3) > 0) continue;
        const version = await database.dataVersion();
        if (version === undefined) throw new Error('the version is known');
        for (const name of tables) {
          const { rows } = await watcher.query(`SELECT string_agg(n::text, ' ' ORDER BY id) AS all FROM ${name}`);
          const key = `${name} ${version.of([name])}`;
          const before = rowsAt.get(key);
          if (before !== undefined) {
            expect([key, rows[0].all]).toEqual([key, before]);
            same++;
          }
          rowsAt.set(key, rows[0].all);
        }
      }
      expect(cleared).toBeGreaterThan(3);
      // With one version for everything, fewer would be the same.
      expect(same).toBeGreaterThan(tables.length * 200);
      const { rows } = await watcher.query("SELECT count(*)::integer AS count FROM lectern_table_writes WHERE xid <> '0'");
      expect(rows[0].count).toBeLessThan(300);
    } finally {
      await database.close();
    }
  });

  it('loses rows and bounds of another server, from which the database was copied', async () => {
    const client = await connect();
    await client.query("INSERT INTO lectern_table_writes VALUES ('900000000000', 1)");
    await client.query("UPDATE lectern_table_writes SET cleared_before = '900000000000' WHERE xid = '0'");
    await client.query(clearLog('public'), ['5']);
    const { rows } = await client.query(
      "SELECT xid::text, cleared_before::text FROM lectern_table_writes WHERE xid = '0' OR xid > '5000000000'",
    );
    expect(rows).toEqual([{ xid: '0', cleared_before: '5' }]);
  });
});

/** What the server of the tests does not allow, or what would concern all of its databases. */
describe.skipIf(!engines.includes('postgres') || !hasPostgresPrograms)('postgres, a server of its own: the log of writes', () => {
  let own: OwnPostgres;
  let database: Database;
  let client: pg.Client;
  const versionOf = async (table: string) => (await database.dataVersion())?.of([table]);
  const log = async (...tables: readonly string[]) => {
    for (const table of tables) for (const each of database.writeLog?.add(table, false) ?? []) await client.query(each);
    await database.dataVersion();
  };
  beforeAll(async () => {
    own = await startOwnPostgres(['max_prepared_transactions = 2']);
    database = openLogged(own.url);
    client = new pg.Client({ connectionString: own.url });
    await client.connect();
    const { writeLog } = database;
    if (writeLog === undefined) throw new Error('there is a log');
    for (const each of writeLog.create(await writeLog.state())) await client.query(each);
    await client.query('CREATE TABLE other (n integer)');
  });
  afterAll(async () => {
    await client?.end();
    await database?.close();
    own?.remove();
  });

  it('has the writes of a prepared transaction when it is committed', async () => {
    await client.query('CREATE TABLE prepared (n integer)');
    await log('prepared');
    const before = await versionOf('prepared');
    for (const each of ['BEGIN', 'INSERT INTO prepared VALUES (1)', "PREPARE TRANSACTION 'one'"]) await client.query(each);
    expect(await versionOf('prepared')).toBe(before);
    await client.query('INSERT INTO other VALUES (1)');
    expect(await versionOf('prepared')).toBe(before);
    await client.query("COMMIT PREPARED 'one'");
    expect(await versionOf('prepared')).not.toBe(before);
  });

  it.each([
    ['a partition', 'CREATE TABLE parts (n integer) PARTITION BY LIST (n)', 'CREATE TABLE a PARTITION OF parts FOR VALUES IN (1)', 'a'],
    ['a table with a child', 'CREATE TABLE parent (n integer)', 'CREATE TABLE child () INHERITS (parent)', 'parent'],
    ['a child', 'CREATE TABLE second_parent (n integer)', 'CREATE TABLE b () INHERITS (second_parent)', 'b'],
    ['a table with policies', 'CREATE TABLE guarded (n integer)', 'ALTER TABLE guarded ENABLE ROW LEVEL SECURITY', 'guarded'],
  ])('has not all writes of %s, which has the version of everything', async (_, first, second, table) => {
    await client.query(first);
    await client.query(second);
    await log(table);
    const before = await versionOf(table);
    expect(await versionOf(table)).toBe(before);
    await client.query('INSERT INTO other VALUES (1)');
    expect(await versionOf(table)).not.toBe(before);
  });

  it('is cleared by who may clear it, and reported once by who may not', async () => {
    const role = 'lectern_test_write_log';
    const url = new URL(own.url);
    url.username = role;
    const kept: unknown[] = [];
    await client.query('CREATE TABLE counted (n integer)');
    await log('counted');
    await client.query(`CREATE ROLE ${role} LOGIN`);
    await client.query(`GRANT SELECT ON lectern_table_writes TO ${role}`);
    const [owner, others] = [openLogged(own.url), openLogged(url.href, (error) => kept.push(error))];
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const countAfter = async (server: Database, minutes: number) => {
        for (let minute = 0; minute < minutes; minute++) {
          await client.query('INSERT INTO counted VALUES (1)');
          await server.dataVersion();
          vi.advanceTimersByTime(60_000);
        }
        // Nobody waits for the removal.
        await new Promise((resolve) => setTimeout(resolve, 300));
        return Number((await client.query("SELECT count(*) FROM lectern_table_writes WHERE xid <> '0'")).rows[0].count);
      };
      const grown = await countAfter(others, 30);
      expect(grown).toBeGreaterThanOrEqual(30);
      expect(kept).toEqual([expect.objectContaining({ code: '42501' })]);
      expect(await countAfter(owner, 30)).toBeLessThan(15);
    } finally {
      vi.useRealTimers();
      await Promise.all([owner.close(), others.close()]);
      for (const each of [`DROP OWNED BY ${role}`, `DROP ROLE ${role}`]) await client.query(each);
    }
  });

  it('gives other versions after a crash of the server, which may repeat transaction ids', async () => {
    const before = (await database.dataVersion())?.epoch;
    own.stop('immediate');
    client.on('error', () => undefined);
    own.start();
    let after: string | undefined;
    for (let tried = 0; tried < 50 && after === undefined; tried++) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      after = (await database.dataVersion())?.epoch;
    }
    expect([typeof after, after === before]).toEqual(['string', false]);
  });
});
