/** Opens the database for a reading process. */
import type { DatabaseConfig } from '../config/config.ts';
import type { ThreadReader } from './dialect.ts';
import { openSqliteReader } from './sqlite-connection.ts';

/** `file` names the file that the server has open, as `fileIdentity` does. */
export function openThreadReader(database: DatabaseConfig, file: string | undefined): ThreadReader {
  if (database.client !== 'sqlite') throw new Error(`${database.client} needs no reading processes`);
  return openSqliteReader(database.filename, file);
}
