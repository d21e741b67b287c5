/** The database of a soak or a storm: a file, or a server of its own. */
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { UsageError } from '../options.mjs';
import { source } from '../source.mjs';

export const engines = ['sqlite', 'postgres', 'mariadb'];

/** @param {string} dir of the project
 *  @returns {Promise<{env: object, server?: import('../../test/support/own-mariadb.ts').OwnMariadb}>} `env` names it; a file has no server */
export async function openDatabaseOf(engine, dir, cleanUps) {
  if (engine === 'sqlite') return { env: { DATABASE_CLIENT: 'sqlite', DATABASE_FILENAME: join(dir, 'data.db') } };
  const server = await startServer[engine]();
  cleanUps.push(() => server.remove());
  return { env: { ...envOf[engine], DATABASE_URL: server.url }, server };
}

const envOf = {
  postgres: { DATABASE_CLIENT: 'postgres' },
  mariadb: { DATABASE_CLIENT: 'mysql' },
};

const startServer = {
  async postgres() {
    const { hasPostgresPrograms, startOwnPostgres } = await source('../test/support/own-postgres.ts');
    if (!hasPostgresPrograms) throw new UsageError('initdb of PostgreSQL is not installed');
    return startOwnPostgres(['max_wal_size = 64MB', 'min_wal_size = 32MB']);
  },
  async mariadb() {
    const { hasMariadbPrograms, startOwnMariadb } = await source('../test/support/own-mariadb.ts');
    if (!hasMariadbPrograms) throw new UsageError('mariadbd and mariadb-install-db are not installed');
    return startOwnMariadb();
  },
};

/** The longest time that a transaction may stay open without requests. Milliseconds. */
const quietTime = 30_000;

/** Waits until the database has ended the transactions that its callers have left. */
export async function untilQuiet(engine, { server }) {
  if (engine === 'sqlite') return;
  for (const since = Date.now(); ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const open = await openTransactions[engine](server.url);
    if (open === 0) return;
    if (Date.now() - since > quietTime) throw new Error(`${open} transactions are still open after ${quietTime / 1000} s`);
  }
}

const openTransactions = {
  async postgres(url) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend' AND state <> 'idle'";
    const { rows } = await client.query(`SELECT COUNT(*)::int AS open ${others}`);
    await client.end();
    return rows[0].open;
  },
  async mariadb(url) {
    const connection = await mysql.createConnection({ uri: url });
    const [rows] = await connection.query('SELECT COUNT(*) AS open FROM information_schema.innodb_trx');
    connection.destroy();
    return rows[0].open;
  },
};
