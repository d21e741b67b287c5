import type { Connection, Database } from '../dialects/dialect.ts';
import { run } from './run.ts';
import { sql } from './sql.ts';

/** Returns whether the database has this table now: `migrate apply` may add Lectern's tables while the server is running. */
export async function tableExists(connection: Connection, name: string): Promise<boolean> {
  const exists = sql.ask((dialect, placeholder) => dialect.tableExists(placeholder), sql`${name}`);
  const [row] = await run(connection, sql`SELECT ${exists}`);
  return Boolean(row?.[0]);
}

export const hasTable = (database: Database, name: string): Promise<boolean> =>
  database.read((connection) => tableExists(connection, name));
