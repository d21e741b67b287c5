/** A copy of a database file that other processes may write: the file alone lacks the content of its write-ahead log. */
import { Driver } from './sqlite-driver.ts';

/** Pages copied between two checks of `signal`: some milliseconds. */
const pagesAtOnce = 2000;

/** SQLite's online backup, as of the moment when it begins. Rejects with the reason of `signal` when it is aborted. */
export async function backUpSqlite(filename: string, destination: string, signal: AbortSignal): Promise<void> {
  const handle = new Driver(filename, { readonly: true, fileMustExist: true, timeout: 10_000 });
  try {
    // Each write restarts SQLite's backup, so under load it would never end. An open snapshot does not change.
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
