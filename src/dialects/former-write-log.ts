/** The log of writes that versions up to 0.2 kept with `database.tableVersions`: a
 *  table, and triggers that write it. Nothing clears the table any more, so it grows
 *  until a migration removes it. */
import type { Connection } from './database.ts';

export const logTable = 'lectern_table_writes';
const triggerFunction = 'lectern_log_write';
const triggerPrefix = 'lectern_log_';

const dropTable = `DROP TABLE IF EXISTS "${logTable}"`;

/** Returns the statements that remove the log; none if nothing of it exists. */
export async function postgresLogRemoval(connection: Connection): Promise<readonly string[]> {
  const [[hasLog] = []] = await connection.query(
    `SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = n.oid AND relname = '${logTable}' AND relkind = 'r')
       OR EXISTS (SELECT FROM pg_proc WHERE pronamespace = n.oid AND proname = '${triggerFunction}' AND pronargs = 0)
     FROM pg_namespace n WHERE n.nspname = current_schema()`,
    [],
  );
  // CASCADE drops the triggers of the function.
  return hasLog === true ? [`DROP FUNCTION IF EXISTS "${triggerFunction}"() CASCADE`, dropTable] : [];
}

/** The same on MariaDB. The triggers go first: with them and without the table, every write fails.
 *  A table without visible triggers stays: a user without the right TRIGGER sees none, and if there
 *  are none, the table does not grow. */
export async function mysqlLogRemoval(connection: Connection): Promise<readonly string[]> {
  const triggers = await connection.query(
    `SELECT TRIGGER_NAME FROM information_schema.TRIGGERS
     WHERE TRIGGER_SCHEMA = DATABASE() AND TRIGGER_NAME LIKE '${triggerPrefix.replaceAll('_', '!_')}%' ESCAPE '!'`,
    [],
  );
  return triggers.length === 0 ? [] : [...triggers.map(([name]) => `DROP TRIGGER IF EXISTS "${String(name)}"`), dropTable];
}
