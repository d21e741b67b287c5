/** Copies a recorded SQLite database into a MariaDB or MySQL database, with the tables that a Strapi 5.54.0 made there for the same project. */
import { readFileSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type mysql from 'mysql2/promise';
import { Driver as BetterSqlite3 } from '../../src/dialects/sqlite-driver.ts';
import { sqliteTransfer } from '../../src/dialects/transfer/sqlite.ts';
import { type MysqlEngine, mysqlServers, onMariadb } from './mariadb-server.ts';

export interface MariadbSource {
  /** Statements that create the tables. */
  readonly tables: string;
  /** The SQLite file with the rows. */
  readonly rows: string;
}

type Value = string | number | bigint | null;
type Columns = ReadonlyMap<string, string>;

/** Rows in one INSERT. */
const batch = 200;

/** The recordings hold values that Strapi's own columns would refuse: decimals of more than two digits, timestamps before 1970. */
const widened = [
  ['sinks', 'dec', 'decimal(30,10)'],
  ['sinks', 'stamp', 'datetime(6)'],
] as const;

/** The statements for MySQL 9.7: a Strapi 5.54.0 makes the same tables there, except that JSON is a type of its own, and that the collation differs. */
const onMysql = (tables: string): string =>
  tables
    .replaceAll(/longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin (DEFAULT NULL|NOT NULL) CHECK \(json_valid\(`\w+`\)\)/g, 'json $1')
    .replaceAll(mysqlServers.mariadb.collation, mysqlServers.mysql.collation);

export async function loadMariadb(engine: MysqlEngine, url: string, { tables, rows }: MariadbSource): Promise<void> {
  const source = new BetterSqlite3(rows, { readonly: true });
  // Integers beyond 2^53 keep their digits.
  source.defaultSafeIntegers(true);
  try {
    await onMariadb(url, async (connection) => {
      // Tables are made and filled in any order.
      await connection.query("SET foreign_key_checks = 0, unique_checks = 0, sql_mode = 'STRICT_ALL_TABLES,ANSI_QUOTES'");
      const statements = readFileSync(tables, 'utf8');
      await connection.query(engine === 'mysql' ? onMysql(statements) : statements);
      const types = await columnTypes(engine, connection);
      for (const [table, column, type] of widened) {
        if (types.get(table)?.has(column)) await connection.query(`ALTER TABLE ${table} MODIFY \`${column}\` ${type} DEFAULT NULL`);
      }
      await connection.query('BEGIN');
      for (const [table, columns] of types) await copyTable(source, connection, table, columns);
      await connection.query('COMMIT');
      const given = source.prepare<[], { name: string; seq: bigint }>('SELECT name, seq FROM sqlite_sequence').all();
      for (const { name, seq } of given) await connection.query(`ALTER TABLE \`${name}\` AUTO_INCREMENT = ${seq + 1n}`);
    });
  } finally {
    source.close();
  }
}

/** Table → column → type; `json` for the texts that must be valid JSON, which is what MariaDB makes of that type. */
async function columnTypes(engine: MysqlEngine, connection: mysql.Connection): Promise<ReadonlyMap<string, Columns>> {
  const isMysql = engine === 'mysql';
  const constraints = `LEFT JOIN information_schema.check_constraints k
       ON k.constraint_schema = c.table_schema AND k.table_name = c.table_name AND k.constraint_name = c.column_name`;
  const [found] = await connection.query<mysql.RowDataPacket[]>(
    `SELECT c.table_name AS "table", c.column_name AS "column", ${isMysql ? 'c.data_type' : "IF(k.check_clause IS NULL, c.data_type, 'json')"} AS type
     FROM information_schema.columns c ${isMysql ? '' : constraints}
     WHERE c.table_schema = DATABASE() ORDER BY c.table_name, c.ordinal_position`,
  );
  const types = new Map<string, Map<string, string>>();
  for (const { table, column, type } of found) types.set(table, (types.get(table) ?? new Map()).set(column, type));
  return types;
}

async function copyTable(source: Database, connection: mysql.Connection, table: string, columns: Columns): Promise<void> {
  const rows = source.prepare<[], Record<string, Value>>(`SELECT * FROM "${table}"`).all();
  const names = [...columns.keys()];
  for (let first = 0; first < rows.length; first += batch) {
    const values = rows.slice(first, first + batch).map((row) => names.map((name) => converted(row[name] ?? null, columns.get(name))));
    await connection.query(`INSERT INTO \`${table}\` (${names.map((name) => `\`${name}\``).join(', ')}) VALUES ?`, [values]);
  }
}

function converted(value: Value, type: string | undefined): string | number | null {
  if (value === null) return null;
  switch (type) {
    case 'json':
      return sqliteTransfer.jsonOf(String(value));
    case 'datetime':
    case 'timestamp':
      return new Date(typeof value === 'string' ? Date.parse(/Z$|[+-]\d\d:?\d\d$/.test(value) ? value : `${value}Z`) : Number(value))
        .toISOString()
        .replace('T', ' ')
        .replace('Z', '');
    default:
      return typeof value === 'bigint' ? value.toString() : value;
  }
}
