/** The tables and indexes of a MariaDB or MySQL database. */

import { grouped } from '../collections.ts';
import type { Connection, LiveIndex, LiveTable } from './database.ts';
import { leaseTable } from './galera-lease.ts';
import { liveTablesOf } from './live-tables.ts';
import type { MysqlServer } from './mysql-servers.ts';

/** MariaDB has no JSON type: `json` is a text with a constraint. Texts in other character sets than
 *  utf8mb4 get their own type here, since statements compare texts in utf8mb4. */
const columnType = `CASE
  WHEN c.CHARACTER_SET_NAME NOT IN ('utf8mb4', 'ascii') THEN CONCAT(c.DATA_TYPE, ' ', c.CHARACTER_SET_NAME)
  WHEN c.DATA_TYPE = 'longtext' AND c.COLLATION_NAME = 'utf8mb4_bin' AND EXISTS (SELECT 1 FROM checked k
    WHERE k.table_name = c.TABLE_NAME AND REPLACE(k.clause, '\`', '"') = CONCAT('json_valid("', c.COLUMN_NAME, '")')) THEN 'json'
  ELSE c.DATA_TYPE END`;

const checked = (server: MysqlServer) => `checked AS (${server.jsonConstraints})`;

/** A query that returns one row if a text column other than JSON has another collation than the
 *  server's collation by code points. `utf8mb4_bin` is another: it ignores trailing spaces. */
export const otherCollation = (server: MysqlServer): string => `WITH ${checked(server)} SELECT 1 FROM information_schema.COLUMNS c
  WHERE c.TABLE_SCHEMA = DATABASE() AND c.COLLATION_NAME <> '${server.codePointOrder}' AND ${columnType} <> 'json' LIMIT 1`;

/** Without the lease of a running change of tables. */
export async function liveTables(connection: Connection, server: MysqlServer): Promise<LiveTable[]> {
  const columns = await connection.query(
    `WITH ${checked(server)}
       SELECT c.TABLE_NAME, c.COLUMN_NAME, ${columnType} FROM information_schema.COLUMNS c
       JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME AND t.TABLE_TYPE = 'BASE TABLE'
       WHERE c.TABLE_SCHEMA = DATABASE() AND c.TABLE_NAME <> '${leaseTable}' ORDER BY c.TABLE_NAME, c.ORDINAL_POSITION`,
    [],
  );
  const indexes = await connection.query(
    "SELECT DISTINCT TABLE_NAME, INDEX_NAME FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND INDEX_NAME <> 'PRIMARY'",
    [],
  );
  const foreignKeys = await connection.query(
    "SELECT TABLE_NAME, CONSTRAINT_NAME FROM information_schema.TABLE_CONSTRAINTS WHERE TABLE_SCHEMA = DATABASE() AND CONSTRAINT_TYPE = 'FOREIGN KEY'",
    [],
  );
  return liveTablesOf({ columns, indexes, foreignKeys });
}

export async function liveIndexes(connection: Connection): Promise<LiveIndex[]> {
  const rows = await connection.query(
    `SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS
     WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`,
    [],
  );
  return [...grouped(rows, ([table, name]) => JSON.stringify([table, name])).values()].map((parts) => ({
    table: String(parts[0]?.[0]),
    name: String(parts[0]?.[1]),
    columns: parts.map(([, , column]) => (column === null ? null : String(column))),
    where: undefined,
    isValid: true,
  }));
}

/** The numbers that the next rows get do not belong to a definition. */
const nextId = / AUTO_INCREMENT=\d+/;

export async function definitions(connection: Connection, tables: readonly string[]): Promise<readonly (string | undefined)[]> {
  const found: (string | undefined)[] = [];
  for (const table of tables) {
    const [present] = await connection.query('SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?', [
      table,
    ]);
    const [row] = present === undefined ? [] : await connection.query(`SHOW CREATE TABLE ${connection.dialect.quote(table)}`, []);
    found.push(row === undefined ? undefined : String(row[1]).replace(nextId, ''));
  }
  return found;
}
