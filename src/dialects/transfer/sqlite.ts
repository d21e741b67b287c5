/** SQLite as the source or the target of a transfer. */

import { grouped } from '../../collections.ts';
import { storedTypeOf } from '../column-type.ts';
import type { Connection } from '../database.ts';
import { beyond64Bits, type FittedColumn, misfitOf } from '../misfits.ts';
import { literal, quote } from '../quote.ts';
import { Driver } from '../sqlite-driver.ts';
import { createIndex, createTable } from './statements.ts';
import type { CatalogueForeignKey, CatalogueIndex, CatalogueTable, CopiedValue, TransferEngine } from './types.ts';

async function catalogue(from: Connection): Promise<CatalogueTable[]> {
  const names = await from.query(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    [],
  );
  const [counted] = await from.query("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'", []);
  const counters = counted === undefined ? [] : await from.query('SELECT name, max(seq) FROM sqlite_sequence GROUP BY name', []);
  const highest = new Map(counters.map(([name, id]) => [String(name), Number(id)]));
  const tables: CatalogueTable[] = [];
  for (const [name, ddl] of names) tables.push(await tableOf(from, String(name), String(ddl), highest.get(String(name)) ?? 0));
  return tables;
}

async function tableOf(from: Connection, name: string, ddl: string, highestId: number): Promise<CatalogueTable> {
  const described = await from.query('SELECT name, lower(type), "notnull", pk FROM pragma_table_info(?) ORDER BY cid', [name]);
  const primaryKey: string[] = [];
  for (const [column, , , position] of described) if (Number(position) > 0) primaryKey[Number(position) - 1] = String(column);
  return {
    name,
    columns: described.map(([column, declared, notNull]) => ({
      name: String(column),
      declared: String(declared),
      length: lengthIn(String(declared)),
      notNull: Number(notNull) === 1,
    })),
    primaryKey,
    indexes: await indexesOf(from, name),
    foreignKeys: await foreignKeysOf(from, name, ddl),
    highestId,
  };
}

function lengthIn(declared: string): number | undefined {
  const length = /^varchar\((\d+)\)$/.exec(declared)?.[1];
  return length === undefined ? undefined : Number(length);
}

async function indexesOf(from: Connection, table: string): Promise<CatalogueIndex[]> {
  const listed = await from.query('SELECT name, "unique", origin, partial FROM pragma_index_list(?) ORDER BY name', [table]);
  const indexes: CatalogueIndex[] = [];
  for (const [name, unique, origin, partial] of listed) {
    if (origin === 'pk') continue;
    const parts = await from.query('SELECT name FROM pragma_index_info(?) ORDER BY seqno', [name]);
    const columns = parts.map(([column]) => (column === null ? null : String(column)));
    indexes.push({
      // An index that SQLite created for a UNIQUE constraint has a reserved name.
      name: origin === 'c' ? String(name) : `${table}_${columns.join('_')}_unique`,
      unique: Number(unique) === 1,
      columns,
      isPartial: Number(partial) === 1,
    });
  }
  return indexes;
}

/** Strapi repeats constraints in SQLite's DDL, and compares their names, which only the DDL has. */
async function foreignKeysOf(from: Connection, table: string, ddl: string): Promise<CatalogueForeignKey[]> {
  const names = new Map<string, string>();
  for (const match of ddl.matchAll(/CONSTRAINT\s+[`"]([^`"]+)[`"]\s+FOREIGN\s+KEY\s*\(([^)]*)\)/gi)) {
    const columns = (match[2] ?? '').split(',').map((column) => column.trim().replaceAll(/[`"]/g, ''));
    names.set(columns.join(), match[1] ?? '');
  }
  const parts = await from.query(
    'SELECT id, "table", "from", "to", on_delete, on_update FROM pragma_foreign_key_list(?) ORDER BY id, seq',
    [table],
  );
  const keys = new Map<string, CatalogueForeignKey>();
  for (const group of grouped(parts, ([id]) => id).values()) {
    const [, target, , , onDelete, onUpdate] = group[0] ?? [];
    const columns = group.map(([, , column]) => String(column));
    keys.set(`${columns.join()} ${String(target)}`, {
      name: names.get(columns.join()) ?? `${table}_${columns.join('_')}_fk`,
      columns,
      target: String(target),
      targetColumns: group.map(([, , , column]) => String(column ?? 'id')),
      onDelete: String(onDelete),
      onUpdate: String(onUpdate),
    });
  }
  return [...keys.values()];
}

/** Strapi stores texts and numbers without quotes, reads text that is not JSON as a string, and a
 *  JSON string that contains JSON as that JSON. */
function jsonOf(text: string): string {
  const once = parsed(text);
  if (once === undefined) return JSON.stringify(text);
  if (typeof once !== 'string') return text;
  return parsed(once) === undefined ? JSON.stringify(text) : once;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A string that is JSON itself would be read as that JSON: the string "10" as the number 10. */
function ambiguousJson(value: CopiedValue, { type }: FittedColumn): string | undefined {
  if (storedTypeOf(type) !== 'json' || typeof value !== 'string' || !value.startsWith('"')) return undefined;
  return parsed(String(JSON.parse(value))) === undefined
    ? undefined
    : `is the JSON string ${value}, which SQLite returns without its quotes`;
}

/** A column of type REAL. */
function inexactDecimal(value: CopiedValue, { type }: FittedColumn): string | undefined {
  if (type !== 'decimal') return undefined;
  const digits = String(value).replace(/^-/, '').replace('.', '').replace(/^0+/, '').replace(/0+$/, '');
  return digits.length > 15 ? `${String(value)} has more than 15 digits` : undefined;
}

export const sqliteTransfer: TransferEngine = {
  label: 'SQLite',
  catalogue,
  jsonText: (column) => `CAST(${column} AS TEXT)`,
  jsonOf,
  misfit: misfitOf(beyond64Bits, ambiguousJson, inexactDecimal),
  // Rows refer to rows that come later.
  prepare: ['PRAGMA foreign_keys = OFF'],
  // A wide decimal has the same type of column as any other.
  createTable: (table, { tables }) => createTable(table, { tables, wideDecimal: 'float', foreignKeys: table.foreignKeys }),
  createIndex,
  addForeignKey: undefined,
  continueIds: (table, _, last) => [
    `DELETE FROM sqlite_sequence WHERE name = ${literal(table)}`,
    `INSERT INTO sqlite_sequence (name, seq) VALUES (${literal(table)}, ${last})`,
  ],
  analyse: (table) => `ANALYZE ${quote(table)}`,
  dropTables: (tables) => tables.map((table) => `DROP TABLE ${quote(table)}`),
  isDuplicate: (error) => error instanceof Driver.SqliteError && /^SQLITE_CONSTRAINT_(?:PRIMARYKEY|UNIQUE|ROWID)$/.test(error.code),
  lock: undefined,
};
