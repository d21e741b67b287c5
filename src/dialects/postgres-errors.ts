/** What errors of PostgreSQL's driver mean. */
import pg from 'pg';
import type { DatabaseErrorKind } from './dialect.ts';

/** Serialisation failure, deadlock, unique and foreign key violations: rows that another transaction wrote or removed in the meantime. */
const conflicts: ReadonlySet<string> = new Set(['40001', '40P01', '23505', '23503']);

/** 25006: a standby server that took over the address cannot write. 53300: the server has too many connections. */
const isAway = (code: string) => code === '25006' || code === '53300';

/** Class 08 is a connection exception, 57P01 to 57P05 a server that stops, starts or has ended the session, 25P03 a session that was ended for
 *  waiting inside a transaction. */
export const endsConnection = (error: unknown): boolean => error instanceof pg.DatabaseError && /^(?:08|57P|25P03)/.test(error.code ?? '');

/** Source: PostgreSQL manual, appendix A: class 22 is a value out of range or of the wrong form, 57014 a statement cancelled by its time limit,
 *  55P03 a lock not available, class 53 a server without resources. */
export function serverErrorOf(error: unknown): DatabaseErrorKind | undefined {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return undefined;
  if (error.code.startsWith('22')) return 'value';
  if (error.code === '57014') return 'time';
  if (error.code === '53100') return 'full';
  if (conflicts.has(error.code)) return 'conflict';
  if (isAway(error.code) || endsConnection(error)) return 'unavailable';
  return error.code === '55P03' || error.code.startsWith('53') ? 'busy' : undefined;
}
