/** Checks before a database file replaces another one. */
import { readdir, readlink } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { Driver } from './sqlite-driver.ts';

/** Returns what is wrong with a database file that nobody has open, or undefined. Reads every page.
 *  Rejects with the reason of `signal`, between two tables. */
export async function damageOf(filename: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const handle = new Driver(filename, { fileMustExist: true });
    try {
      const tables = handle.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck(true).all();
      for (const table of tables) {
        // The check of one table holds up the thread; a signal is noticed between two of them.
        await setImmediate();
        signal.throwIfAborted();
        const [found] = handle
          .prepare<[], string>(`PRAGMA integrity_check("${table.replaceAll('"', '""')}")`)
          .pluck(true)
          .all();
        if (found !== 'ok') return found?.replaceAll('\n', ' ') ?? 'it cannot be read';
      }
      return undefined;
    } finally {
      handle.close();
    }
  } catch (error) {
    if (error instanceof Driver.SqliteError) return error.message;
    throw error;
  }
}

/** Says who else has a database file open, or returns undefined. With a write-ahead log, SQLite's
 *  lock shows it. A file without one is locked only during transactions, so on Linux the open files
 *  of the processes are checked, where this user may see them. */
export async function othersUsing(filename: string): Promise<string | undefined> {
  if (isLocked(filename)) return 'another process';
  const holders = await processesWith(filename);
  return holders.length === 0 ? undefined : `process ${holders.join(', ')}`;
}

function isLocked(filename: string): boolean {
  try {
    const handle = new Driver(filename, { fileMustExist: true, timeout: 0 });
    try {
      handle.pragma('locking_mode = EXCLUSIVE');
      handle.exec('BEGIN EXCLUSIVE');
      handle.exec('COMMIT');
      return false;
    } finally {
      // Puts the write-ahead log into the file, and removes it.
      handle.close();
    }
  } catch (error) {
    // A file that is damaged, or that may not be read, shows no lock; it is what a backup replaces.
    return error instanceof Driver.SqliteError && error.code.startsWith('SQLITE_BUSY');
  }
}

async function processesWith(filename: string): Promise<readonly string[]> {
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const found: string[] = [];
  for (const id of processes) {
    const files = await readdir(`/proc/${id}/fd`).catch(() => []);
    for (const file of files) {
      if ((await readlink(`/proc/${id}/fd/${file}`).catch(() => undefined)) !== filename) continue;
      found.push(id);
      break;
    }
  }
  return found;
}
