import type { Database } from '../dialects/dialect.ts';

/** Whether the database has this table now: `migrate apply` may add Lectern's tables to a database that is being served. */
export async function hasTable(database: Database, name: string): Promise<boolean> {
  const { dialect } = database;
  const [row] = await database.read((connection) => connection.query(`SELECT ${dialect.tableExists(dialect.placeholder(1))}`, [name]));
  return Boolean(row?.[0]);
}
