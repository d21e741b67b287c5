/** A copy of a database file that others may be writing to: the file alone lacks what is still in its write-ahead log. */
import { Driver } from './sqlite-driver.ts';

/** Copied between two looks at `signal`: some milliseconds. */
const pagesAtOnce = 2000;

/** SQLite's online backup, as of the moment when it begins. Rejects with the reason of `signal` when it is aborted. */
export async function backUpSqlite(filename: string, destination: string, signal: AbortSignal): Promise<void> {
  const handle = new Driver(filename, { readonly: true, fileMustExist: true, timeout: 10_000 });
  try {
    // The backup begins anew whenever somebody has written, and under load would never end. A snapshot that is held does not change.
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
