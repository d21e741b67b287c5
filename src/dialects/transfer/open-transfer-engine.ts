import type { DialectName } from '../dialect.ts';
import type { TransferEngine } from './types.ts';

export async function openTransferEngine(name: DialectName): Promise<TransferEngine> {
  switch (name) {
    case 'sqlite':
      return (await import('./sqlite.ts')).sqliteTransfer;
    case 'postgres':
      return (await import('./postgres.ts')).postgresTransfer;
    case 'mysql':
      return (await import('./mysql.ts')).mysqlTransfer;
  }
}
