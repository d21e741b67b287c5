/** The driver's side of an empty PostgreSQL database, for tests of the connections themselves. */
import { afterAll, beforeAll } from 'vitest';
import type { Database } from '../../src/dialects/database.ts';
import { openPostgresDatabase } from '../../src/dialects/postgres-connection.ts';
import { createDatabase } from './engines.ts';

/** Called in the body of a `describe`. By default, all work is done on one connection. Returns what gives the database, from `beforeAll` on. */
export function usePostgresDatabase(preparedStatements = true, connections = 1): () => Database {
  let database: Database | undefined;
  let drop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const made = await createDatabase('postgres');
    drop = made.drop;
    database = openPostgresDatabase({
      connection: { connectionString: made.env.DATABASE_URL, max: connections },
      schema: undefined,
      statementTime: 60_000,
      connectionTime: 10_000,
      databaseOrder: false,
      preparedStatements,
    });
  });
  afterAll(async () => {
    await database?.close();
    await drop?.();
  });
  return () => {
    if (database === undefined) throw new Error('the database is open from beforeAll on');
    return database;
  };
}
