/** Classifies the errors of PostgreSQL's driver. */
import pg from 'pg';
import type { DatabaseErrorKind } from './database.ts';

/** Serialisation failure, deadlock, unique and foreign key violations: others changed the rows. */
const conflicts: ReadonlySet<string> = new Set(['40001', '40P01', '23505', '23503']);

/** A standby server, which cannot write, has taken over the address, or this one has become one. */
const readOnly = '25006';
export const isReadOnly = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === readOnly;

/** A prepared statement is missing, or one to prepare already exists: a pooler has given the
 *  connection another session. */
export const isOtherSession = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '26000' || error.code === '42P05');

/** Whether the server or its content cannot be used. 53300: too many connections. 42501, 42P01,
 *  3F000: rights were revoked, or tables or the schema are missing, as during a restore. 58, XX001,
 *  XX002: its disk fails, or its files are damaged. */
const isAway = (code: string) => /^(?:25006|53300|42501|42P01|3F000|58...|XX00[12])$/.test(code);

/** Whether the error ends the connection. Class 08: a connection exception. 57P01 to 57P05: the
 *  server stops, starts or has ended the session. 25P03: it ended one that was idle in a
 *  transaction. */
export const endsConnection = (error: unknown): boolean => error instanceof pg.DatabaseError && /^(?:08|57P|25P03)/.test(error.code ?? '');

/** Source: PostgreSQL manual, appendix A. Class 22: a value out of range or malformed; 57014:
 *  cancelled by its time limit; 55P03: an unavailable lock; class 53: insufficient resources. */
export function serverErrorOf(error: unknown): DatabaseErrorKind | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return undefined;
  if (error.code.startsWith('22')) return 'value';
  if (error.code === '57014') return 'time';
  if (error.code === '53100') return 'full';
  if (conflicts.has(error.code) || isOtherSession(error)) return 'conflict';
  if (isAway(error.code) || endsConnection(error)) return 'unavailable';
  return error.code === '55P03' || error.code.startsWith('53') ? 'busy' : undefined;
}
