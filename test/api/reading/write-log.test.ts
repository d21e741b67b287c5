/** Random transactions of several connections, and a log that is cleared at any time: equal versions of a table mean equal rows. */
import mysql, { type RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../src/dialects/dialect.ts';
import { openMysqlDatabase } from '../../../src/dialects/mysql-connection.ts';
import { clearLog as addUpEnded } from '../../../src/dialects/mysql-write-log.ts';
import { openPostgresDatabase } from '../../../src/dialects/postgres-connection.ts';
import { clearLog } from '../../../src/dialects/postgres-write-log.ts';
import { createDatabase, type EngineName, engines, type TestDatabase } from '../../support/engines.ts';
import { hasPostgresPrograms, type OwnPostgres, startOwnPostgres } from '../../support/own-postgres.ts';

const seed = 20_260_102;
const tables = ['red', 'green', 'blue'] as const;
const writers = [0, 1, 2] as const;

const open = (engine: EngineName, url = '', logKept: (error: unknown) => void = () => undefined) => {
  const common = { statementTime: 60_000, connectionTime: 10_000, databaseOrder: false, tableVersions: true, logKept };
  return engine === 'mariadb'
    ? openMysqlDatabase({ ...common, connection: { uri: url }, poolMin: 1, poolMax: 2 })
    : openPostgresDatabase({ ...common, connection: { connectionString: url, max: 2 }, schema: undefined, preparedStatements: true });
};
const openLogged = (url: string, logKept?: (error: unknown) => void): Database => {
  const database = open('postgres', url, logKept);
  if (database instanceof Promise) throw new Error('PostgreSQL is opened at once');
  return database;
};

/** A connection of the test. */
interface Session {
  query(text: string): Promise<readonly (readonly unknown[])[]>;
  end(): Promise<unknown>;
}

async function sessionOf(engine: EngineName, url = ''): Promise<Session> {
  if (engine === 'mariadb') {
    const connection = await mysql.createConnection({ uri: url, rowsAsArray: true });
    return {
      query: async (text) => {
        const [rows] = await connection.query<RowDataPacket[][]>(text);
        return Array.isArray(rows) ? rows : [];
      },
      end: () => connection.end(),
    };
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return { query: async (text) => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows, end: () => client.end() };
}

const rowsOf: Readonly<Record<'postgres' | 'mariadb', (table: string) => string>> = {
  postgres: (table) => `SELECT string_agg(n::text, ' ' ORDER BY id) FROM ${table}`,
  mariadb: (table) => `SELECT GROUP_CONCAT(n ORDER BY id SEPARATOR ' ') FROM ${table}`,
};

describe.each(engines.filter((engine) => engine === 'postgres' || engine === 'mariadb'))('%s: the log of writes', (engine) => {
  let made: TestDatabase;
  const sessions: Session[] = [];
  const connect = async () => {
    const session = await sessionOf(engine, made.url);
    sessions.push(session);
    return session;
  };
  beforeAll(async () => {
    made = await createDatabase(engine);
  });
  afterAll(async () => {
    await Promise.all(sessions.map((session) => session.end()));
    await made?.drop();
  });

  it(`gives a table that has changed another version, whatever the transactions do (seed ${seed})`, { timeout: 120_000 }, async () => {
    let state = seed;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const database = await open(engine, made.url);
    try {
      const log = database.writeLog;
      if (log === undefined) throw new Error('there is a log');
      const watcher = await connect();
      for (const table of tables) {
        await watcher.query(`CREATE TABLE ${table} (id integer PRIMARY KEY, n integer NOT NULL)`);
        for (const writer of writers) await watcher.query(`INSERT INTO ${table} VALUES (${writer}, 0)`);
      }
      const statements = [...log.create(await log.state()), ...tables.flatMap((table) => log.add(table, false))];
      await database.maintain(async (connection) => {
        for (const each of statements) await connection.query(each, []);
      });
      const clear = async () => {
        if (engine === 'mariadb') return database.write(addUpEnded);
        // Running transactions may still write, so their rows stay.
        const [[xmin] = []] = await watcher.query('SELECT pg_snapshot_xmin(pg_current_snapshot())::text');
        return database.write((connection) => connection.query(clearLog('public'), [xmin]));
      };

      const running = await Promise.all(writers.map(async (id) => ({ id, session: await connect(), begun: false, savepoints: 0 })));
      const rowsAt = new Map<string, unknown>();
      let [same, cleared] = [0, 0];
      for (let step = 0; step < 1500; step++) {
        const writer = running[random(running.length)];
        if (writer === undefined) continue;
        const { id, session } = writer;
        const table = tables[random(tables.length)];
        const kind = random(10);
        if (kind < 4) await session.query(`UPDATE ${table} SET n = n + 1 WHERE id = ${id}`);
        else if (kind === 4 && !writer.begun) {
          await session.query('BEGIN');
          Object.assign(writer, { begun: true, savepoints: 0 });
        } else if (kind === 5 && writer.begun) {
          writer.savepoints++;
          await session.query(`SAVEPOINT s${writer.savepoints}`);
        } else if (kind === 6 && writer.savepoints > 0) {
          const name = `SAVEPOINT s${writer.savepoints}`;
          if (random(2) > 0) await session.query(`ROLLBACK TO ${name}`);
          await session.query(`RELEASE ${name}`);
          writer.savepoints--;
        } else if (kind === 7 && writer.begun) {
          await session.query(random(3) === 0 ? 'ROLLBACK' : 'COMMIT');
          Object.assign(writer, { begun: false, savepoints: 0 });
        } else if (kind === 8 && random(10) === 0) {
          if (!writer.begun) {
            await session.end();
            writer.session = await connect();
          }
          await clear();
          cleared++;
        }
        // Sometimes nobody asks for a while.
        if (random(3) > 0) continue;
        const version = await database.dataVersion();
        if (version === undefined) throw new Error('the version is known');
        for (const name of tables) {
          const [[all] = []] = await watcher.query(rowsOf[engine](name));
          const key = `${name} ${version.of([name])}`;
          const before = rowsAt.get(key);
          if (before !== undefined) {
            expect([key, all]).toEqual([key, before]);
            same++;
          }
          rowsAt.set(key, all);
        }
      }
      expect(cleared).toBeGreaterThan(3);
      // With one version for everything, fewer would be the same.
      expect(same).toBeGreaterThan(tables.length * 200);
      for (const { session, begun } of running) if (begun) await session.query('COMMIT');
      const left = async () => {
        await clear();
        const [[count] = []] = await watcher.query('SELECT count(*) FROM lectern_table_writes');
        return Number(count);
      };
      // On PostgreSQL, transactions of other databases keep rows as well.
      await expect.poll(left, { timeout: 60_000 }).toBeLessThan(engine === 'mariadb' ? 40 : 10);
    } finally {
      await database.close();
    }
  });

  it.runIf(engine === 'postgres')('loses rows and bounds of another server, from which the database was copied', async () => {
    const session = await connect();
    await session.query("INSERT INTO lectern_table_writes VALUES ('900000000000', 1)");
    await session.query("UPDATE lectern_table_writes SET cleared_before = '900000000000' WHERE xid = '0'");
    await session.query(clearLog('public').replaceAll('$1', "'5'"));
    const left = "SELECT xid::text, cleared_before::text FROM lectern_table_writes WHERE xid = '0' OR xid > '5000000000'";
    expect(await session.query(left)).toEqual([['0', '5']]);
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
      const writeFor = async (server: Database, minutes: number) => {
        for (let minute = 0; minute < minutes; minute++) {
          await client.query('INSERT INTO counted VALUES (1)');
          await server.dataVersion();
          vi.advanceTimersByTime(60_000);
        }
      };
      const count = async () => Number((await client.query("SELECT count(*) FROM lectern_table_writes WHERE xid <> '0'")).rows[0].count);
      // No request waits for the removal.
      const soon = { timeout: 30_000 };
      await writeFor(others, 30);
      await expect.poll(() => kept, soon).toEqual([expect.objectContaining({ code: '42501' })]);
      expect(await count()).toBeGreaterThanOrEqual(30);
      await writeFor(owner, 30);
      await expect.poll(count, soon).toBeLessThan(15);
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
