import { databaseOfUrl } from '../../src/cli/transfer/database-of-url.ts';
import { type TransferOptions, type TransferResult, transfer } from '../../src/transfer/transfer.ts';

/** `lectern transfer` between two databases, each a URL or the path of a SQLite file. */
export function transferBetween(from: string, to: string, more: Omit<TransferOptions, 'from' | 'to'> = {}): Promise<TransferResult> {
  const [source, target] = [from, to].map(databaseOfUrl);
  if (source === undefined || target === undefined) throw new Error('no such engine');
  return transfer({ from: source, to: target, ...more });
}
