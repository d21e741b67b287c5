/** Opens an embedded database for reading threads and the writing process. Their bundle lacks the
 *  drivers of database servers. */
import type { DatabaseConfig } from '../config/config.ts';
import type { Database, ThreadReader } from './dialect.ts';
import type { OpenOptions } from './open-database.ts';
import { openSqliteDatabase, openSqliteReader } from './sqlite-connection.ts';

/** `file` names the file that the server has open, as `fileIdentity` does. `isStopped` returns
 *  whether the thread's work was stopped. */
export function openThreadReader(database: DatabaseConfig, file: string | undefined, isStopped: () => boolean): ThreadReader {
  if (database.client !== 'sqlite') throw new Error(`${database.client} needs no reading threads`);
  return openSqliteReader(database.filename, file, isStopped);
}

export function openProcessWriter(database: DatabaseConfig, options: OpenOptions): Database {
  if (database.client !== 'sqlite') throw new Error(`${database.client} needs no writing process`);
  return openSqliteDatabase(database.filename, { ...options, durable: database.durable });
}
