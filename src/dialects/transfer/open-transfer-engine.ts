import { StartError } from '../../errors/start-error.ts';
import type { DialectName } from '../dialect.ts';
import type { TransferEngine } from './types.ts';

export async function openTransferEngine(name: DialectName): Promise<TransferEngine> {
  switch (name) {
    case 'sqlite':
      return (await import('./sqlite.ts')).sqliteTransfer;
    case 'postgres':
      return (await import('./postgres.ts')).postgresTransfer;
    case 'mysql':
      throw new StartError(['`lectern transfer` copies between SQLite and PostgreSQL, not yet from or to MariaDB or MySQL.']);
  }
}
