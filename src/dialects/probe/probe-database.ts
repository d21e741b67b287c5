/** Tries on a database what Lectern needs, and leaves nothing behind. */
import type { DatabaseConfig } from '../../config/config.ts';
import { withDatabase } from '../open-database.ts';
import type { ProbeReport } from './need.ts';

/** The limit for each statement of a trial. Milliseconds. */
const statementTime = 5000;

/** Throws a `StartError` if nothing can be tried. */
export function probeDatabase(config: DatabaseConfig, signal: AbortSignal): Promise<ProbeReport> {
  const options = { statementTime, signal };
  return withDatabase(config, { create: false, statementTime }, async (database) => {
    switch (config.client) {
      case 'postgres':
        return (await import('./probe-postgres.ts')).probePostgres(config, database, options);
      case 'mysql':
        return (await import('./probe-mysql.ts')).probeMysql(config, database, options);
      default:
        return (await import('./probe-sqlite.ts')).probeSqlite(config, options);
    }
  });
}
