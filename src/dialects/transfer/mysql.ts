/** MariaDB or MySQL as the source or the target of a transfer. */

import { grouped } from '../../collections.ts';
import { storedTypeOf } from '../column-type.ts';
import type { Connection } from '../database.ts';
import type { Row } from '../dialect.ts';
import { logTable } from '../former-write-log.ts';
import { beyond32Bits, beyond64Bits, type FittedColumn, misfitOf, tooLong } from '../misfits.ts';
import { isServerError } from '../mysql-errors.ts';
import { liveTables } from '../mysql-live.ts';
import type { MysqlServer } from '../mysql-servers.ts';
import { quote } from '../quote.ts';
import { addForeignKey, columnList, createIndex, createTable } from './statements.ts';
import type { CatalogueColumn, CatalogueForeignKey, CatalogueIndex, CatalogueTable, CopiedValue, TransferEngine } from './types.ts';

async function catalogue(from: Connection, server: MysqlServer): Promise<CatalogueTable[]> {
  const live = (await liveTables(from, server)).filter(({ name }) => name !== logTable);
  const columns = await columnsOf(from);
  const indexes = await indexesOf(from);
  const foreignKeys = await foreignKeysOf(from);
  const counters = await from.query(
    'SELECT TABLE_NAME, COALESCE(AUTO_INCREMENT, 1) - 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
    [],
  );
  const highest = new Map(counters.map(([table, id]) => [String(table), Number(id)]));
  return live.map(({ name, columns: declared }) => ({
    name,
    columns: [...declared].map(([column, type]) => ({
      name: column,
      declared: type,
      length: columns.get(JSON.stringify([name, column]))?.length,
      notNull: columns.get(JSON.stringify([name, column]))?.notNull === true,
    })),
    primaryKey:
      indexes(name)
        .find((index) => index.name === 'PRIMARY')
        ?.columns.map(String) ?? [],
    indexes: indexes(name).filter((index) => index.name !== 'PRIMARY'),
    foreignKeys: foreignKeys(name),
    highestId: highest.get(name) ?? 0,
  }));
}

async function columnsOf(from: Connection): Promise<ReadonlyMap<string, Pick<CatalogueColumn, 'length' | 'notNull'>>> {
  const rows = await from.query(
    `SELECT TABLE_NAME, COLUMN_NAME, IF(DATA_TYPE IN ('varchar', 'char'), CHARACTER_MAXIMUM_LENGTH, NULL), IS_NULLABLE
     FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()`,
    [],
  );
  return new Map(
    rows.map(([table, column, length, nullable]) => [
      JSON.stringify([String(table), String(column)]),
      { length: length === null ? undefined : Number(length), notNull: nullable === 'NO' },
    ]),
  );
}

/** Returns a function that finds the indexes of a table. */
async function indexesOf(from: Connection): Promise<(table: string) => CatalogueIndex[]> {
  const rows = await from.query(
    `SELECT TABLE_NAME, INDEX_NAME, NON_UNIQUE, COLUMN_NAME FROM information_schema.STATISTICS
     WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`,
    [],
  );
  const byTable = grouped(rows, ([table]) => String(table));
  return (table) =>
    [...grouped(byTable.get(table) ?? [], ([, name]) => String(name))].map(([name, parts]) => ({
      name,
      unique: Number(parts[0]?.[2]) === 0,
      columns: parts.map(([, , , column]) => (column === null ? null : String(column))),
      isPartial: false,
    }));
}

async function foreignKeysOf(from: Connection): Promise<(table: string) => CatalogueForeignKey[]> {
  const rows = await from.query(
    `SELECT k.TABLE_NAME, k.CONSTRAINT_NAME, k.COLUMN_NAME, k.REFERENCED_TABLE_NAME, k.REFERENCED_COLUMN_NAME, r.DELETE_RULE, r.UPDATE_RULE
     FROM information_schema.KEY_COLUMN_USAGE k
     JOIN information_schema.REFERENTIAL_CONSTRAINTS r ON r.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND r.CONSTRAINT_NAME = k.CONSTRAINT_NAME AND r.TABLE_NAME = k.TABLE_NAME
     WHERE k.TABLE_SCHEMA = DATABASE() AND k.REFERENCED_TABLE_NAME IS NOT NULL ORDER BY k.TABLE_NAME, k.CONSTRAINT_NAME, k.ORDINAL_POSITION`,
    [],
  );
  const byTable = grouped(rows, ([table]) => String(table));
  const keyOf = (name: string, parts: readonly Row[]): CatalogueForeignKey => {
    const [, , , target, , onDelete, onUpdate] = parts[0] ?? [];
    const columns = parts.map(([, , column]) => String(column));
    const targetColumns = parts.map(([, , , , column]) => String(column));
    return { name, columns, target: String(target), targetColumns, onDelete: String(onDelete), onUpdate: String(onUpdate) };
  };
  return (table) => [...grouped(byTable.get(table) ?? [], ([, name]) => String(name))].map(([name, parts]) => keyOf(name, parts));
}

const tooDeep =
  (levels: number) =>
  (value: CopiedValue, { type }: FittedColumn): string | undefined => {
    if (storedTypeOf(type) !== 'json' || typeof value !== 'string') return undefined;
    let [depth, maxDepth, isText] = [0, 0, false];
    for (let at = 0; at < value.length; at++) {
      const character = value[at];
      if (character === '\\') at += 1;
      else if (character === '"') isText = !isText;
      else if (!isText && (character === '{' || character === '[')) maxDepth = Math.max(maxDepth, ++depth);
      else if (!isText && (character === '}' || character === ']')) depth -= 1;
    }
    return maxDepth > levels ? `is JSON of ${maxDepth} levels, ${levels} are possible` : undefined;
  };

function beyondCalendar(value: CopiedValue, { type }: FittedColumn): string | undefined {
  if (storedTypeOf(type) !== 'datetime') return undefined;
  const isInside = Number(value) >= Date.UTC(1000, 0, 1) && Number(value) < Date.UTC(10_000, 0, 1);
  return isInside ? undefined : `${new Date(Number(value)).toISOString()} is not between the years 1000 and 9999`;
}

/** Names of locks belong to the server and not to a database, and have 64 characters at most. */
const lockName = "CONCAT('lectern.transfer.', SHA1(DATABASE()))";

export const mysqlTransfer = (server: MysqlServer): TransferEngine => ({
  label: server.label,
  catalogue: (from) => catalogue(from, server),
  jsonText: (column) => `CAST(${column} AS CHAR)`,
  jsonOf: (text) => text,
  misfit: misfitOf(beyond32Bits, beyond64Bits, tooLong, tooDeep(server.jsonLevels), beyondCalendar),
  prepare: [],
  createTable: (table, { tables }) => createTable(table, { tables, wideDecimal: 'decimal(65,30)' }),
  createIndex,
  addForeignKey,
  continueIds: (table, _, last) => [`ALTER TABLE ${quote(table)} AUTO_INCREMENT = ${last + 1}`],
  analyse: (table) => `ANALYZE TABLE ${quote(table)}`,
  dropTables: (tables) => ['SET FOREIGN_KEY_CHECKS = 0', `DROP TABLE ${columnList(tables)}`, 'SET FOREIGN_KEY_CHECKS = 1'],
  isDuplicate: (error) => isServerError(error) && error.errno === 1062,
  lock: {
    take: `SELECT GET_LOCK(${lockName}, 0)`,
    isHeld: `SELECT IS_USED_LOCK(${lockName}) = CONNECTION_ID()`,
    release: `SELECT RELEASE_LOCK(${lockName})`,
  },
});
