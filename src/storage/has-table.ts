import type { Database } from '../dialects/dialect.ts';

/** Whether the database has this table now: tables of ours may be added to a database that others made while it is served. */
export async function hasTable(database: Database, name: string): Promise<boolean> {
  const { dialect } = database;
  const [row] = await database.read((connection) => connection.query(`SELECT ${dialect.tableExists(dialect.placeholder(1))}`, [name]));
  return Boolean(row?.[0]);
}
