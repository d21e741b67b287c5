import type { Dialect } from '../dialect.ts';
import type { TransferEngine } from './types.ts';

export async function openTransferEngine({ name, systemName }: Dialect): Promise<TransferEngine> {
  switch (name) {
    case 'sqlite':
      return (await import('./sqlite.ts')).sqliteTransfer;
    case 'postgres':
      return (await import('./postgres.ts')).postgresTransfer;
    case 'mysql': {
      const { mariadb, mysql } = await import('../mysql-servers.ts');
      return (await import('./mysql.ts')).mysqlTransfer(systemName === 'mysql' ? mysql : mariadb);
    }
  }
}
