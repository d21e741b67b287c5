/** The meaning of SQLite's errors. */
import type { DatabaseErrorKind } from './database.ts';
import { Driver } from './sqlite-driver.ts';
import { FileIsLost } from './sqlite-file.ts';

/** The codes of a full disk. SQLite reports an exceeded quota as a failed write. */
const diskFullCodes: ReadonlySet<string> = new Set(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE']);
export const isBusy = (error: unknown) => error instanceof Driver.SqliteError && error.code.startsWith('SQLITE_BUSY');
/** Whether the file is damaged or incomplete, or its disk or the rights on it have changed. */
const isUnusable = ({ code, message }: { readonly code: string; readonly message: string }) =>
  /^SQLITE_(?:CORRUPT|NOTADB|IOERR|CANTOPEN|READONLY|PERM|PROTOCOL)/.test(code) || message.startsWith('no such table');

/** The reader was stopped: no caller waits for its result any more. */
export class StoppedError extends Error {}

export function errorKindOf(error: unknown): DatabaseErrorKind | undefined {
  if (isBusy(error)) return 'busy';
  if (error instanceof FileIsLost) return 'unavailable';
  if (error instanceof StoppedError) return 'time';
  if (error instanceof Driver.SqliteError && diskFullCodes.has(error.code)) return 'full';
  if (error instanceof Driver.SqliteError && isUnusable(error)) return 'unavailable';
  // A request that exceeds a limit of the engine counts as a wrong value.
  if (error instanceof Driver.SqliteError && /too (?:complex|big|large|many)|overflow|datatype mismatch/.test(error.message))
    return 'value';
  return undefined;
}
