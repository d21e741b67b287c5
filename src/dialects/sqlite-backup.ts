/** Copies a database file that others may be writing. The file alone lacks its write-ahead log. */
import { Driver } from './sqlite-driver.ts';

/** Pages copied between two checks of `signal`, which takes a few milliseconds. */
const pagesAtOnce = 2000;

/** Copies the database as of the start of the copy, by SQLite's online backup. Rejects with the
 *  reason of `signal` when it is aborted. */
export async function backUpSqlite(filename: string, destination: string, signal: AbortSignal): Promise<void> {
  const handle = new Driver(filename, { readonly: true, fileMustExist: true, timeout: 10_000 });
  try {
    // Writes of others restart SQLite's backup, endlessly under load. A snapshot prevents this.
    handle.exec('BEGIN');
    handle.prepare('SELECT count(*) FROM sqlite_schema').get();
    await handle.backup(destination, {
      progress: () => {
        signal.throwIfAborted();
        return pagesAtOnce;
      },
    });
  } finally {
    handle.close();
  }
}
