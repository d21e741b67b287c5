/** The driver's side of an empty PostgreSQL database, for tests of the connections themselves. */
import type { Database } from '../../src/dialects/database.ts';
import { openPostgresDatabase } from '../../src/dialects/postgres-connection.ts';
import { createDatabase } from './engines.ts';
import { useMade } from './use-made.ts';

/** Called in the body of a `describe`. By default, all work is done on one connection. Returns what gives the database, from `beforeAll` on. */
export function usePostgresDatabase(preparedStatements = true, connections = 1): () => Database {
  const made = useMade(async () => {
    const { env, drop } = await createDatabase('postgres');
    const database = openPostgresDatabase({
      connection: { connectionString: env.DATABASE_URL, max: connections },
      schema: undefined,
      statementTime: 60_000,
      connectionTime: 10_000,
      databaseOrder: false,
      preparedStatements,
    });
    return { database, close: () => database.close().finally(drop) };
  });
  return () => made().database;
}
