import { grouped } from '../collections.ts';
import type { LiveTable } from './database.ts';
import type { Row } from './dialect.ts';

interface TableRows {
  /** Table, column, declared type. */
  readonly columns: readonly Row[];
  /** Table, index. */
  readonly indexes: readonly Row[];
  /** Table, foreign key. */
  readonly foreignKeys: readonly Row[];
}

/** The tables that the catalogue of a server describes. */
export function liveTablesOf({ columns, indexes, foreignKeys }: TableRows): LiveTable[] {
  const byTable = (rows: readonly Row[]) => grouped(rows, ([table]) => String(table));
  const [indexesOf, keysOf] = [byTable(indexes), byTable(foreignKeys)];
  return [...byTable(columns)].map(([name, its]) => ({
    name,
    columns: new Map(its.map(([, column, type]) => [String(column), String(type)])),
    indexes: (indexesOf.get(name) ?? []).map(([, index]) => String(index)),
    constraints: (keysOf.get(name) ?? []).map(([, key]) => String(key)),
  }));
}
