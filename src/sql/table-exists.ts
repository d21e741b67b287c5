import type { Connection, Database } from '../dialects/database.ts';
import { run } from './run.ts';
import { type Sql, sql } from './sql.ts';

/** A condition: the database has this table now. `migrate apply` may add Lectern's tables while the
 *  server is running. */
export const isTable = (name: string): Sql => sql.ask((dialect, placeholder) => dialect.tableExists(placeholder), sql`${name}`);

export async function tableExists(connection: Connection, name: string): Promise<boolean> {
  const [row] = await run(connection, sql`SELECT ${isTable(name)}`);
  return Boolean(row?.[0]);
}

/** The columns of each table. */
export const columnsByTable = async (database: Database): Promise<ReadonlyMap<string, ReadonlySet<string>>> =>
  new Map((await database.tables()).map(({ name, columns }) => [name, new Set(columns.keys())]));

export const hasTable = (database: Database, name: string): Promise<boolean> =>
  database.readAtOnce((connection) => tableExists(connection, name));
