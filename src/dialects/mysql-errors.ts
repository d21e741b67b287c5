/** Classifies the errors of the driver for MariaDB. */
import type { DatabaseErrorKind } from './database.ts';

/** Another transaction held a named lock for too long. */
export class LockNotReleased extends Error {
  constructor() {
    super('a lock of another transaction was not released in time');
  }
}

interface ServerError extends Error {
  readonly errno: number;
  readonly sqlState?: string;
}

/** Errors of the server have a number and a state, those of the operating system a negative number,
 *  those of the driver only a code. */
export const isServerError = (error: unknown): error is ServerError =>
  error instanceof Error && 'errno' in error && typeof error.errno === 'number' && error.errno > 0;

/** Too many connections; shutdown; session ended; cluster node not ready; server now read-only. */
const connectionEnds: readonly number[] = [
  1040, 1203, 1226, 1053, 1077, 1079, 1080, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 4031, 1047, 1290, 1792, 1836,
];

const kinds: Readonly<Record<DatabaseErrorKind, readonly number[]>> = {
  // Out of range, malformed date, number or text, too long, overflow, large packet, invalid JSON.
  value: [1264, 1292, 1366, 1367, 1406, 1411, 1690, 1153, 4025, 3819, 3140, 3141, 4037, 4038],
  // Time limit of MariaDB and of MySQL, KILL QUERY.
  time: [1969, 3024, 1317],
  // Time limit for a row lock, NOWAIT, out of memory, too many prepared statements.
  busy: [1205, 3572, 1037, 1038, 1041, 1461],
  // Deadlock of rows or named locks (and a conflict with another node of a cluster), no savepoint
  // any more, duplicate key, foreign keys, a row changed since the snapshot.
  conflict: [1213, 1305, 3058, 1062, 1451, 1452, 1020],
  full: [1021, 1114],
  // Besides the ends of connections: tables or the database are gone, or the right to them; a node
  // that has lost its cluster cannot commit.
  unavailable: [...connectionEnds, 1180, 1146, 1049, 1044, 1045, 1142, 1143],
};
/** Errors about files, whose message has the number of the operating system's error. */
const aboutFiles: readonly number[] = [1, 3, 20, 1004, 1026, 1030, 1180, 1878];
/** ENOSPC, as `(Errcode: 28 "No space left on device")` or `Got error 28 …`. */
const noSpace = /\b(?:errcode:|errno:|error) 28\b/i;

const kindOfNumber = new Map(
  Object.entries(kinds).flatMap(([kind, numbers]) => numbers.map((number) => [number, kind as DatabaseErrorKind] as const)),
);

/** Source: MariaDB manual, "Error Codes"; MySQL manual, "Server Error Message Reference". */
export function serverErrorOf(error: unknown): DatabaseErrorKind | undefined {
  if (error instanceof LockNotReleased) return 'busy';
  if (!isServerError(error)) return undefined;
  if (aboutFiles.includes(error.errno) && noSpace.test(error.message)) return 'full';
  return kindOfNumber.get(error.errno) ?? (error.sqlState?.startsWith('22') === true ? 'value' : undefined);
}

/** Whether the server has ended a deadlock by failing this statement. */
export const isDeadlock = (error: unknown): boolean => isServerError(error) && error.errno === 1213;

/** Whether the error ends the connection. */
export const endsConnection = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if ('fatal' in error && error.fatal === true) return true;
  return isServerError(error) && connectionEnds.includes(error.errno);
};

/** Whether each node of a cluster would refuse the connection: a wrong user, password or name. */
export const isSettingWrong = (error: unknown): boolean => isServerError(error) && [1044, 1045, 1049].includes(error.errno);
