import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Copies the content into a new database of a PostgreSQL server. */
export async function inPostgres(server, file, cleanUps) {
  const name = `lectern_bench_${randomBytes(4).toString('hex')}`;
  const administer = async (statement) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  await administer(`CREATE DATABASE ${name}`);
  cleanUps.push(() => administer(`DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  const { transfer } = await import('../dist/cli/transfer/transfer.js');
  await transfer({ from: file, to: url.href });
  return { DATABASE_CLIENT: 'postgres', DATABASE_URL: url.href };
}
