/** Which commits change `DataVersion.epoch` on PostgreSQL: those of others. On a server of its own, since each commit to any of its databases counts. */
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Connection, Database } from '../../../src/dialects/database.ts';
import { openPostgresDatabase } from '../../../src/dialects/postgres-connection.ts';
import { engines } from '../../support/engines.ts';
import { hasPostgresPrograms, type OwnPostgres, startOwnPostgres } from '../../support/own-postgres.ts';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

describe.skipIf(!engines.includes('postgres') || !hasPostgresPrograms)('the epoch of PostgreSQL', () => {
  let server: OwnPostgres;
  let database: Database;
  let other: pg.Client;
  beforeAll(async () => {
    // Its commits would be those of others.
    server = await startOwnPostgres(['autovacuum = off']);
    database = openPostgresDatabase({
      connection: { connectionString: server.url, max: 4 },
      schema: undefined,
      statementTime: 20_000,
      connectionTime: 5000,
      databaseOrder: false,
      preparedStatements: true,
    });
    other = new pg.Client({ connectionString: server.url });
    await other.connect();
    await other.query('CREATE TABLE notes (title text)');
  });
  afterAll(async () => {
    await other?.end();
    await database?.close();
    await server?.remove();
  });

  const epoch = async () => {
    const version = await database.dataVersion();
    if (version === undefined) throw new Error('the server responds');
    return version.epoch;
  };
  let before = '';
  beforeEach(async () => {
    before = await epoch();
  });

  const insert = "INSERT INTO notes VALUES ('a')";
  const write = (connection: Connection) => connection.query(insert, []);
  const refused = new Error('refused');
  /** Begins an own transaction, and returns what ends it. */
  async function begin(): Promise<{ readonly end: (error?: Error) => Promise<unknown> }> {
    let finish = (_?: Error) => {};
    let hasBegun = () => {};
    const begun = new Promise<void>((resolve) => {
      hasBegun = resolve;
    });
    const written = database.write(async (connection) => {
      await write(connection);
      hasBegun();
      const error = await new Promise<Error | undefined>((resolve) => {
        finish = resolve;
      });
      if (error !== undefined) throw error;
    });
    await begun;
    return {
      end: (error) => {
        finish(error);
        return written;
      },
    };
  }

  it('stays with an own write, one without statements of its own, and one that nobody waits for', async () => {
    await database.write(write);
    await database.write(() => undefined);
    await database.write((connection) => connection.send(insert, []));
    await database.writeIfFree(async (connection) => void (await write(connection)));
    expect(await epoch()).toBe(before);
  });

  it('changes with a write of another connection, alone and beside an own one, in either order', async () => {
    await other.query(insert);
    const first = await epoch();
    expect(first).not.toBe(before);
    await database.write(write);
    await other.query(insert);
    const second = await epoch();
    expect(second).not.toBe(first);
    await other.query(insert);
    await database.write(write);
    expect(await epoch()).not.toBe(second);
  });

  it('stays with an own write that began before the version was asked for', async () => {
    const written = await begin();
    expect(await epoch()).toBe(before);
    await written.end();
    expect(await epoch()).toBe(before);
  });

  it('stays with one that is rolled back', async () => {
    const written = await begin();
    expect(await epoch()).toBe(before);
    await expect(written.end(refused)).rejects.toBe(refused);
    expect(await epoch()).toBe(before);
  });

  it('changes with the commit of another connection that began before, beside an own write', async () => {
    await other.query('BEGIN');
    await other.query(insert);
    await database.write(write);
    expect(await epoch()).toBe(before);
    await other.query('COMMIT');
    expect(await epoch()).not.toBe(before);
  });

  it.each<[string, (connection: Connection) => unknown]>([
    ['a statement that is held until the transaction has begun', (connection) => connection.send(insert, [])],
    [
      'statements that are sent during the rollback',
      async (connection) => {
        await connection.query('SELECT 1', []);
        const later = async () => {
          for (let time = 0; time < 20; time++) {
            await setImmediate();
            connection.send(insert, []);
          }
        };
        void later();
      },
    ],
  ])('a transaction whose work throws commits nothing of %s', async (_, work) => {
    const count = () => database.read((connection) => connection.query('SELECT count(*) FROM notes', []));
    const stored = await count();
    for (let time = 0; time < 10; time++) {
      const written = database.write(async (connection) => {
        await work(connection);
        throw refused;
      });
      await expect(written).rejects.toBe(refused);
    }
    expect(await count()).toEqual(stored);
  });

  it('stays with many own writes at once, whenever the version is asked for', async () => {
    const epochs = new Set<string>([before]);
    const asking = (async () => {
      for (let round = 0; round < 300; round++) epochs.add(await epoch());
    })();
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let round = 0; round < 25; round++) await database.write(write);
      }),
    );
    await asking;
    expect([...epochs]).toEqual([before]);
  });
});
