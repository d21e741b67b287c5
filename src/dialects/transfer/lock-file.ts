/** A lock on a SQLite file for the duration of a command: another file beside it is locked, since
 *  locks of the file itself end with each transaction. It ends with the process. */
import { closeSync, openSync, rmSync } from 'node:fs';
import { Driver } from '../sqlite-driver.ts';
import { isBusy } from '../sqlite-errors.ts';
import { fileIdentity } from '../sqlite-file.ts';

export interface LockFile {
  /** False if the file was removed, so that another process can lock a new one. */
  isHeld(): boolean;
  release(): void;
}

/** Undefined if another process has the lock. */
export function lockFileBeside(filename: string): LockFile | undefined {
  const path = `${filename}-transfer`;
  for (;;) {
    closeSync(openSync(path, 'a', 0o600));
    const file = fileIdentity(path);
    const handle = new Driver(path, { timeout: 0 });
    try {
      handle.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      handle.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
    const isHeld = () => file !== undefined && fileIdentity(path) === file;
    const release = () => {
      // Removed before it is unlocked: other processes do not wait; they find this lock or none.
      if (isHeld()) rmSync(path, { force: true });
      handle.close();
    };
    if (isHeld()) return { isHeld, release };
    // Its last holder has removed it meanwhile.
    handle.close();
  }
}
