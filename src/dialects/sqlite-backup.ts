/** Copies a database file that other processes may be writing. The file alone lacks the content of its write-ahead log. */
import { Driver } from './sqlite-driver.ts';

/** The number of pages that are copied between two checks of `signal`, which takes a few milliseconds. */
const pagesAtOnce = 2000;

/** Copies the database as it is when the copy begins, by SQLite's online backup. Rejects with the reason of `signal` when it is aborted. */
export async function backUpSqlite(filename: string, destination: string, signal: AbortSignal): Promise<void> {
  const handle = new Driver(filename, { readonly: true, fileMustExist: true, timeout: 10_000 });
  try {
    // Each write of another process restarts SQLite's backup, which would then never end under load. An open snapshot prevents this.
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
