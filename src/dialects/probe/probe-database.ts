/** Tries on a database what Lectern needs, and leaves nothing behind. */
import type { DatabaseConfig } from '../../config/config.ts';
import type { Database } from '../database.ts';
import { withDatabase } from '../open-database.ts';
import type { ProbeOptions, ProbeReport } from './need.ts';

/** The limit for each statement of a trial. Milliseconds. */
const statementTime = 5000;

/** Throws a `StartError` if nothing can be tried. */
export function probeDatabase(config: DatabaseConfig, signal: AbortSignal): Promise<ProbeReport> {
  const options = { statementTime, signal };
  return withDatabase(config, { create: false, statementTime }, async (database) => {
    const report = await probe(config, database, options);
    const host = database.host();
    return host === undefined ? report : { ...report, notes: [`This was tried on ${host}, one of the hosts in the URL.`, ...report.notes] };
  });
}

async function probe(config: DatabaseConfig, database: Database, options: ProbeOptions): Promise<ProbeReport> {
  switch (config.client) {
    case 'postgres':
      return (await import('./probe-postgres.ts')).probePostgres(config, database, options);
    case 'mysql':
      return (await import('./probe-mysql.ts')).probeMysql(config, database, options);
    default:
      return (await import('./probe-sqlite.ts')).probeSqlite(config, options);
  }
}
