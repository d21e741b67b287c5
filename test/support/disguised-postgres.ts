/** Databases of PostgreSQL that behave as other engines do: functions of a schema that `search_path` has before those of PostgreSQL. */
import pg from 'pg';

const stands = (statements: string) => async (url: string) => {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { database } = client;
    await client.query(`CREATE SCHEMA IF NOT EXISTS disguise; ALTER DATABASE "${database}" SET search_path = disguise, pg_catalog, public`);
    await client.query(statements);
  } finally {
    await client.end();
  }
};
const lacks = (name: string, returns: string) =>
  stands(
    `CREATE FUNCTION disguise.${name}() RETURNS ${returns} LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION 'function ${name}() does not exist' USING ERRCODE = '42883'; END $$`,
  );

export const inDisguise = {
  version: stands(
    "CREATE FUNCTION disguise.version() RETURNS text LANGUAGE sql AS $$ SELECT 'CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu, built x)' $$",
  ),
  pg_current_snapshot: lacks('pg_current_snapshot', 'pg_snapshot'),
  pg_current_xact_id_if_assigned: lacks('pg_current_xact_id_if_assigned', 'xid8'),
  /** As in CockroachDB: accepted, and nothing is locked. */
  pg_advisory_xact_lock: stands('CREATE FUNCTION disguise.pg_advisory_xact_lock(bigint) RETURNS void LANGUAGE sql AS $$ SELECT $$'),
  repeatableRead: stands(
    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = %L', current_database(), 'repeatable read'); END $$",
  ),
  starts_with: stands(
    `CREATE FUNCTION disguise.starts_with(text, text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION 'function starts_with(text, text) does not exist' USING ERRCODE = '42883'; END $$`,
  ),
  /** As of one node among several: others' commits are not in it. */
  constant_snapshot: stands(
    "CREATE FUNCTION disguise.pg_current_snapshot() RETURNS pg_snapshot LANGUAGE sql AS $$ SELECT '10:10:'::pg_snapshot $$",
  ),
} as const;
