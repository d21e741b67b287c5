/** Databases of a PostgreSQL server that a benchmark makes and drops. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { lecternPrints } from './processes.mjs';

async function query(url, statement) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** A new database, empty or a copy of `template`; nobody may be connected to that one. */
export async function createDatabase(server, cleanUps, template) {
  const name = `lectern_bench_${randomBytes(4).toString('hex')}`;
  await query(server, `CREATE DATABASE ${name}${template === undefined ? '' : ` TEMPLATE ${new URL(template).pathname.slice(1)}`}`);
  cleanUps.push(() => query(server, `DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

export const postgresEnv = (url) => ({ DATABASE_CLIENT: 'postgres', DATABASE_URL: url });

/** Copies the content of a project's SQLite file into an empty database. */
export async function transferTo(url, { dir, database }) {
  await lecternPrints(['transfer', '--dir', dir, '--from', database, '--to', url], {});
  // A database in use has been vacuumed, so that its indexes alone can tell which rows are there.
  await query(url, 'VACUUM (ANALYZE)');
}

/** Copies the content of a project into a new database. Returns the environment that names it. */
export async function inPostgres(server, project, cleanUps) {
  const url = await createDatabase(server, cleanUps);
  await transferTo(url, project);
  return postgresEnv(url);
}

/** The same, made from a database that already has the content. */
export const copyInPostgres = async (server, template, cleanUps) => postgresEnv(await createDatabase(server, cleanUps, template));

/** Without the name of the package: `15.20`. */
export const postgresVersion = async (server) => (await query(server, 'SHOW server_version'))[0].server_version.split(' ')[0];
