/** Opens an embedded database for reading and writing threads, whose bundle has no other driver. */
import type { DatabaseConfig } from '../config/config.ts';
import type { Database, ThreadReader } from './database.ts';
import { openSqliteDatabase, openSqliteReader, type SqliteOptions } from './sqlite-connection.ts';

/** `file` names the file that the server has open, as `fileIdentity` does. `isStopped` returns
 *  whether the thread's work was stopped. */
export function openThreadReader(database: DatabaseConfig, file: string | undefined, isStopped: () => boolean): ThreadReader {
  if (database.client !== 'sqlite') throw new Error(`${database.client} needs no reading threads`);
  return openSqliteReader(database.filename, file, isStopped);
}

export function openThreadWriter(database: DatabaseConfig, options: SqliteOptions): Database {
  if (database.client !== 'sqlite') throw new Error(`${database.client} needs no writing thread`);
  return openSqliteDatabase(database.filename, { ...options, durable: database.durable });
}
