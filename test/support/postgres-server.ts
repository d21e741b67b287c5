/** The PostgreSQL server that the tests make their databases on. */
import pg from 'pg';

export const postgresUrl = () => process.env.LECTERN_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

export async function asAdministrator<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: postgresUrl(), connectionTimeoutMillis: 3000 });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** For databases that are dropped after the test: nobody needs to wait for the disk. */
export const doNotWaitForDisk = (client: pg.Client, database: string) =>
  client.query(`ALTER DATABASE ${database} SET synchronous_commit = off`);
