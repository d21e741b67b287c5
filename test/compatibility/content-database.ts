/** A connection of the tests' own to the database that a server under test uses: sets it back between scenarios and reads its rows. */
import mysql from 'mysql2/promise';
import pg from 'pg';
import { Driver as BetterSqlite3 } from '../../src/dialects/sqlite-driver.ts';
import { engineSql } from '../support/engine-sql.ts';
import { speaksMysql, untilNoticed } from '../support/engines.ts';
import type { MysqlEngine } from '../support/mariadb-server.ts';
import type { Project } from '../support/project.ts';
import type { Row, Rows } from './rows.ts';

export interface ContentDatabase {
  /** Removes all content and begins row ids anew. Users, their sessions, roles and permissions are those of the beginning; the rest stays. */
  reset(): Promise<void>;
  /** Every row of every table that holds content, and of further tables. */
  rows(further?: readonly string[]): Promise<Rows>;
  close(): Promise<void>;
}

/** Tables that Strapi has in every project and that hold no content; files are content. */
export const holdsContent = (table: string) => !/^(?:strapi|admin|up|i18n|upload|sqlite)_/.test(table);

const holdsAccounts = (table: string) => /^(?:up_|strapi_sessions$)/.test(table);

/** The rows of accounts at the beginning, which only this connection sees. */
const saving = (tables: readonly string[]) =>
  tables.map((table) => `CREATE TEMPORARY TABLE "saved_${table}" AS SELECT * FROM "${table}"`).join(';');
const emptying = (tables: readonly string[]) => tables.map((table) => `DELETE FROM "${table}"`).join(';');
const restoring = (accounts: readonly string[]) =>
  accounts.map((table) => `INSERT INTO "${table}" SELECT * FROM "saved_${table}"`).join(';');

export function openContent(project: Project): Promise<ContentDatabase> {
  const { engine, url } = project.database;
  if (url === undefined) return openSqlite(project.file);
  return speaksMysql(engine) ? openMariadb(engine, url) : openPostgres(url);
}

async function openSqlite(file: string): Promise<ContentDatabase> {
  const handle = new BetterSqlite3(file, { fileMustExist: true, timeout: 10_000 });
  handle.pragma('synchronous = OFF');
  // Tables are emptied in any order.
  handle.pragma('foreign_keys = OFF');
  const all = handle
    .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => name);
  const tables = all.filter(holdsContent);
  const accounts = all.filter(holdsAccounts);
  handle.exec(saving(accounts));
  const changed = [...tables, ...accounts];
  const ids = changed.map(
    (table) => `UPDATE sqlite_sequence SET seq = (SELECT ifnull(max(id), 0) FROM "${table}") WHERE name = '${table}'`,
  );
  return {
    async reset() {
      handle.exec(`BEGIN IMMEDIATE; ${emptying(changed)}; ${restoring(accounts)}; ${ids.join(';')}; COMMIT`);
    },
    async rows(further = []) {
      return Object.fromEntries([...tables, ...further].map((table) => [table, handle.prepare<[], Row>(`SELECT * FROM "${table}"`).all()]));
    },
    async close() {
      handle.close();
    },
  };
}

async function openPostgres(url: string): Promise<ContentDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: names } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  const all = names.map(({ name }) => name);
  const tables = all.filter(holdsContent);
  const accounts = all.filter(holdsAccounts);
  const changed = [...tables, ...accounts];
  // Tables are emptied in any order.
  await client.query(`SET session_replication_role = replica; ${saving(accounts)}`);
  const ids = changed.map((table) => {
    const sequence = `pg_get_serial_sequence('"${table}"', 'id')`;
    return `SELECT setval(${sequence}, coalesce(max(id), 0) + 1, false) FROM "${table}"`;
  });
  // As text: what a value means is for the comparison to say.
  const types = { getTypeParser: () => (text: string) => text };
  return {
    async reset() {
      // Faster than TRUNCATE, which makes a new file of each table and index.
      await client.query([emptying(changed), restoring(accounts), ...ids].join(';'));
    },
    async rows(further = []) {
      const all: Record<string, Row[]> = {};
      for (const table of [...tables, ...further]) all[table] = (await client.query({ text: `SELECT * FROM "${table}"`, types })).rows;
      return all;
    },
    close: () => client.end(),
  };
}

async function openMariadb(engine: MysqlEngine, uri: string): Promise<ContentDatabase> {
  // As text: what a value means is for the comparison to say.
  const connection = await mysql.createConnection({
    uri,
    charset: 'utf8mb4',
    multipleStatements: true,
    typeCast: (field) => field.string('utf8'),
  });
  // Tables are emptied in any order.
  await connection.query("SET foreign_key_checks = 0, sql_mode = 'ANSI_QUOTES'");
  // Otherwise, MySQL reports numbers of rows from a cache that is up to a day old.
  if (engine === 'mysql') await connection.query('SET information_schema_stats_expiry = 0');
  const [names] = await connection.query<mysql.RowDataPacket[]>({ sql: engineSql.mariadb.tableNames, rowsAsArray: true });
  const all = names.map((row) => String(row[0]));
  const tables = all.filter(holdsContent);
  const accounts = all.filter(holdsAccounts);
  await connection.query(saving(accounts));
  const ids = async () => {
    const [found] = await connection.query<mysql.RowDataPacket[]>({
      sql: 'SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND auto_increment > 1',
      rowsAsArray: true,
    });
    return new Set(found.map((row) => String(row[0])));
  };
  return {
    async reset() {
      // A table that never had rows is left alone: each statement that begins its ids anew builds the table anew.
      const used = await ids();
      const changed = [...tables.filter((table) => used.has(table)), ...accounts];
      await connection.query(`BEGIN; ${emptying(changed)}; ${restoring(accounts)}; COMMIT`);
      await connection.query(changed.map((table) => `ALTER TABLE "${table}" AUTO_INCREMENT = 1`).join(';'));
      await untilNoticed(engine);
    },
    async rows(further = []) {
      const all: Record<string, Row[]> = {};
      for (const table of [...tables, ...further])
        all[table] = (await connection.query<mysql.RowDataPacket[]>(`SELECT * FROM "${table}"`))[0];
      return all;
    },
    close: () => connection.end(),
  };
}
